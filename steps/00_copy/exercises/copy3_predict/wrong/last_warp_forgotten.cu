// refused: line 3: your prediction of 10239 for global_load work is too low
// predict: global_load requests = 2048
// predict: global_load work = 10239
// predict: global_store work_per_request = 5
