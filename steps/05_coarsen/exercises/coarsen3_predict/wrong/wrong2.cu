// refused: line 3: your prediction of 1024 for threads_per_block is too high
// predict: blocks = 64
// predict: threads_per_block = 1024
// predict: global_load requests = 2048
// predict: global_load work = 8192
// predict: shared_load conflict_degree = 1
