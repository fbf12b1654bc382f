// predict: shared_bytes = 4352
// predict: shared_store conflict_degree = 1
// predict: shared_load conflict_degree = 2
// predict: shared_load work = 4096
