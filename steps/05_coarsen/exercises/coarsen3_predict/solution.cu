// predict: global_load requests = 2048
// predict: global_load work_per_request = 4
// predict: shared_store conflict_degree = 2
// predict: shared_load conflict_degree = 2
