# Files of other encodings, with NUL bytes, or with terminal commands in their errors.
refused 'does not compile|touch 32' < <(exercise | iconv -t UTF-16)
refused 'touch 32 sectors|does not compile' < <(printf '// \0 hidden\n'; exercise)
refused 'touch 32 sectors' < <(exercise | sed 's/$/\r/')
# shellcheck disable=SC2154 # checks.sh sets work
check 'its goal lines are not changed' not grep -q 'note: the goal lines' "$work/verdict"
refused 'touch 32 sectors|does not compile' < <(printf '\xef\xbb\xbf'; exercise)
refused 'does not compile: line 1: [?]?\[2J[?]?\]0;title' < <(printf '#error \033[2J\033]0;title\007 \xff]]>&\n'; exercise)
refused 'larger than 1 MB' < <(head -c 1500000 /dev/zero | tr '\0' ' '; solution)
# The same of a right answer are right.
answer 'a solution of another system' solved '' < <(solution | sed 's/$/\r/')
answer 'a solution with a byte order mark' solved '' < <(printf '\xef\xbb\xbf'; solution)
