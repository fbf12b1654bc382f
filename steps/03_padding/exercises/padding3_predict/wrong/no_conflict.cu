// refused: line 4: your prediction of 1 for shared_load conflict_degree is too low
// predict: shared_bytes = 4352
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 1
// predict: shared_load work = 2048
