#!/bin/bash
# Runs a program that was built by cpucc and checks itself. usage: language.sh PROGRAM
. "$(dirname "$0")/../../traffic/tests/checks.sh"
CPUCC_REPORT=off expect 0 timeout 60 "$1"
finish
