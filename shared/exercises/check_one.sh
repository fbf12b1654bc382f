#!/bin/bash
# Checks one submission of one exercise.
#
#   check_one.sh FOLDER FILE VERDICT
#
# Writes VERDICT: its first line is "solved" or "unsolved", a tab, and one word for the reason; the
# lines after it are what the learner is told. Exit status 0 whatever the verdict is, 2 if the
# checker itself cannot work. TOOLS names a folder that check.sh makes.
#
# FOLDER is the exercise's. The goal comes from its task.cu, main and verification from judge.cu; of
# FILE only its kernels and its launch function take part.
set -u
unset CDPATH
home=$(cd "$(dirname "$0")" && pwd)
shared=$(dirname "$home")
name=${1##*/} original=$1/task.cu file=$2 verdict=$3
: "${TOOLS:?}"
seconds=${EXERCISE_SECONDS:-10}
work=$(mktemp -d "${TMPDIR:-/tmp}/exercise.XXXXXX") || exit 2
work=$(realpath "$work")
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM HUP
notice=

# finish STATUS REASON [LINE]...: the verdict; without lines, what the file `told` holds.
finish() {
    {
        printf '%s\t%s\n' "$1" "$2"
        if [ $# -gt 2 ]; then printf '%s\n' "${@:3}"; elif [ "$1" = unsolved ]; then cat "$work/told"; fi
        [ -z "$notice" ] || printf '%s\n' "$notice"
    } >"$work/verdict"
    cp "$work/verdict" "$verdict.part" && mv "$verdict.part" "$verdict" || exit 2
    exit 0
}

broken() {
    echo "check_one.sh: $name: $1" >&2
    exit 2
}

[ -f "$original" ] || broken "there is no such exercise"
[ -f "$file" ] || finish unsolved missing \
    "there is no answer; ./run_all.sh --exercises --reset $name makes one from the task"
[ "$(wc -c <"$file")" -lt 1000000 ] || finish unsolved too_large "the file is larger than 1 MB"
cat "$file" >"$work/$name.cu" || broken "cannot read $file"
verdict=$(realpath -m "$verdict")
cd "$work" || exit 2

# ---- what the file says ----

# Goal lines are ours. What the learner changed in them is said and ignored.
goal_lines() { tr -d '\r' <"$1" | grep -E '^// *(operation|multiple|counted|capability|goal):'; }
goal_lines "$original" >goals
goal_lines "$name.cu" | grep -qvxF -f goals &&
    notice="note: the goal lines at the top of the file were changed; the original ones count"

awk '{ sub(/\r$/, "") }
    /(^|[^_[:alnum:]])___($|[^_[:alnum:]])/ && n++ < 4 {
        sub(/^[ \t]*(\/\/ *)?/, "")
        print "line " NR " still has a blank to fill in: " $0
    }' "$name.cu" >told
[ ! -s told ] || finish unsolved blank

if grep -q '^// operation: layout' goals; then
    . "$home/check_layout.sh"
    check_layout
fi

# In an exercise that asks for predictions the code is ours too.
source=$name.cu
if grep -q '^// predict:' "$original"; then
    awk -v name="$name" -f "$home/predict.awk" "$original" "$name.cu" >told ||
        finish unsolved prediction_missing
    mv told predictions
    source=original/$name.cu
    mkdir original && cp "$original" "$source"
fi

# ---- compile ----

"$TOOLS/limit" 60 3000 20000 outcome env HOME="${HOME:-/tmp}" TMPDIR="$work" \
    ${CPUCC_CACHE:+CPUCC_CACHE="$CPUCC_CACHE"} ${XDG_CACHE_HOME:+XDG_CACHE_HOME="$XDG_CACHE_HOME"} \
    ${CLANGXX:+CLANGXX="$CLANGXX"} ${CC:+CC="$CC"} bash -c 'ulimit -v 8000000; exec "$@"' compile \
    "$shared/cpucc/cpucc" -c -DEXERCISE_CHECKED -I"$shared" --keep kept "$source" -o submission.o >compiled
case $(cat outcome) in
'exit 0') ;;
time) finish unsolved compile_time "compiling took more than a minute and was stopped" ;;
*)
    awk -v name="$name" -f "$home/compile_error.awk" compiled >told
    finish unsolved compile
    ;;
esac

# Only headers of the workbook and of the system: no other submission, no solution.
# (In a line marker, quotes, backslashes and line breaks of a path are escaped.)
sed -nE 's/^# [0-9]+ "([^"<\\]([^"\\]|\\.)*)".*/\1/p' kept/*.ii | sort -u |
    while IFS= read -r used; do printf '%b\0' "${used//\\\"/\"}"; done | xargs -0 realpath -mz >included
while IFS= read -r -d '' used; do
    case $used in
    "$work/$source" | "$shared"/*.h | /usr/* | /opt/*) ;;
    *) finish unsolved include \
        "the file includes $used; only headers of the workbook and of the system are allowed" ;;
    esac
done <included

# The file's own lines, after the preprocessor.
awk -v source="$source" '/^# [0-9]+ "/ {ours = index($0, "\"" source "\"")} ours' kept/*.ii >own_lines

# What the compiler is told not to instrument is not counted, nor what it does not compile itself;
# kernels are told by the section that they lie in.
if grep -qE 'no_sanitize|disable_sanitizer|clang +attribute' own_lines; then
    finish unsolved forbidden_attribute \
        "the file switches the compiler's instrumentation off, by which traffic is counted"
fi
if grep -qE '\<(asm|__asm|__asm__)\>' own_lines; then
    finish unsolved forbidden_attribute "the file has inline assembly, which an exercise does not need"
fi
if grep -qE '\<(__section__|section) *\(' own_lines; then
    finish unsolved forbidden_attribute "the file puts something into a section of its own choice"
fi

# What runs at the end would run after the verdict. Some compilers drop the call where the function
# is empty, and so it would not be among the calls below.
handlers=$(grep -oE '\<(atexit|at_quick_exit|on_exit|__cxa_atexit|__cxa_at_quick_exit)\>' own_lines |
    sort -u | paste -sd ' ')
[ -z "$handlers" ] || finish unsolved forbidden_call \
    "the file calls ${handlers// /, }, which an exercise cannot use: it is kernels and how they are launched."

nm submission.o | grep -q ' T exercise_launch$' || finish unsolved no_launch \
    "the file launches nothing: its last line must be EXERCISE(name of your launch function)"

# A submission may call what CUDA programs call to launch kernels, and print. It may not reach the
# system or the checker's counters, nor copy by other means than kernels.
allowed() {
    case $1 in
    cpucc_record | cpucc_reset | cpucc_read | cpucc_faults | cpucc_default_report) return 1 ;;
    cudaMalloc* | cudaMemcpy* | cudaMemset* | cudaFree* | cudaHost* | cudaMemPrefetch* | \
        cudaDeviceReset | cudaLaunchHostFunc | cuMem*) return 1 ;;
    cpucc_* | cuda* | cu[A-Z]* | __*) grep -qxF -e "$1" "$TOOLS/device_names" ;;
    *) return 1 ;;
    esac
}
forbidden=
while read -r call; do
    allowed "$call" || forbidden+="${forbidden:+, }$(c++filt "$call")"
done < <(nm -u submission.o | awk '{print $2}' | sort -u | grep -vxE -f "$home/allowed_calls")
[ -z "$forbidden" ] || finish unsolved forbidden_call \
    "the file calls $forbidden, which an exercise cannot use: it is kernels and how they are launched." \
    "The matrices are there already, and kernels move the data."
# Start-up code would run before the checker's main, so it is taken away; what clang writes to
# announce the kernels is called there. No other name of a submission is to meet ours.
objcopy --redefine-sym __cuda_module_ctor=announce_kernels \
    --globalize-symbol=announce_kernels submission.o || broken "objcopy failed"
objcopy --wildcard --remove-section '.init_array*' --remove-section '.fini_array*' \
    --remove-section '.ctors*' --remove-section '.dtors*' --remove-section .preinit_array \
    --keep-global-symbol=announce_kernels --keep-global-symbol=exercise_launch submission.o ||
    broken "objcopy failed"
static_bytes=$(size -A submission.o | awk '$1 ~ /^(\.l?(bss|data|rodata|tbss)|cpucc_(device|constant|readonly))/ {n += $2} END {printf "%d", n}')
[ "$static_bytes" -le 67108864 ] || finish unsolved memory \
    "the file declares $static_bytes bytes of static memory; no exercise needs much of it"
"$shared/cpucc/cpucc" -Wl,--wrap=cpucc_run "$TOOLS/judge.o" submission.o -o program >told 2>&1 ||
    finish unsolved link "the file could not be linked: $(head -n 2 told)"

# ---- run ----

nonce=$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
# run MODE: results in MODE.results, what was printed in MODE.printed
run() {
    "$TOOLS/limit" "$seconds" 1000 60000 outcome ./program "$original" "$1" \
        <<<"$nonce" 3>raw >"$1.printed" || broken "limit failed"
    sed -n "s/^$nonce	//p" raw >"$1.results"
}

for mode in counted ragged; do
    run $mode
    awk -v mode=$mode -v name="$name" -v outcome="$(cat outcome)" -v seconds="$seconds" \
        -f "$home/explain.awk" $mode.results $mode.printed >explained
    case $? in
    0) ;;
    1)
        reason=$(sed -n '1s/^reason //p' explained)
        sed 1d explained >told
        finish unsolved "$reason"
        ;;
    *) broken "explain.awk failed" ;;
    esac
done

what=goals
[ ! -f predictions ] || what=predictions
awk -v mode=$what -f "$home/goals.awk" $what counted.results >told
case $? in
0) finish solved solved ;;
1)
    if [ $what = goals ]; then # once more, for the lines that are to blame
        CPUCC_REPORT=lines CPUCC_REPORT_FILE=$work/report run counted
        [ -f report ] || : >report
        awk -v mode=goals -v report=report -f "$home/goals.awk" goals counted.results >told
    fi
    finish unsolved $what
    ;;
*) broken "goals.awk: $(cat told)" ;;
esac
