#!/bin/bash
# A broken kernel is found out: it ends with status 1, and what its comments declare (see
# broken/broken.h) is reported at that line, by the word of its kind in kinds.h.
# usage: broken.sh FILE.cu PROGRAM, which runs the file named NAME.cu if its argument is NAME
. "$(dirname "$0")/../../traffic/tests/checks.sh"
source=$1
name=$(basename "$source" .cu)
export CPUCC_REPORT=off CPUCC_FAULTS_FILE=$work/faults

# found LEVEL KIND LINE: the run has reported that there.
found() {
    awk -F '\t' -v level="$1" -v kind="$2" -v place="$3" -v file="${source##*/}" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { sub(/.*\//, "", $at["file"]) }
        $at["level"] $at["kind"] == level kind && $at["file"] == file && $at["line"] == place {
            ok = 1
        }
        END { exit !ok }' "$work/faults"
}

expect 1 timeout 60 "$2" "$name"
mark=$(grep -nE '(FAULT|REMARK): ' "$source")
if [ -n "$mark" ]; then
    line=${mark%%:*}
    ! grep -q '^[0-9]*: *\/\*' <<<"$mark" || line=$((line + 1)) # a line of its own is about the next
    level=fault
    [[ $mark != *REMARK:* ]] || level=remark
    kind=$(sed 's/.*\(FAULT\|REMARK\): \(.*\) \*\/.*/\2/' <<<"$mark")
    check "$kind is no kind of kinds.h" grep -q "\"$kind\"" "$root/shared/cpucc/kinds.h"
    check "no $level of kind $kind at line $line" found "$level" "$kind" "$line"
    [ $failed -eq 0 ] || cat "$work/faults"
elif grep -q VERIFY "$source"; then
    says '^wrong: '
    check 'a fault is reported, where only the result is wrong' not grep -q '^fault' "$work/faults"
elif grep -q REFUSED "$source"; then
    says 'refuses this map'
else
    fail "$name.cu declares nothing"
fi
finish
