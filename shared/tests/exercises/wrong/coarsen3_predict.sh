untouched 'line 15 still has a blank'
wrong 'line 17: your prediction of 512 for global_load requests is too low' <<<"$(solution | sed 's/requests = 2048/requests = 512/')"
wrong 'line 16: your prediction of 1024 for threads_per_block is too high' <<<"$(solution | sed 's/block = 256/block = 1024/')"
wrong 'line 15: your prediction of 16 for blocks is too low' <<<"$(solution | sed 's/blocks = 64/blocks = 16/')"
