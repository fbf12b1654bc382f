#!/bin/bash
# compute-sanitizer's four tools find nothing in a program, run with these arguments; without arguments in
# any variant of a step's program at ragged sizes.
# usage: sanitize.sh PROGRAM [ARGUMENT...]. Exit status: 0, 1 a finding, 3 no device or no compute-sanitizer.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
command -v compute-sanitizer >/dev/null || { skip "compute-sanitizer is not installed"; finish; }
nvidia-smi -L 2>/dev/null | grep -q GPU || { skip "no CUDA device"; finish; }

# NCCL's own calls have errors that it handles.
without=()
! "$1" --help 2>/dev/null | grep -q -e --nccl || without=(--nccl none)
program=("$@")
for tool in memcheck racecheck initcheck synccheck; do
    for size in 100x60 257x129 132x260; do
        [ $# -gt 1 ] || program=("$1" --rows "${size%x*}" --cols "${size#*x}" --verify-only "${without[@]}")
        expect 0 compute-sanitizer --tool $tool --error-exitcode 9 "${program[@]}"
        [ $# -eq 1 ] || break
    done
done
finish
