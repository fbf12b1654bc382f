# Sourced by run.sh: the command line, tried on a handed-out workbook with a few exercises solved.
book=$work/book
solutions=$root/steps/01_naive/solutions

# expect LABEL STATUS REGULAR-EXPRESSION COMMAND...
expect() {
    local label=$1 status=$2 expression=$3 said got
    shift 3
    said=$(timeout 120 "$@" 2>&1 </dev/null)
    got=$?
    if [ $got -ne "$status" ]; then
        fail "$label: exit status $got instead of $status: $said"
    elif ! grep -qE -e "$expression" <<<"$said"; then
        fail "$label: it says: $said (expected: $expression)"
    else
        pass
    fi
}
check() { if "${@:2}"; then pass; else fail "$1"; fi; }
none() { [ -z "$(find "$book" "$@")" ]; }

expect 'handout' 0 'is in .*book' "$root/run_all.sh" --handout "$book"
check 'the handout has no solutions' none -name solutions
check 'the handout has no wrong answers' none -path '*tests/exercises/*'
check 'the handout is no repository' none -name .git
expect 'handout into a folder in use' 2 'is not empty' "$root/run_all.sh" --handout "$book"
cd "$book" || exit 2
naive=$book/steps/01_naive/exercises

expect 'nothing solved' 1 '0 of 5 solved' ./run_all.sh --exercises 01
expect 'the list says what is next' 1 'next ->  *naive1_turn' ./run_all.sh --exercises 01_naive
expect 'next' 1 'now .*65280 of 65536 elements' ./run_all.sh --exercises naive --next
cp "$solutions/naive1_turn.cu" "$naive"
expect 'one exercise alone, solved' 0 'all 1 solved|1 of 1 solved' ./run_all.sh --exercises naive1_turn
expect 'the next after it' 1 'next: naive2_edge' ./run_all.sh --exercises 01 --next
expect 'the bar' 1 '\[######\.*\] 1 of 5 solved' ./run_all.sh --exercises 01
expect 'make exercises' 0 '1 of 5 solved' make -C steps/01_naive exercises
expect 'make next' 0 'next: naive2_edge' make -C steps/01_naive next
expect 'the first hint' 0 'naive2_edge, hint 1 of 2' ./run_all.sh --exercises --hint naive2_edge
expect 'the second hint' 0 'naive2_edge, hint 2 of 2' make -C steps/01_naive hint NAME=naive2
expect 'hints begin again' 0 'hint 1 of 2' ./run_all.sh --exercises --hint naive2

expect 'reset' 0 'is as it was at first' ./run_all.sh --exercises --reset naive1_turn
check 'reset brings the original back' cmp -s "$naive/naive1_turn.cu" "$root/shared/exercises/originals/naive1_turn.cu"
check 'reset keeps the old file' cmp -s "$naive/naive1_turn.cu.old" "$solutions/naive1_turn.cu"
rm "$naive/naive2_edge.cu"
expect 'a missing file' 1 'there is no file naive2_edge.cu; .*--reset naive2_edge' ./run_all.sh --exercises naive2_edge --next
expect 'reset of a missing file' 0 'is as it was' ./run_all.sh --exercises --reset naive2_edge
cp "$solutions"/*.cu "$naive"
expect 'a step solved' 0 '\[#*\] 5 of 5 solved' ./run_all.sh --exercises 01
expect 'nothing left' 0 'all 5 solved' ./run_all.sh --exercises 01 --next

cp "$root/shared/exercises/originals/naive4_stores.cu" "$naive"
expect 'junit' 1 '4 of 5 solved' ./run_all.sh --exercises 01 --junit "$work/results.xml"
check 'junit counts' grep -q '<testsuite name="exercises" tests="5" failures="1">' "$work/results.xml"
check 'junit has every exercise' [ "$(grep -c '<testcase ' "$work/results.xml")" = 5 ]
check 'junit says why' grep -q 'name="naive4_stores">' "$work/results.xml"
check 'junit escapes what is said' grep -q 'message="the stores touch 32 sectors a request; the goal is at most 4' "$work/results.xml"
if command -v xmllint >/dev/null; then check 'junit is well-formed' xmllint --noout "$work/results.xml"; fi

# --watch: what is saved is checked, and the next one shown.
timeout 60 ./run_all.sh --exercises 01 --watch >"$work/watched" 2>&1 &
watcher=$!
for _ in $(seq 100); do grep -q watching "$work/watched" && break; sleep 0.1; done
cp "$solutions/naive4_stores.cu" "$naive"
wait $watcher
check 'watch ends when all are solved' [ $? -eq 0 ]
check 'watch says what was missing' grep -q 'the stores of line 32 touch 32 sectors' "$work/watched"
check 'watch sees the file saved' grep -q 'naive4_stores is solved' "$work/watched"

# --grade: a workbook, a flat folder with something that hangs, and an empty one.
mkdir "$work/anna" "$work/ben" "$work/nobody"
cp -r "$book/steps" "$work/anna"
cp "$solutions/naive1_turn.cu" "$work/ben"
sed 's/^    if (row < rows/    for (volatile int i = 0; i < 2; i = 0) { }\n&/' "$solutions/naive4_stores.cu" >"$work/ben/naive4_stores.cu"
EXERCISE_SECONDS=2 expect 'grade' 0 'anna .* 5/5 ' "$root/run_all.sh" --grade "$work/anna" "$work/ben" "$work/nobody"
grades=$root/out/exercises/grades.tsv
row() { grep -qP "^$work/$1\t[^\t]*\t$2\t$3\t$4\t" "$grades"; }
check 'grades: a header' [ "$(head -n 1 "$grades")" = "$(printf 'submission\tstep\texercise\tstatus\treason\tsaid')" ]
check 'grades: solved' row anna naive3_predict solved solved
check 'grades: solved, of a flat folder' row ben naive1_turn solved solved
check 'grades: what hangs is stopped' row ben naive4_stores unsolved time
check 'grades: what is missing' row nobody naive1_turn unsolved missing
check 'grades: every exercise of every submission' \
    [ "$(wc -l <"$grades")" = $((1 + 3 * $(find "$root/shared/exercises/originals" -name '*.cu' | wc -l))) ]

# Every solution also builds alone, with cpucc and with nvcc, and verifies itself.
cd "$root/steps/01_naive/solutions" || exit 2
expect 'alone, with cpucc' 0 '' "$root/shared/cpucc/cpucc" -I../../../shared naive4_stores.cu -o "$work/alone"
expect 'alone, it verifies itself' 0 '33 x 65: verified' "$work/alone"
cd "$root/steps/01_naive/exercises" || exit 2
expect 'alone, untouched, with cpucc' 0 '' "$root/shared/cpucc/cpucc" -I../../../shared naive1_turn.cu -o "$work/alone"
expect 'alone, untouched, it says what is wrong' 1 '256 x 256: WRONG: 65280 elements differ' "$work/alone"
cd "$book" || exit 2
if command -v nvcc >/dev/null; then
    find "$root"/steps/*/solutions -name '*.cu' -not -path '*/04_swizzle/*' -not -name 'swizzle5_layout.cu' -print0 |
        xargs -0 -P "${EXERCISES_JOBS:-$(nproc)}" -I{} sh -c 'nvcc -O1 -std=c++17 -arch=sm_90 -I"$1/shared" \
            -Xcompiler -Wall,-Wextra "{}" -o "$2/alone.$(basename "{}")" 2>&1' nvcc "$root" "$work" >"$work/nvcc"
    check "nvcc builds every solution without a warning: $(head -n 3 "$work/nvcc")" [ ! -s "$work/nvcc" ]
fi

expect 'help' 0 'usage: ./run_all.sh --exercises' ./run_all.sh --exercises --help
expect 'an unknown step' 2 'there is no exercise of that name' ./run_all.sh --exercises 99
expect 'an unknown option' 2 'unknown option' ./run_all.sh --exercises --nxt
expect 'a hint for nothing' 2 'a value is needed' ./run_all.sh --exercises --hint
expect 'a hint for no exercise' 2 'there is no exercise of that name' ./run_all.sh --exercises --hint naive
expect 'grade nobody' 2 'at least one submission' ./run_all.sh --grade
expect 'grade what is not there' 2 'is no folder' ./run_all.sh --grade "$work/zoe"
expect 'junit nowhere' 2 'cannot write there' ./run_all.sh --exercises 01 --junit "$work/none/x.xml"
cd "$here" || exit 2
