#!/bin/bash
# The plans for courses name exercises that there are, by the beginning of their names; the minutes of a
# lesson's table are those of exercises that there are, all of them.
# usage: teaching.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$root" || exit 1

# exercises_of WORD: the exercises whose names begin with it.
exercises_of() {
    local folder
    for folder in steps/[0-9][0-9]_*/exercises/"$1"*/; do
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
    check "$lesson: its table is not of the exercises that there are" cmp -s \
        <(sed -n '/^## Exercises/,$p' "$lesson" | grep -E '^\| `[a-z0-9_]+`.* [0-9]+ ' | cut -d '|' -f 2 | grep -oE '`[a-z]+[0-9][a-z0-9_]*`' | tr -d '`' | sort) \
        <(for folder in "${lesson%/*}"/exercises/*/; do basename "$folder"; done | sort)
done
finish
