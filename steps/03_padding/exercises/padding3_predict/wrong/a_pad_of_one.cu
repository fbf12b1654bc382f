// refused: line 2: your prediction of 4160 for shared_bytes is too low
// predict: shared_bytes = 4160
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 2
// predict: shared_load work = 4096
