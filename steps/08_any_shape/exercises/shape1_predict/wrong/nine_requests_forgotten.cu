// refused: your prediction of 512 for global_store requests is too low
// predict: global_store requests = 512
// predict: global_store work = 2560
// predict: global_load requests = 514
// predict: global_load work = 2056
