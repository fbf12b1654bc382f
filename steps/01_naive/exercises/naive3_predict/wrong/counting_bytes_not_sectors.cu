// refused: line 4: your prediction of 128 for global_load work_per_request is too high
// Counting bytes, not sectors.
// predict: global_load requests = 2048
// predict: global_load work_per_request = 128
// predict: global_store work_per_request = 32
// predict: global_store work = 65536
