#!/bin/sh
# Takes the hardware's counts of a program of probes, such as shared/cpucc/tests/counting.cu, with
# Nsight Compute: probes.sh PROBES.cu COUNTS.tsv [LAUNCHES]; probes.py says more.
exec python3 "$(dirname "$0")/probes.py" "$@"
