// refused: line 4: your prediction of 512 for shared_store requests is too low
// predict: global_load requests = 512
// predict: global_load work_per_request = 16
// predict: shared_store requests = 512
// predict: shared_store conflict_degree = 1
