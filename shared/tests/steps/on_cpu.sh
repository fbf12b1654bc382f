#!/bin/bash
# The same checks where there is no nvcc: the command line of every step program, and the wrong
# kernels that the verifier must refuse, built by cpucc. usage: on_cpu.sh; exit status 0 or 1.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# counted COMMAND...: adds up the `N passed, N failed` that the command ends with.
counted() {
    local line
    "$@" >"$work/out" 2>&1
    grep -v ' passed, ' "$work/out"
    line=$(tail -1 "$work/out")
    case $line in
    *' passed, '*' failed'*)
        passed=$((passed + ${line%% passed*}))
        line=${line#*, }
        failed=$((failed + ${line%% failed*}))
        ;;
    *) failed=$((failed + 1)) ;;
    esac
}

for source in "$root"/steps/*/*.cu; do
    [ ! -L "$(dirname "$source")" ] || continue
    program=$work/$(basename "$source" .cu)
    if "$root/shared/cpucc/cpucc" -I"$root/shared" "$source" -o "$program"; then
        counted "$here/command_line.sh" "$program"
    else
        failed=$((failed + 1))
    fi
done
"$root/shared/cpucc/cpucc" -I"$root/shared" "$here/../harness/wrong.cu" -o "$work/wrong" &&
    counted sh "$here/../harness/wrong.sh" "$work/wrong"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
