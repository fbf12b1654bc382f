#!/bin/bash
# Tests the HTML report of a run (CPUCC_REPORT=html) in a browser: its numbers equal the counts file of
# the same run, and its pictures show as many sectors, wavefronts and bytes as were counted.
# usage: page.sh PROGRAM   a step's program; 320 x 320, so that all blocks are full
. "$(dirname "$0")/page_checks.sh"
program=$1
headline=$("$program" --list | head -n 1)
"$program" --tsv "$work/all.tsv" >"$work/null" && # the file names the headline
    named=$(sed -n 's/^# headline [^:]*: \([^ ]*\).*/\1/p' "$work/all.tsv") && [ -n "$named" ] && headline=$named

export CPUCC_REPORT_FILE=$work/page.html
CPUCC_REPORT=html expect 0 "$program" --size 320 --variant "$headline" --tsv "$work/counts.tsv"
check "the page is under 1 MB" test "$(stat -c %s "$work/page.html")" -lt 1000000
CPUCC_REPORT=lines CPUCC_REPORT_FILE=$work/lines.tsv expect 0 "$program" --size 320 --variant "$headline"
CPUCC_REPORT=tsv CPUCC_REPORT_FILE=$work/launches.tsv expect 0 "$program" --size 320 --variant "$headline"
CPUCC_REPORT=table CPUCC_REPORT_FILE=$work/table expect 0 "$program" --size 320 --variant "$headline"
sed -n '/<noscript>/,/<\/noscript>/p' "$work/page.html" | sed 's/.*<pre>//; /<\/pre>/d; s/&#60;/</g; s/&#62;/>/g; s/&#38;/\&/g' |
    sed 's/0x[0-9a-f]*//' >"$work/noscript"
check 'without a script: the table' cmp -s "$work/noscript" <(sed 's/0x[0-9a-f]*//' "$work/table")
need_browser

dump "$work/page.html" 'all=1&play=1000000' >"$work/dom"
check 'no message on the console' no_messages

check 'figures' "$shared/cpucc/tests/page_figures.py" "$work/dom" "$work/counts.tsv" "$work/lines.tsv" "$work/launches.tsv"
finish
