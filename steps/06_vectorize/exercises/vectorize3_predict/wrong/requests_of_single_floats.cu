// refused: your prediction of 2048 for global_load requests is too high
// predict: global_load requests = 2048
// predict: global_load work_per_request = 8
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 2
