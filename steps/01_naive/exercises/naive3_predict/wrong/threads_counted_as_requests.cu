// refused: line 3: your prediction of 65536 for global_load requests is too high
// Threads counted as requests.
// predict: global_load requests = 65536
// predict: global_load work_per_request = 8
// predict: global_store work_per_request = 8
// predict: global_store work = 16384
