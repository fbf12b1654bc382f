// refused: line 2: your prediction of 4224 for shared_bytes is too low
// predict: shared_bytes = 4224
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 4
// predict: shared_load work = 8192
