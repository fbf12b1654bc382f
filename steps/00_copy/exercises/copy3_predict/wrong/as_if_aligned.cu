// refused: line 4: your prediction of 4 for global_store work_per_request is too low
// predict: global_load requests = 2048
// predict: global_load work = 8192
// predict: global_store work_per_request = 4
