#!/bin/bash
# A program that a lesson shows whole, without the harness, verifies its own result and ends with 0.
# usage: from_nothing.sh PROGRAM. Exit status: 0, 1 a failure, 3 no device.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
if nvidia-smi -L 2>/dev/null | grep -q GPU; then
    expect 0 "$1"
else
    skip "no CUDA device"
fi
finish
