// predict: shared_bytes = 4096
// predict: shared_store work_per_request = 1
// predict: shared_load work_per_request = 32
// predict: shared_load conflict_degree = 32
// predict: global_store work_per_request = 4
