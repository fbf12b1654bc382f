// refused: your prediction of 2 for shared_load conflict_degree is too low
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 2
// predict: shared_load work = 4096
// predict: global_load work_per_request = 8
