// refused: your prediction of 32 for shared_load conflict_degree is too high
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 32
// predict: shared_load work = 65536
// predict: global_load work_per_request = 8
