// refused: line 5: your prediction of 4 for global_store work_per_request is too low
// Loads and stores confused.
// predict: global_load requests = 2048
// predict: global_load work_per_request = 4
// predict: global_store work_per_request = 4
// predict: global_store work = 65536
