#!/bin/sh
# Records the hardware's counts of a program of probes (small test kernels), such as
# shared/cpucc/tests/counting.cu: probes.sh PROBES.cu COUNTS.tsv [LAUNCHES]. See probes.py.
exec python3 "$(dirname "$0")/probes.py" "$@"
