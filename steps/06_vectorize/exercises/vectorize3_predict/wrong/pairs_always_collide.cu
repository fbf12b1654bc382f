// refused: your prediction of 2 for shared_store conflict_degree is too high
// predict: global_load requests = 1024
// predict: global_load work_per_request = 8
// predict: shared_store conflict_degree = 2
// predict: shared_load conflict_degree = 2
