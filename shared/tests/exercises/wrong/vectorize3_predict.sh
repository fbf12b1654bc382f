untouched 'line 17 still has a blank'
wrong 'line 20: your prediction of 4 for shared_store conflict_degree is too high' <<<"$(solution | sed 's/degree = 1/degree = 4/')"
wrong 'line 18: your prediction of 4 for global_load work_per_request is too low' <<<"$(solution | sed 's/per_request = 16/per_request = 4/')"
wrong 'line 19: your prediction of 512 for shared_store requests is too low' <<<"$(solution | sed 's/store requests = 2048/store requests = 512/')"
