untouched 'line 16 still has a blank'
wrong 'line 18: your prediction of 1 for shared_load conflict_degree is too low' <<<"$(solution | sed 's/load conflict_degree = 4/load conflict_degree = 1/')"
wrong 'line 18: your prediction of 8 for shared_load conflict_degree is too high' <<<"$(solution | sed 's/load conflict_degree = 4/load conflict_degree = 8/')"
wrong 'line 16: your prediction of 4224 for shared_bytes is too low' <<<"$(solution | sed 's/4608/4224/')"
