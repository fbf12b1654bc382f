// refused: your prediction of 2560 for global_load work is too high
// predict: global_store requests = 576
// predict: global_store work = 2560
// predict: global_load requests = 514
// predict: global_load work = 2560
