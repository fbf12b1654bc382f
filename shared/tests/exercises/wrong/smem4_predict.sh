untouched 'line 18 still has a blank'
wrong 'line 20: your prediction of 1 for shared_load work_per_request is too low' \
    <<<"$(solution | sed 's/shared_load work_per_request = 32/shared_load work_per_request = 1/')"
wrong 'line 18: your prediction of 1024 for shared_bytes is too low' <<<"$(solution | sed 's/4096/1024/')"
wrong 'line 22: your prediction of 32 for global_store work_per_request is too high' \
    <<<"$(solution | sed 's/global_store work_per_request = 4/global_store work_per_request = 32/')"
