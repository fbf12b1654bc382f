# Another's solution.
refused 'the file includes .*; only headers of the workbook' \
    <<<"#include \"$step_folder/solutions/naive4_stores.cu\""
