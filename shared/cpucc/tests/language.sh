#!/bin/bash
# A program that checks itself, built by cpucc. usage: language.sh PROGRAM
. "$(dirname "$0")/../../traffic/tests/checks.sh"
CPUCC_REPORT=off expect 0 timeout 60 "$1"
finish
