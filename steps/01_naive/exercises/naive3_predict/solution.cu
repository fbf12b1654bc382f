// predict: global_load requests = 2048
// predict: global_load work_per_request = 8
// predict: global_store work_per_request = 8
// predict: global_store work = 16384
