// refused: line 6: your prediction of 16 for shared_load work_per_request is too high
// As if both columns met the same two banks.
// predict: shared_bytes = 3072
// predict: shared_store work_per_request = 1
// predict: shared_load requests = 1920
// predict: shared_load work_per_request = 16
// predict: global_store work_per_request = 4
