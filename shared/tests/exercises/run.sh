#!/bin/bash
# Tests of the exercises and of their checker.
#
#   run.sh [NAME]...   only the answers of these exercises
#   run.sh cheats | command_line   only these
#
# Every solution must pass, every untouched exercise and every wrong answer be refused with the
# intended words (wrong/NAME.sh); no cheat passes, and what loops, crashes or eats memory is reported
# as that (cheats.sh); then the command line (command_line.sh). Exit status 0 if all tests passed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}

# ---- the queue of answers to check: add NAME LABEL STATUS REGULAR-EXPRESSION <FILE ----

mkdir "$work/queue"
count=0
add() {
    count=$((count + 1))
    cat >"$work/queue/$count.cu"
    printf '%s\t%s\t%s\t%s\t%s\n' "$count" "$1" "$2" "$3" "$4" >>"$work/queue/list"
}

name=
step_folder() { for f in "$root"/steps/[0-9][0-9]_"${name%%[0-9]*}"*; do [ -L "$f" ] || echo "$f"; done; }
exercise() { cat "$root/shared/exercises/originals/$name.cu"; }
solution() { cat "$(step_folder)/solutions/$name.cu"; }
untouched() { add "$name" untouched unsolved "$1" < <(exercise); }
wrong() {
    wrongs=$((wrongs + 1))
    cat >"$work/answer"
    if exercise | cmp -s - "$work/answer" || solution | cmp -s - "$work/answer"; then
        fail "$name, wrong answer $wrongs: it is the exercise or the solution, unchanged"
    else
        add "$name" "wrong answer $wrongs" unsolved "$1" <"$work/answer"
    fi
}
# solved: an answer other than ours that must pass too.
right() { add "$name" 'right answer' solved '' ; }

run_queue() {
    local number label status expected said first
    cut -f 1,2 "$work/queue/list" | while IFS=$'\t' read -r number name; do
        printf '%s\n%s\n%s\n' "$name" "$work/queue/$number.cu" "$work/queue/$number.verdict"
    done | tr '\n' '\0' | xargs -0 -n 3 -P "${EXERCISES_JOBS:-$(nproc)}" "$root/shared/exercises/check_one.sh"
    while IFS=$'\t' read -r number name label status expected; do
        first=$(head -n 1 "$work/queue/$number.verdict" 2>/dev/null | cut -f 1)
        said=$(tail -n +2 "$work/queue/$number.verdict" 2>/dev/null)
        if [ "$first" != "$status" ]; then
            fail "$name, $label: ${first:-no verdict} instead of $status: $said"
        elif [ -n "$expected" ] && ! grep -qE "$expected" <<<"$said"; then
            fail "$name, $label: refused, but it says: $said (expected: $expected)"
        else
            pass
        fi
    done <"$work/queue/list"
    rm -f "$work"/queue/*
}

# The checker's tools.
EXERCISES_OUT=$work/out "$root/run_all.sh" --exercises naive1_turn >/dev/null 2>&1
TOOLS=$(echo "$work"/out/tools-*)
export TOOLS
[ -f "$TOOLS/judge.o" ] || { echo "the checker could not be built"; echo "0 passed, 1 failed"; exit 1; }

names=("$@")
if [ "${1-}" = cheats ] || [ "${1-}" = command_line ]; then
    . "$here/$1.sh"
    echo "$passed passed, $failed failed"
    exit $((failed > 0))
fi
[ $# -gt 0 ] || mapfile -t names < <(cd "$root/shared/exercises/originals" && ls -- *.cu | sed 's/\.cu$//')

# ---- every exercise is complete, and its files agree ----

for name in "${names[@]}"; do
    file=$(step_folder)/exercises/$name.cu
    if cmp -s "$file" "$root/shared/exercises/originals/$name.cu"; then pass; else
        fail "$name: steps/*/exercises and shared/exercises/originals differ"
    fi
    hints=$(grep -c '^--$' "$root/shared/exercises/hints/$name.txt" 2>/dev/null)
    if [ "${hints:-0}" -ge 1 ]; then pass; else fail "$name: fewer than two hints"; fi
    if diff <(exercise | grep -E '^// (operation|multiple|counted|capability|goal):') \
        <(solution | grep -E '^// (operation|multiple|counted|capability|goal):') >/dev/null; then pass; else
        fail "$name: the solution states another goal"
    fi
done

# ---- solutions, timed ----

start=$(date +%s)
for name in "${names[@]}"; do add "$name" solution solved "" < <(solution); done
run_queue
echo "all ${#names[@]} solutions checked in $(($(date +%s) - start)) seconds"

# ---- untouched exercises and wrong answers ----

for name in "${names[@]}"; do
    wrongs=0
    if [ -f "$here/wrong/$name.sh" ]; then . "$here/wrong/$name.sh"; fi
    if [ $wrongs -ge 2 ] && grep -q "	$name	untouched" "$work/queue/list"; then pass; else
        fail "$name: $wrongs wrong answers, and an untouched one, are too few"
    fi
done
run_queue

if [ $# -eq 0 ]; then
    . "$here/cheats.sh"
    . "$here/command_line.sh"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
