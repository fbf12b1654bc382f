// refused: line 4: your prediction of 4 for global_load work_per_request is too low
// As if elements were floats.
// predict: global_load requests = 2048
// predict: global_load work_per_request = 4
// predict: global_store work_per_request = 8
// predict: global_store work = 16384
