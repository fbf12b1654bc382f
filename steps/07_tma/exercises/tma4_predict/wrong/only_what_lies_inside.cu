// refused: line 3: your prediction of 160000 for tma_load work is too low
// predict: tma_load requests = 28
// predict: tma_load work = 160000
// predict: shared_load requests = 1792
// predict: shared_load conflict_degree = 32
// predict: shared_store conflict_degree = 1
