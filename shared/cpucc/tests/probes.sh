#!/bin/bash
# The access patterns of counting.cu, launch by launch, against the recorded counts of each GPU.
# usage: probes.sh PROGRAM, which is counting.cu built by cpucc
. "$(dirname "$0")/../../traffic/tests/checks.sh"
export CPUCC_REPORT=tsv CPUCC_REPORT_FILE=$work/probes.tsv
expect 0 "$1"
mv "$work/out" "$work/probes.list"
for recorded in "$root"/shared/traffic/tests/probes_*.tsv; do
    expect 0 "$(dirname "$0")/probes.py" "$recorded" "$work/probes.list" "$work/probes.tsv"
    tail -n 1 "$work/out"
done
finish
