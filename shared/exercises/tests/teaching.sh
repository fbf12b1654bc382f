#!/bin/bash
# Every exercise that teaching.md names, by the beginning of its name, exists, and so does every exercise of a lesson's
# table. A table may leave exercises out: --exercises lists them all.
# usage: teaching.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$root" || exit 1

# exercises_of WORD: prints the exercises whose names begin with WORD.
exercises_of() {
    local folder
    for folder in steps/[0-9][0-9]_*/exercises/"$1"_*/; do
        [ -L "${folder%%/exercises/*}" ] || [ ! -d "$folder" ] || basename "$folder"
    done
}
words=$(grep -oE '`(copy|naive|smem|padding|swizzle|coarsen|vectorize|tma|shape)[0-9][a-z0-9_]*`' \
    shared/exercises/teaching.md | tr -d '`' | sort -u)
check 'teaching.md names no exercise' [ "$(wc -l <<<"$words")" -ge 20 ]
for word in $words; do
    check "teaching.md: $word is not one exercise" [ "$(exercises_of "$word" | wc -l)" = 1 ]
done
for lesson in steps/[0-9][0-9]_*/README.md; do
    [ ! -L "${lesson%/*}" ] || continue
    for word in $(sed -n '/^## Exercises/,/^## [^E]/p' "$lesson" | grep -oE '^\| `[a-z0-9_]+`' | tr -d '|` '); do
        check "$lesson: its table names $word, which is no exercise" [ -d "${lesson%/*}/exercises/$word" ]
    done
done
finish
