// refused: line 3: your prediction of 2 for shared_store conflict_degree is too high
// predict: shared_bytes = 16384
// predict: shared_store conflict_degree = 2
// predict: shared_load conflict_degree = 2
// predict: shared_load work = 4096
