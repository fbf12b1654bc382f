// refused: line 2: your prediction of 1250 for tma_load requests is too high
// predict: tma_load requests = 1250
// predict: tma_load work = 229376
// predict: shared_load requests = 1250
// predict: shared_load conflict_degree = 32
// predict: shared_store conflict_degree = 1
