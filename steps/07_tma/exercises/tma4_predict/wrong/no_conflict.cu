// refused: line 5: your prediction of 1 for shared_load conflict_degree is too low
// predict: tma_load requests = 28
// predict: tma_load work = 229376
// predict: shared_load requests = 1792
// predict: shared_load conflict_degree = 1
// predict: shared_store conflict_degree = 1
