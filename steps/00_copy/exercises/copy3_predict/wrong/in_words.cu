// refused: "five" is no number
// predict: global_load requests = 2048
// predict: global_load work = 10240
// predict: global_store work_per_request = five
