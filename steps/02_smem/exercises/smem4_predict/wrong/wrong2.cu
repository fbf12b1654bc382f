// refused: line 2: your prediction of 1024 for shared_bytes is too low
// predict: shared_bytes = 1024
// predict: shared_store work_per_request = 1
// predict: shared_load work_per_request = 32
// predict: shared_load conflict_degree = 32
// predict: global_store work_per_request = 4
