// refused: line 4: your prediction of 4 for shared_load conflict_degree is too high
// predict: shared_bytes = 4352
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 4
// predict: shared_load work = 8192
