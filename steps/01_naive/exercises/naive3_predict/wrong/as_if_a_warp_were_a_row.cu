// refused: line 5: your prediction of 32 for global_store work_per_request is too high
// As if a warp were a row.
// predict: global_load requests = 2048
// predict: global_load work_per_request = 8
// predict: global_store work_per_request = 32
// predict: global_store work = 65536
