// predict: launches = 2
// predict: global_load requests = 4096
// predict: global_load work = 16384
// predict: global_store work_per_request = 4
