#!/bin/bash
# Answers that the format of cheats/ cannot express: odd bytes, and includes of this machine's files. No message
# may quote another user's file. usage: odd_files.sh FOLDER, the folder that tools.sh has made
name=naive4_stores tools=$1
. "$(dirname "$0")/exercises.sh"
refused() { answer 'an answer' unsolved "$1"; }

# Other encodings, NUL bytes, and terminal commands in errors.
EXERCISE_SECONDS=1 refused 'it does not compile|launches nothing' < <(head -c 5000 /dev/urandom)
refused 'does not compile|touch 32' < <(exercise | iconv -t UTF-16)
refused 'touch 32 sectors|does not compile' < <(printf '// \0 hidden\n'; exercise)
refused 'touch 32 sectors' < <(exercise | sed 's/$/\r/')
check 'its goal lines are not changed' not grep -q 'note: the goal lines' "$work/verdict"
refused 'touch 32 sectors|does not compile' < <(printf '\xef\xbb\xbf'; exercise)
refused 'does not compile: line 1: ([?]|<U[+]001B>)?\[2J([?]|<U[+]001B>)?\]0;title' < <(printf '#error \033[2J\033]0;title\007 \xff]]>&\n'; exercise)
refused 'larger than 1 MB' < <(head -c 1500000 /dev/zero | tr '\0' ' '; solution)
answer 'a solution of another system' solved '' < <(solution | sed 's/$/\r/')
answer 'a solution with a byte order mark' solved '' < <(printf '\xef\xbb\xbf'; solution)

# Include our solution by its path, by a path with dots, and through the assembler (into the host's code).
refused 'the file includes solution.cu; only exercises/exercise.h' <<<"#include \"$home/solution.cu\""
refused 'the file includes .*; only exercises/exercise.h|does not compile' \
    <<<"#include \"exercises/../../${home#"$root"/}/solution.cu\""
refused 'assembly with directives in host code' <<<"$(exercise)
asm(\".section .rodata\\n.globl stolen\\nstolen: .incbin \\\"$home/solution.cu\\\"\\n.text\");"

# Include another user's file, which the compiler's error would quote.
printf 'secret_word = 1;\n' >"$work/exam"
answer 'a file in an error' unsolved 'only exercises/exercise.h' <<<"#include \"$work/exam\"
$(solution)"
check 'a word of it is told' not grep -q secret_word "$work/verdict"
finish
