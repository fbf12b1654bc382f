// predict: tma_load requests = 64
// predict: tma_load work = 262144
// predict: global_load requests = 0
// predict: shared_load conflict_degree = 32
// predict: shared_store conflict_degree = 1
