// refused: line 3: your prediction of 768 for shared_bytes is too low
// Elements, not bytes.
// predict: shared_bytes = 768
// predict: shared_store work_per_request = 1
// predict: shared_load requests = 1920
// predict: shared_load work_per_request = 8
// predict: global_store work_per_request = 4
