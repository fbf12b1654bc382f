// refused: shared_store conflict_degree is too low
// predict: global_load requests = 2048
// predict: global_load work_per_request = 4
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 1
