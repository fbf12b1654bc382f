// refused: your prediction of 1 for shared_load conflict_degree is too low
// predict: global_load requests = 1024
// predict: global_load work_per_request = 8
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 1
