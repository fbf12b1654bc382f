// refused: line 4: your prediction of 512 for global_load requests is too low
// predict: blocks = 64
// predict: threads_per_block = 256
// predict: global_load requests = 512
// predict: global_load work = 8192
// predict: shared_load conflict_degree = 1
