# Another's solution.
# shellcheck disable=SC2154 # exercises.sh sets home
refused 'the file includes .*; only headers of the workbook' \
    <<<"#include \"$home/solution.cu\""
