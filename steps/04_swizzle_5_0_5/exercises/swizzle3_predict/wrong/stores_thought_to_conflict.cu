// refused: your prediction of 2 for shared_store conflict_degree is too high
// predict: shared_store conflict_degree = 2
// predict: shared_load conflict_degree = 4
// predict: shared_load work = 8192
// predict: global_load work_per_request = 8
