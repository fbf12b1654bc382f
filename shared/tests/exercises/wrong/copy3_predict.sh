untouched 'line 21 still has a blank'
wrong 'line 23: your prediction of 4 for global_store work_per_request is too low' \
    <<<"$(solution | sed 's/work_per_request = 5/work_per_request = 4/; s/work = 10240/work = 8192/')"
wrong 'line 22: your prediction of 10239 for global_load work is too low' \
    <<<"$(solution | sed 's/work = 10240/work = 10239/')"
wrong '"five" is no number' <<<"$(solution | sed 's/work_per_request = 5/work_per_request = five/')"
