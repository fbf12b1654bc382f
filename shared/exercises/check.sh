#!/bin/bash
# The exercises: what is solved, what is next, hints, grading. run_all.sh hands its options on.
set -u
unset CDPATH
home=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$home/../.." && pwd)

usage() {
    cat <<'END'
usage: ./run_all.sh --exercises [STEP] [--next] [--hint NAME] [--watch] [--reset NAME] [--junit FILE]
       ./run_all.sh --grade DIR... | --handout DIR

Checks the exercises: each has a folder steps/NN_word/exercises/NAME with a task.cu, and you solve a
copy of it, answer.cu, which any of these commands makes. No GPU is needed.

  STEP          only this step: its number, its folder or its word; or one exercise by its name
  --next        only the first that is not solved, and what it is missing
  --hint NAME   a hint; again for the next one
  --watch       check the next one again whenever its file is saved
  --new STEP NAME  for writers: the folder of a new exercise
  --reset NAME  begin again (your answer.cu is kept beside it, as answer.cu.old)
  --junit FILE  also write the results to FILE, for a course's grading system
  --grade DIR...  check a stack of submissions: a table, and out/exercises/grades.tsv
  --handout DIR   write the workbook without its solutions to DIR

Exit status: 0 all that was asked for is solved (--grade: all were graded), 1 not all is, 2 wrong
usage.
END
}

wrong_usage() {
    echo "run_all.sh: $1 (--exercises --help lists the options)" >&2
    exit 2
}

# ---- names ----

# All exercises in order, as "STEP NAME" lines: the folders steps/STEP/exercises/NAME.
list_all() {
    local file step
    for file in "$root"/steps/[0-9][0-9]_*/exercises/*/task.cu; do
        [ -f "$file" ] || continue
        file=${file%/task.cu} && step=${file#"$root"/steps/} && step=${step%%/*}
        [ -L "$root/steps/$step" ] || echo "$step ${file##*/}"
    done | LC_ALL=C sort -V
}
step_of() { list_all | awk -v name="$1" '$2 == name {print $1}'; }

# resolve NAME: the full name of the exercise that it is, or begins.
resolve() {
    local found
    found=$(list_all | awk -v name="${1%.cu}" '$2 == name {exact = $2} index($2, name) == 1 {n++; last = $2}
        END {if (exact != "") print exact; else if (n == 1) print last}')
    [ -n "$found" ] || wrong_usage "$1: there is no exercise of that name; --exercises lists them"
    echo "$found"
}

home_of() { echo "$root/steps/$(step_of "$1")/exercises/$1"; }
task_of() { echo "$(home_of "$1")/task.cu"; }
# What the learner works on; begin NAME makes it from the task.
file_of() { echo "$(home_of "$1")/answer.cu"; }
begin() { [ -e "$(file_of "$1")" ] || cp "$(task_of "$1")" "$(file_of "$1")"; }
shown() { echo "${1#"$root"/}"; }
title_of() { sed -n "2s/^ \* $1: *//p" "$(task_of "$1")" | sed 's/\.$//'; }

# ---- arguments ----

mode=list step='' junit='' name='' folders=()
needs_value() { [ "$1" -ge 2 ] || wrong_usage "$2: a value is needed after it"; }
while [ $# -gt 0 ]; do
    case $1 in
    --exercises) if [ $# -ge 2 ] && [[ $2 != -* ]]; then step=$2 && shift; fi ;;
    --next) mode=next ;;
    --watch) mode=watch ;;
    --new) [ $# -ge 3 ] || wrong_usage "--new: a step and a name are needed after it"
        mode=new step=$2 name=$3 && shift 2 ;;
    --hint) needs_value $# "$1" && mode=hint name=$2 && shift ;;
    --reset) needs_value $# "$1" && mode=reset name=$2 && shift ;;
    --junit) needs_value $# "$1" && junit=$2 && shift ;;
    --handout) needs_value $# "$1" && mode=handout name=$2 && shift ;;
    --grade)
        mode=grade
        while [ $# -ge 2 ] && [[ $2 != -* ]]; do folders+=("$2") && shift; done
        [ ${#folders[@]} -gt 0 ] || wrong_usage "--grade: the folder of at least one submission is needed"
        ;;
    --help)
        usage
        exit 0
        ;;
    -*) wrong_usage "$1: unknown option" ;;
    *)
        [ -z "$step" ] || wrong_usage "$1: one step or exercise at a time"
        step=$1
        ;;
    esac
    shift
done

# A relative path is the caller's; run_all.sh has gone to the workbook's folder since.
from_caller() {
    case $1 in '' | /*) echo "$1" ;; *) echo "${EXERCISES_CALLER:+$EXERCISES_CALLER/}$1" ;; esac
}
junit=$(from_caller "$junit")
[ "$mode" != handout ] || name=$(from_caller "$name")
for index in "${!folders[@]}"; do folders[index]=$(from_caller "${folders[index]}"); done

# selected: the exercises that STEP names.
selected() {
    list_all | awk -v step="$step" 'step == "" || $1 == step || index($1, step "_") == 1 || $2 == step ||
        substr($1, 4) == step || index(substr($1, 4), step "_") == 1 {print}'
}
if [ -n "$step" ] && [ "$mode" != new ]; then
    step=${step%/} && step=${step##*/}
    [ -n "$(selected)" ] || step=$(resolve "$step") || exit 2
fi
if [ -n "$junit" ]; then
    if [ ! -w "$(dirname "$junit")/" ] || [ -d "$junit" ]; then
        wrong_usage "--junit $junit: cannot write there"
    fi
fi

# ---- what needs no checking ----

out=${EXERCISES_OUT:-$root/out/exercises}

hint() {
    local hints count seen
    hints=$(home_of "$1")/hints.md
    [ -f "$hints" ] || { echo "there is no hint for $1" >&2; exit 2; }
    count=$(($(grep -c '^---$' "$hints") + 1))
    mkdir -p "$out/hints" || exit 2
    seen=$(cat "$out/hints/$1" 2>/dev/null)
    seen=$((${seen:-0} % count + 1))
    echo "$1, hint $seen of $count:"
    awk -v wanted="$seen" 'BEGIN {n = 1} /^---$/ {n++; next} n == wanted {print "  " $0}' "$hints"
    [ $seen -eq "$count" ] || echo "(the same command again gives the next hint)"
    echo $seen >"$out/hints/$1"
}

reset() {
    local file task
    file=$(file_of "$1") task=$(task_of "$1")
    if [ -f "$file" ] && ! cmp -s "$file" "$task"; then
        cp "$file" "$file.old"
        echo "yours is kept as $(shown "$file").old"
    fi
    cp "$task" "$file" && echo "$(shown "$file") is as it was at first"
}

# The folder of a new exercise, with what is to be filled in.
new_exercise() {
    local where=$1 name=$2 folder
    [[ $name =~ ^[a-z][a-z0-9_]*$ ]] || wrong_usage "--new: $name: a name is made of a-z, 0-9 and _"
    for folder in "$root/steps/${where%%_*}"_*; do [ ! -L "$folder" ] && [ -d "$folder" ] && break; done
    [ -d "$folder" ] || wrong_usage "--new: there is no step $where"
    folder=$folder/exercises/$name
    [ ! -e "$folder" ] || wrong_usage "--new: $(shown "$folder") is there already"
    mkdir -p "$folder/wrong" && sed "s/NAME/$name/g" "$home/task.template" >"$folder/task.cu" || exit 2
    sed '1,/^\/\/ goal: verified/d' "$folder/task.cu" >"$folder/solution.cu"
    printf 'TODO: a gentle hint.\n---\nTODO: a plainer one.\n' >"$folder/hints.md"
    printf 'TODO: two to five sentences on why it works.\n\nTry: TODO: one thing to try.\n' >"$folder/explanation.md"
    echo 'TODO: a regular expression of what is said of the untouched task' >"$folder/wrong/untouched"
    { echo '// refused: TODO: a regular expression of what the learner is told' && cat "$folder/solution.cu"; } \
        >"$folder/wrong/todo.cu"
    echo "$(shown "$folder"): fill in what says TODO; shared/exercises/README.md describes the files"
}

# The files of the workbook, each ended by a zero byte: those that git tracks, where this is a
# checkout; else all but what is made here.
workbook_files() {
    # git refuses to look into another user's folder, unless told that this is meant.
    if git -c safe.directory='*' -C "$root" ls-files --error-unmatch run_all.sh >/dev/null 2>&1; then
        git -c safe.directory='*' -C "$root" ls-files -z
    else
        echo "this is no git checkout: everything is handed out that is not made here" >&2
        (cd "$root" && find . -path ./out -prune -o -path ./build -prune -o -path ./.git -prune -o \
            ! -type d ! -name '*.cpu' ! -name '*.o' ! -name answer.cu ! -name answer.cu.old -print0)
    fi
}

# The workbook without solutions, and without what only its makers need.
handout() {
    local to=$1 file
    [ ! -e "$to" ] || [ -z "$(ls -A "$to" 2>/dev/null)" ] || wrong_usage "--handout $to: is not empty"
    mkdir -p "$to" || wrong_usage "--handout $to: cannot write there"
    to=$(cd "$to" && pwd)
    workbook_files >"$to/.files" || exit 1
    (cd "$root" && grep -zvE '^(\./)?(steps/[^/]*/exercises/[^/]*/(solution\.cu$|wrong/|right/)|shared/tests/exercises/)' \
        "$to/.files" |
        while IFS= read -r -d '' file; do
            if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
        done | tar -cf - --null --no-recursion -T -) | tar -xf - -C "$to" || exit 1
    rm "$to/.files"
    echo "the workbook without solutions is in $to; students start with: ./run_all.sh --exercises"
}

case $mode in
hint) name=$(resolve "$name") && hint "$name"; exit ;;
reset) name=$(resolve "$name") && reset "$name"; exit ;;
handout) handout "$name"; exit ;;
new) new_exercise "$step" "$name"; exit ;;
esac

# ---- checking ----

# What all checks share, built once for each state of the checker.
find_tools() {
    local state
    state=$({ cat "$home"/*.* "$home"/allowed_calls "$root"/shared/harness/*.h && find \
        "$root/shared/cpucc" "$root"/shared/layout/*.[ch] "$root"/shared/traffic/*.[ch] -type f \
        -exec cat {} +; } | cksum | tr ' ' '-')
    TOOLS=$out/tools-$state
    export TOOLS
}
have_tools() { [ -f "$TOOLS/judge.o" ] && [ -x "$TOOLS/limit" ]; }
build_tools() {
    mkdir -p "$out" || exit 2
    exec 8>"$out/tools.lock" || exit 2
    flock 8
    ! have_tools || return 0 # another run has just built them
    rm -rf "$out"/tools-* "$out"/verdicts
    mkdir -p "$TOOLS"
    echo "preparing the checker ..." >&2
    ${CC:-cc} -std=c11 -O1 "$home/limit.c" -o "$TOOLS/limit" &&
        ${CC:-cc} -std=c11 -O1 "$root"/shared/layout/*.c "$root"/shared/traffic/*.c -o "$TOOLS/layout" &&
        "$root/shared/cpucc/cpucc" -c -I"$root/shared" "$home/judge.cu" -o "$TOOLS/judge.part" &&
        grep -rohE '[A-Za-z_][A-Za-z0-9_]*' "$root/shared/cpucc/include" | LC_ALL=C sort -u >"$TOOLS/device_names" &&
        mv "$TOOLS/judge.part" "$TOOLS/judge.o" && return
    echo "the checker cannot be built: it needs a C compiler, clang and binutils (./run_all.sh --install)" >&2
    exit 2
}

has_gpu() { command -v nvcc >/dev/null 2>&1 && nvidia-smi -L 2>/dev/null | grep -q GPU; }

# On a GPU, what passed is verified there too, and measured; only a wrong result counts.
check_on_gpu() {
    local file=$2 verdict=$3 program
    ! grep -q '^// operation: layout' "$(task_of "$1")" || return
    program=$(mktemp -d) || return
    exec 9>"$out/gpu.lock" && flock 9 # one at a time, or none is measured rightly
    if nvcc -O3 -std=c++17 -arch=native -I"$root/shared" "$file" -o "$program/x" >"$program/said" 2>&1 &&
        timeout 120 "$program/x" >"$program/said" 2>&1; then
        echo "on the GPU: $(tail -n 1 "$program/said")" >>"$verdict"
    else
        { printf 'unsolved\tgpu\n' && echo "right on the CPU, but on the GPU:" && head -n 5 "$program/said"; } >"$verdict"
    fi
    exec 9>&-
    rm -rf "$program"
}

# check NAME FILE VERDICT: a verdict about the same file by the same checker is not worked out again.
check() {
    local key kept
    key=$(cat "$(task_of "$1")" "$2" 2>/dev/null | cksum | tr ' ' '-')
    kept=$out/verdicts/$1-$key
    if [ "$KEEP" = yes ] && [ -f "$kept" ]; then
        cp "$kept" "$3"
        return
    fi
    rm -f "$3"
    "$home/check_one.sh" "$(home_of "$1")" "$2" "$3" || printf 'unsolved\tchecker\nthe checker failed\n' >"$3"
    [ "$GPU" = no ] || ! grep -q '^solved' "$3" || check_on_gpu "$1" "$2" "$3"
    # What a busy machine may have caused is not kept.
    if [ "$KEEP" = yes ] && ! head -n 1 "$3" | grep -qE '	(checker|time|compile_time|gpu)$'; then
        cp "$3" "$kept.part" && mv "$kept.part" "$kept"
    fi
}

# Every check runs in a process group of its own, so that a signal ends it at once with all that it
# has started. `groups` holds those that may be running.
groups=()

end_groups() {
    local group
    trap '' INT TERM HUP
    for group in "${groups[@]}"; do kill -TERM -- "-$group" 2>/dev/null; done
    for group in "${groups[@]}"; do
        for ((i = 0; i < 20; i++)); do
            kill -0 -- "-$group" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL -- "-$group" 2>/dev/null
    done
}
interrupted() {
    exec 2>/dev/null # the shell's word on each process that it ends
    end_groups
    exit "$1"
}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch
trap 'interrupted 130' INT
trap 'interrupted 143' TERM
trap 'interrupted 129' HUP

# start COMMAND...: in the background, as a group. wait_for_one: until one of them has ended.
start() {
    set -m
    # Ended by a signal, it stays until what it has started has ended too.
    (trap 'exit 143' INT TERM HUP && "$@") </dev/null &
    groups+=($!)
    set +m
}
wait_for_one() {
    wait -n 2>/dev/null
    local group running=()
    for group in "${groups[@]}"; do
        ! kill -0 -- "-$group" 2>/dev/null || running+=("$group")
    done
    groups=("${running[@]}")
}
# alone COMMAND...: its exit status, with signals heeded while it runs.
alone() {
    local status
    start "$@"
    wait "${groups[-1]}"
    status=$?
    groups=()
    return $status
}

# check_list JOBS: reads NAME, FILE and VERDICT, each ended by a zero byte, checks several at a time.
check_list() {
    local name file verdict number=0
    while IFS= read -r -d '' name && IFS= read -r -d '' file && IFS= read -r -d '' verdict; do
        number=$((number + 1))
        [ ! -t 2 ] || printf '\rchecking %d: %-24s' $number "$name" >&2
        start check "$name" "$file" "$verdict"
        while [ ${#groups[@]} -ge "$1" ]; do wait_for_one; done
    done
    wait
    groups=()
    [ ! -t 2 ] || printf '\r%40s\r' '' >&2
}

find_tools
have_tools || alone build_tools || exit 2
GPU=no
! has_gpu || GPU=yes
KEEP=yes
jobs=${EXERCISES_JOBS:-$(nproc 2>/dev/null || echo 2)}
mkdir -p "$out/verdicts" "$out/now" || exit 2

# ---- the learner's view ----

bar() { # bar DONE ALL
    local width=32 full i
    full=$((width * $1 / ($2 > 0 ? $2 : 1)))
    for ((i = 0; i < width; i++)); do [ $i -lt $full ] && printf '#' || printf '.'; done
}

is_solved() { head -n 1 "$out/now/$1" 2>/dev/null | grep -q '^solved'; }

show_list() {
    local where name last='' solved=0 count=0 next=''
    while read -r where name; do
        [ "$where" = "$last" ] || printf '\n%s\n' "$where"
        last=$where
        count=$((count + 1))
        if is_solved "$name"; then
            solved=$((solved + 1))
            printf '  solved    %-22s %s\n' "$name" "$(sed -n 's/^on the GPU: //p' "$out/now/$name")" | sed 's/ *$//'
        else
            printf '  %-8s  %-22s %s\n' "$([ -n "$next" ] && echo '-' || echo 'next ->')" "$name" "$(title_of "$name")"
            [ -n "$next" ] || next=$name
        fi
    done < <(selected)
    printf '\n[%s] %d of %d solved\n' "$(bar $solved $count)" $solved $count
    [ -z "$next" ] || show_next "$next"
}

show_next() {
    local file
    file=$(file_of "$1")
    printf '\nnext: %s: %s\n' "$1" "$(title_of "$1")"
    printf '  edit   %s\n' "$(shown "$file")"
    sed 1d "$out/now/$1" | awk 'NR == 1 {print "  now    " $0; next} {print "         " $0}'
    printf '  check  ./run_all.sh --exercises %s\n  hint   ./run_all.sh --exercises --hint %s\n' "$1" "$1"
}

xml() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g' | LC_ALL=C tr -cd '\11\12\40-\176'; }

write_junit() {
    local where name count failures
    count=$(selected | wc -l)
    failures=$(selected | while read -r where name; do is_solved "$name" || echo; done | wc -l)
    {
        printf '<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="exercises" tests="%d" failures="%d">\n' "$count" "$failures"
        selected | while read -r where name; do
            if is_solved "$name"; then
                printf '  <testcase classname="%s" name="%s"/>\n' "$where" "$name"
            else
                printf '  <testcase classname="%s" name="%s">\n    <failure type="%s" message="%s"/>\n  </testcase>\n' \
                    "$where" "$name" "$(sed -n '1s/.*\t//p' "$out/now/$name")" "$(sed 1d "$out/now/$name" | xml | tr '\n' ' ')"
            fi
        done
        echo '</testsuite>'
    } >"$1.part" && mv "$1.part" "$1" || exit 2
}

# What is untouched needs no check in a list, but for the next one, of which more is said.
check_selected() {
    local where name began=no
    while read -r where name; do begin "$name"; done < <(selected)
    check_list "$jobs" < <(while read -r where name; do
        if [ $began = yes ] && cmp -s "$(file_of "$name")" "$(task_of "$name")"; then
            printf 'unsolved\tuntouched\nit is as it was at first\n' >"$out/now/$name"
            continue
        fi
        ! cmp -s "$(file_of "$name")" "$(task_of "$name")" || began=yes
        printf '%s\0%s\0%s\0' "$name" "$(file_of "$name")" "$out/now/$name"
    done < <(selected))
}

# Into `next` the first that is not solved, checking no more than needed; empty if all are.
find_next() {
    local where name
    next=
    while read -r where name; do
        begin "$name"
        alone check "$name" "$(file_of "$name")" "$out/now/$name"
        is_solved "$name" || { next=$name && return; }
    done < <(selected)
}

all_solved() {
    local count
    count=$(selected | wc -l)
    echo "all $count solved$([ -n "$step" ] || echo ': the whole workbook. Well done')."
}

watch() {
    local name before now file
    while find_next && [ -n "$next" ]; do
        name=$next
        file=$(file_of "$name")
        before=$(cksum <"$file" 2>/dev/null)
        show_next "$name"
        echo "  (watching the file; Ctrl-C ends this)"
        while now=$(cksum <"$file" 2>/dev/null) && [ "$now" = "$before" ]; do sleep 0.5; done
        sleep 0.1
        alone check "$name" "$file" "$out/now/$name"
        ! is_solved "$name" || printf '\n%s is solved.\n' "$name"
    done
    all_solved
}

# ---- the instructor's view ----

# A submission is a workbook, or a folder of exercise files.
submitted() {
    local file
    for file in "$1/steps/$(step_of "$2")/exercises/$2/answer.cu" "$1/exercises/$2/answer.cu" \
        "$1/$2/answer.cu" "$1/$2.cu"; do
        [ -f "$file" ] && [ ! -L "$file" ] && break
    done
    echo "$file"
}

grade() {
    local folder where name results=$out/grades.tsv total index=0
    for folder in "${folders[@]}"; do
        [ -d "$folder" ] || wrong_usage "--grade $folder: is no folder"
    done
    KEEP=no GPU=no
    total=$(list_all | wc -l)
    printf 'submission\tstep\texercise\tstatus\treason\tsaid\n' >"$scratch/grades"
    printf '%-24s' submission
    list_all | awk '{print $1}' | uniq | while read -r where; do printf ' %6s' "${where%%_*}"; done
    printf ' %8s\n' solved
    for folder in "${folders[@]}"; do
        index=$((index + 1))
        mkdir "$scratch/$index"
        check_list "$jobs" < <(while read -r where name; do
            printf '%s\0%s\0%s\0' "$name" "$(submitted "$folder" "$name")" "$scratch/$index/$name"
        done < <(list_all))
        while read -r where name; do
            printf '%s\t%s\t%s\t%s\t%s\n' "${folder%/}" "$where" "$name" "$(sed -n 1p "$scratch/$index/$name")" \
                "$(sed 1d "$scratch/$index/$name" | tr '\t\n' '  ')"
        done < <(list_all) >"$scratch/rows"
        cat "$scratch/rows" >>"$scratch/grades"
        awk -F '\t' -v folder="${folder%/}" -v total="$total" '
            !($2 in all) {step[++n] = $2}
            {all[$2]++; if ($4 == "solved") {good[$2]++; sum++}}
            END {
                printf "%-24s", folder
                for (i = 1; i <= n; i++) printf " %6s", good[step[i]] + 0 "/" all[step[i]]
                printf " %8s\n", sum + 0 "/" total
            }' "$scratch/rows"
    done
    mv "$scratch/grades" "$results"
    echo "details: $(shown "$results")"
}

case $mode in
grade)
    grade
    exit 0
    ;;
watch)
    watch
    exit 0
    ;;
next)
    find_next
    if [ -n "$next" ]; then show_next "$next"; else all_solved; fi
    [ -z "$junit" ] || { check_selected && write_junit "$junit"; }
    [ -z "$next" ]
    exit $(($? != 0))
    ;;
list)
    check_selected
    show_list
    [ -z "$junit" ] || write_junit "$junit"
    selected | { while read -r where name; do is_solved "$name" || exit 1; done; }
    exit $(($? != 0))
    ;;
esac
