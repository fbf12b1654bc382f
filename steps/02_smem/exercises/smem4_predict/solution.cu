// predict: shared_bytes = 3072
// predict: shared_store work_per_request = 1
// predict: shared_load requests = 1920
// predict: shared_load work_per_request = 8
// predict: global_store work_per_request = 4
