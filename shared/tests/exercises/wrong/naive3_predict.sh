untouched 'line 16 still has a blank to fill in'
# Counting bytes, not sectors.
wrong 'line 17: your prediction of 128 for global_load work_per_request is too high' \
    <<<"$(solution | sed 's/load work_per_request = 4/load work_per_request = 128/')"
# Loads and stores confused.
wrong 'line 18: your prediction of 4 for global_store work_per_request is too low' \
    <<<"$(solution | sed 's/store work_per_request = 32/store work_per_request = 4/')"
# Threads counted as requests.
wrong 'line 16: your prediction of 65536 for global_load requests is too high' \
    <<<"$(solution | sed 's/requests = 2048/requests = 65536/')"
# Numbers made to fit by changing the code instead.
wrong 'line 18: your prediction of 4 .* too low' \
    <<<"$(solution | sed 's/store work_per_request = 32/store work_per_request = 4/; s/col \* rows + row/row * cols + col/')"
