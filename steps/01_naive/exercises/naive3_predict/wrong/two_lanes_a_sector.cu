// refused: line 5: your prediction of 16 for global_store work_per_request is too high
// As in a block of 16 x 16.
// predict: global_load requests = 2048
// predict: global_load work_per_request = 8
// predict: global_store work_per_request = 16
// predict: global_store work = 32768
