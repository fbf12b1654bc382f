// refused: line 2: your prediction of 16 for blocks is too low
// predict: blocks = 16
// predict: threads_per_block = 256
// predict: global_load requests = 2048
// predict: global_load work = 8192
// predict: shared_load conflict_degree = 1
