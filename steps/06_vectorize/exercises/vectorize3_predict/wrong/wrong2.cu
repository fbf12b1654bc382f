// refused: line 3: your prediction of 4 for global_load work_per_request is too low
// predict: global_load requests = 512
// predict: global_load work_per_request = 4
// predict: shared_store requests = 2048
// predict: shared_store conflict_degree = 1
