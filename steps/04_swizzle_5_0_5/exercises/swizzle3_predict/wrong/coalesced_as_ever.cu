// refused: your prediction of 4 for global_load work_per_request is too low
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 4
// predict: shared_load work = 8192
// predict: global_load work_per_request = 4
