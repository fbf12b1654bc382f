// refused: line 2: your prediction of 2048 for tma_load requests is too high
// predict: tma_load requests = 2048
// predict: tma_load work = 262144
// predict: global_load requests = 0
// predict: shared_load conflict_degree = 32
// predict: shared_store conflict_degree = 1
