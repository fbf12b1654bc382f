// predict: global_load requests = 2048
// predict: global_load work_per_request = 4
// predict: global_store work_per_request = 32
// predict: global_store work = 65536
