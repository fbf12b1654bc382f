untouched 'line 17 still has a blank'
wrong 'line 19: your prediction of 1 for shared_load conflict_degree is too low' <<<"$(solution | sed 's/load conflict_degree = 2/load conflict_degree = 1/')"
wrong 'line 19: your prediction of 32 for shared_load conflict_degree is too high' <<<"$(solution | sed 's/load conflict_degree = 2/load conflict_degree = 32/')"
wrong 'line 18: your prediction of 2 for shared_store conflict_degree is too high' <<<"$(solution | sed 's/store conflict_degree = 1/store conflict_degree = 2/')"
