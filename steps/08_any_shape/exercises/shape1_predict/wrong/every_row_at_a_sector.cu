// refused: your prediction of 2112 for global_store work is too low
// predict: global_store requests = 576
// predict: global_store work = 2112
// predict: global_load requests = 514
// predict: global_load work = 2056
