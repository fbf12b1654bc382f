#!/bin/bash
# How often cpucc's counts are the hardware's, on kernels that were not written for it.
#
# usage: foreign.sh RECORD.tsv            prints the share that is equal, and each exception with its reason
#        foreign.sh RECORD.tsv --write   writes the shares into the README of cpucc
#        foreign.sh RECORD.tsv RUN.tsv... takes cpucc's counts from these reports first, and prints
#                                         the record with them
#
# RECORD.tsv (plots/results/h200/foreign_counts.tsv) has a row for each launch and counter that is not
# zero: run, repository, commit, file, arguments, kernel, launch (of that kernel), grid, block, counter,
# requests and work of the hardware, cpu_requests and cpu_work of cpucc, reason where they differ, may_differ: what cpucc's report says
# of it. RUN.tsv
# is what CPUCC_REPORT=tsv leaves of the run of that name. Exit status: 0; 1 a difference has no
# reason; 2 wrong usage.
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -eq 0 ] || [ ! -r "$1" ]; then
    echo "usage: foreign.sh RECORD.tsv [RUN.tsv...]" >&2
    exit 2
fi
record=$1
shift
share() { awk -f "$here/../../plots/tsv.awk" -f "$here/foreign_share.awk" "$record"; }
if [ "${1:-}" = --write ]; then
    readme=$here/../cpucc/README.md
    share | sed -n '1,2s,^,* ,p' >"$readme.shares"
    sed -i -e "/^<!-- counts -->\$/r $readme.shares" \
        -e '/^<!-- counts -->$/,/^<!-- end -->$/{/^<!--/!d}' "$readme"
    exec rm "$readme.shares"
fi
if [ $# -gt 0 ]; then
    sed '/^run\t/q' "$record" # the lines of provenance, and the header
    exec awk -v record="$record" -f "$here/../../plots/tsv.awk" -f "$here/foreign_join.awk" "$@" "$record"
fi
share
