untouched 'line 19 still has a blank'
wrong 'line 22: your prediction of 1 for shared_load conflict_degree is too low' <<<"$(solution | sed 's/load conflict_degree = 32/load conflict_degree = 1/')"
wrong 'line 21: your prediction of 2048 for global_load requests is too high' <<<"$(solution | sed 's/global_load requests = 0/global_load requests = 2048/')"
wrong 'line 19: your prediction of 2048 for tma_load requests is too high' <<<"$(solution | sed 's/tma_load requests = 64/tma_load requests = 2048/')"
