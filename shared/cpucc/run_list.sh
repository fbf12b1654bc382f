#!/bin/bash
# Runs programs with `cpucc run`, one after the other, for continuous integration.
#
#   run_list.sh DIR [option ...] file.cu [file.cu ...]
#
# Writes per program the JUnit report DIR/NAME.xml, where NAME is the program's path with _ for /, and
# prints a line. Options are cpucc's and apply to all programs. Exit status: 0; 1 a program failed; 2 a
# usage error.
unset CDPATH # or cd may go elsewhere
set -u
home=$(cd "$(dirname "$0")" && pwd)

[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
reports=$1
shift
mkdir -p "$reports" || exit 2
options=() files=() failed=0
while [ $# -gt 0 ]; do
    case $1 in
    -I | -D | -U | -include | -isystem | -std) options+=("$1" "${2:-}"); [ $# -eq 1 ] || shift ;;
    -*) options+=("$1") ;;
    *) files+=("$1") ;;
    esac
    shift
done
[ ${#files[@]} -gt 0 ] || { echo "run_list.sh: no source file" >&2; exit 2; }
for file in "${files[@]}"; do
    name=${file#./} name=${name%.*}
    CPUCC_REPORT=junit CPUCC_REPORT_FILE=$reports/${name//\//_}.xml \
        "$home/run.sh" ${options[@]+"${options[@]}"} "$file"
    status=$?
    if [ $status -eq 0 ]; then
        echo "passed: $file"
    else
        failed=1
        echo "failed: $file (status $status)"
    fi
done
exit $failed
