# Another's solution.
refused 'the file includes .*; only headers of the workbook' \
    <<<"#include \"$(solution_file naive4_stores)\""
