// predict: global_load requests = 512
// predict: global_load work_per_request = 16
// predict: shared_store requests = 2048
// predict: shared_store conflict_degree = 1
