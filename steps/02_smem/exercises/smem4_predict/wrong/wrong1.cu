// refused: line 4: your prediction of 1 for shared_load work_per_request is too low
// predict: shared_bytes = 4096
// predict: shared_store work_per_request = 1
// predict: shared_load work_per_request = 1
// predict: shared_load conflict_degree = 32
// predict: global_store work_per_request = 4
