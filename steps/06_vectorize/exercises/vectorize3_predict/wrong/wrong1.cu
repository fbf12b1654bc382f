// refused: line 5: your prediction of 4 for shared_store conflict_degree is too high
// predict: global_load requests = 512
// predict: global_load work_per_request = 16
// predict: shared_store requests = 2048
// predict: shared_store conflict_degree = 4
