// refused: global_load work_per_request is too low
// predict: global_load requests = 4096
// predict: global_load work_per_request = 2
// predict: shared_store conflict_degree = 2
// predict: shared_load conflict_degree = 2
