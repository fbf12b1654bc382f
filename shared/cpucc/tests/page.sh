#!/bin/bash
# The page of a run (CPUCC_REPORT=html) in a browser: every figure in it equals the counts file of the
# same run, and what is drawn has as many sectors, wavefronts and bytes as were counted.
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
sed -n '/<noscript>/,/<\/noscript>/p' "$work/page.html" | sed 's/.*<pre>//; /<\/pre>/d; s/&#60;/</g; s/&#62;/>/g' |
    sed 's/0x[0-9a-f]*//' >"$work/noscript"
check 'without a script: the table' cmp -s "$work/noscript" <(sed 's/0x[0-9a-f]*//' "$work/table")
need_browser

dump "$work/page.html" 'all=1&play=1000000' >"$work/dom"
check 'no message on the console' no_messages

# Totals of the page beside the counts file, which has a row for each counter, zeros included.
tags "$work/dom" td data-field | awk '{ print $1, $2, $3 }' | sort >"$work/page_totals"
awk -F '\t' '/^#/ { next } !header++ { next } $6 { print $5, "requests", $6; print $5, "work", $7;
    print $5, "ideal_work", $8 }' "$work/counts.tsv" | sort >"$work/run_totals"
check "totals: $(diff "$work/page_totals" "$work/run_totals" | head -4 | tr '\n' ' ')" \
    cmp -s "$work/page_totals" "$work/run_totals"
check 'there are totals' test -s "$work/page_totals"

# Every line and counter, beside the report per line.
chips "$work/dom" | sort >"$work/page_lines"
awk -F '\t' 'NR > 1 { print $2, $3, $4, $5, $6, $7 }' "$work/lines.tsv" | sort >"$work/run_lines"
check "lines: $(diff "$work/page_lines" "$work/run_lines" | head -4 | tr '\n' ' ')" \
    cmp -s "$work/page_lines" "$work/run_lines"

# What is drawn: in these kernels all requests of a line cost the same, so a drawn request's sectors,
# wavefronts or bytes times the number of requests are the line's work.
drawn "$work/dom" | sort >"$work/page_drawn"
awk -F '\t' 'NR > 1 { print $3, $4, $6 / $5 }' "$work/lines.tsv" | sort >"$work/run_drawn"
check "drawn: $(diff "$work/page_drawn" "$work/run_drawn" | head -4 | tr '\n' ' ')" \
    cmp -s "$work/page_drawn" "$work/run_drawn"

# In these kernels one bank is the busiest in each group of lanes, so its pile has all wavefronts.
piles "$work/dom" >"$work/piles"
check "piles: $(tr '\n' ';' <"$work/piles")" awk '$2 + 0 != $3 + 0 { exit 1 }' "$work/piles"

# The player at its end: the block's sums times the number of blocks, which all do the same here; in
# some kernels the last one finds nothing left to do.
blocks=$(awk -F '\t' 'NR == 2 { split($3, g, ","); print g[1] * g[2] * g[3] }' "$work/launches.tsv")
for n in "$blocks" $((blocks - 1)); do
    player "$work/dom" | awk -v n="$n" '{ print $1, "requests", $2 * n
        print $1, "work", $3 * n; print $1, "ideal_work", $4 * n }' | sort >"$work/page_player"
    ! cmp -s "$work/page_player" "$work/run_totals" || break
done
check "player: $(diff "$work/page_player" "$work/run_totals" | head -4 | tr '\n' ' ')" \
    cmp -s "$work/page_player" "$work/run_totals"
finish
