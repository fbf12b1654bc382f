#!/bin/bash
# A test program under valgrind. usage: valgrind.sh PROGRAM
. "$(dirname "$0")/../../traffic/tests/checks.sh"
command -v valgrind >/dev/null || { skip "valgrind is not installed"; finish; }
expect 0 valgrind -q --error-exitcode=9 --leak-check=full "$1"
finish
