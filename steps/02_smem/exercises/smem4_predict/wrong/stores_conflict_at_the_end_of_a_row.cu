// refused: line 4: your prediction of 2 for shared_store work_per_request is too high
// As if the next row began in another place.
// predict: shared_bytes = 3072
// predict: shared_store work_per_request = 2
// predict: shared_load requests = 1920
// predict: shared_load work_per_request = 8
// predict: global_store work_per_request = 4
