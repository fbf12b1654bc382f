#!/bin/bash
# A size or a memory limit with which no program can run: said beforehand in one line, and the old
# results stay. usage: nothing_ran.sh
. "$(dirname "$0")/workbook.sh"
make_workbook "$work/book"
compile_once "$work/book"
out=$work/book/out
expect 0 run_fake
before=$(cat "$out/counts.tsv")
as_before() { check "$1: the counts changed" [ "$(cat "$out/counts.tsv")" = "$before" ]; }

expect 3 run_fake FAKE_STATUS=3
as_before 'every program ends with 3'
expect 3 "$work/book/run_all.sh" --size 300000
as_before '--size 300000'
check '--size 300000: one line' [ "$(wc -l <"$work/err")" -eq 1 ]
says '720\.000 GB, but only [0-9.]* GB can be used'
check '--size 300000: a program was started' not grep -q '^==' "$work/out"
expect 3 env CPUCC_MEMORY=100000000 "$work/book/run_all.sh" --size 4096
says 'only 0\.100 GB can be used'
limited() { (ulimit -v 300000 && run_fake "$@"); }
expect 3 limited
as_before 'with 300 MB of address space'

# What this machine has, not what the device would have.
memory=$(awk '/^MemTotal/ {print int(sqrt($2 * 1024 / 8))}' /proc/meminfo)
expect 3 "$work/book/run_all.sh" --size "$memory"
as_before '--size with which one byte for each byte would do'
finish
