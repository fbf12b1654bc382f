# A file of another user, a word of which the compiler's error would tell.
# shellcheck disable=SC2154 # exercises.sh sets work
printf 'secret_word = 1;\n' >"$work/exam"
answer 'a file in an error' unsolved 'only headers of the workbook' <<<"#include \"$work/exam\"
$(solution)"
check 'a word of it is told' not grep -q secret_word "$work/verdict"
