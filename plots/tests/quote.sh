#!/bin/bash
# plots/quote.sh updates numbers and tables that pages quote. usage: quote.sh
. "$(dirname "$0")/plots.sh"

results=$work/results
mkdir -p "$results/one" "$results/two"
echo one >"$results/shown"
columns='step\tvariant\trows\tcols\tstatus\ttime_ms\tiqr_ms\tgb_per_s\tpercent_of_copy\tpercent_of_peak\n'
# bandwidth GPU A B: prints a bandwidth file with variants a and c at A and B percent, b skipped, and two ceilings.
bandwidth() {
    printf '# gpu: NVIDIA %s\n%b' "$1" "$columns"
    printf '02_smem\ta\t8\t8\tok\t2.5\t0\t200\t%s\t1\n02_smem\tb\t8\t8\tskipped\tnan\tnan\tnan\tnan\tnan\n' "$2"
    printf '03_next\tc\t8\t8\tok\t5\t0\t100\t%s\t1\n' "$3"
    for speed in 400 410; do printf '03_next\tceiling\t8\t8\tok\t1\t0\t%s\t100\t1\n' "$speed"; done
}
bandwidth One 50 25 >"$results/one/bandwidth.tsv"
bandwidth Two 80 20 >"$results/two/bandwidth.tsv"
{ printf '%b' "$columns"; printf '02_smem\ta\t4\t4\tok\t1\t0\t7\t11\t1\n'; } >"$results/one/sizes.tsv"
{ printf '%b' "${columns%\\n}\telement_bytes\tbatches\tpercent_of_memcpy\n"
    printf '08_x\tt\t4\t6\tok\t1\t0\t7\t11\t1\t2\t1\t91\n08_x\tt\t4\t6\tok\t1\t0\t7\t11\t1\t2\t5\t92\n'; } >"$results/one/shapes.tsv"
printf 'step\tvariant\trows\tcols\tcounter\trequests\twork\tideal_work\n02_smem\ta\t1024\t1024\tshared_load\t4\t128\tnan\n' \
    >"$results/one/counts.tsv"
printf 'step\tvariant\trows\tcols\tdram__bytes_read.sum\n02_smem\ta\t8\t8\t4295000000\n' >"$results/one/dram.tsv"
printf 'contender\trows\tcols\tdram__cycles_%s.avg\tdram__cycles_%s.avg\tdram__cycles_%s.avg\nh\t8\t8\t9000\t4000\t3000\nn\t8\t8\t9\t9\tnan\n' \
    elapsed active_read active_write >"$results/one/halves_counts.tsv"
printf 'contender\trows\tcols\ttime_ms\tiqr_ms\tgb_per_s\nh\t32768\t32768\t4\t0.5\t1\nh\t8\t8\t3\t0.25\t1\n' >"$results/one/halves.tsv"

{ printf '%b' "${columns%\\n}\tgpus\n"
    printf '09_m\tg\t%s\t%s\tok\t1\t0\t%s\t%s\t1\t%s\n' 8 8 300 90 2  4 4 200 80 2  8 8 310 91 4; } >"$results/one/many.tsv"

# quoted TEXT: prints what quote.sh makes of a page with this line.
quoted() {
    printf '%s\n' "$1" >"$work/page"
    "$plots/quote.sh" "$work/page" --results "$results" --pairs "$work/pairs" 2>"$work/err"
}
becomes() { check "$1" [ "$(quoted "$1")" = "$2" ]; }
becomes '9.9<!--a--> %' '50.0<!--a--> %'
becomes '9<!--a@two--> and 9.99<!--c@two-->.' '80<!--a@two--> and 20.00<!--c@two-->.'
becomes '9.9<!--a / c-->' '2.0<!--a / c-->'
check 'the pair is told' [ "$(sort "$work/pairs")" = "1 a
1 c" ]
becomes '9<!--g#2g--> 9<!--g:gbs#2g_4--> 9<!--g@one#4g-->' '90<!--g#2g--> 200<!--g:gbs#2g_4--> 91<!--g@one#4g-->'
becomes '9<!--( a - c ) * 2 + 1-->' '51<!--( a - c ) * 2 + 1-->'
becomes 'by 9.9<!--c - a-->' 'by -25.0<!--c - a-->'
becomes 'by -25.0<!--c - a-->' 'by -25.0<!--c - a-->'
becomes 'by ---7.0<!--a - c--> (-3<!--a - a-->)' 'by 25.0<!--a - c--> (0<!--a - a-->)'
becomes '0.0<!--( c - a ) / 10000-->' '0.0<!--( c - a ) / 10000-->'
becomes '9.99<!--a:ms--> 9<!--c:gbs--> 9<!--a#4-->' '2.50<!--a:ms--> 100<!--c:gbs--> 11<!--a#4-->'
becomes '9<!--t:memcpy#2B_4x6--> 9<!--t:memcpy#2B_5x4x6-->' '91<!--t:memcpy#2B_4x6--> 92<!--t:memcpy#2B_5x4x6-->'
becomes '9<!--ceiling:gbs-->' '405<!--ceiling:gbs-->'
becomes '9<!--a:shared_load.per--> 9.999<!--a:dram_read-->' '32<!--a:shared_load.per--> 4.295<!--a:dram_read-->'
becomes '1<!--h:half_ms--> 9.99<!--h:half_iqr#8-->' '4<!--h:half_ms--> 0.25<!--h:half_iqr#8-->'
becomes '1<!--h:half_cycles--> 1<!--h:half_idle-->' '9<!--h:half_cycles--> 2<!--h:half_idle-->'
becomes '7<!--said: a-->' '7<!--said: a-->'
becomes '5 <!--a--> stays' '5 <!--a--> stays'
for bad in '7<!--b-->' '7<!--nobody-->' '7<!--a@three-->' '7<!--a#5-->' '7<!--n:half_idle-->' '7<!--a + -->' '7<!--a / 0-->' '7<!--( a-->' '7<!--a c-->'; do
    becomes "$bad" "$bad"
    check "said of $bad" grep -q '^.*page:1: ' "$work/err"
    check "status of $bad" not "$plots/quote.sh" "$work/page" --results "$results" >/dev/null 2>&1
done
cat >"$work/page" <<'END'
```text
9<!--a-->
```
<!-- rows a c: begin (plots/record.sh writes this) -->
old
<!-- rows: end -->
END
expect 0 "$plots/quote.sh" "$work/page" --results "$results"
says '^9<!--a-->$'
says '^| variant | step | One, GB/s | % of copy | Two, GB/s | % of copy |$'
says '^| `a` | 02 | 200 | 50.0 | 200 | 80.0 |$'
check 'what stood there is gone' not grep -q old "$work/out"
expect 2 "$plots/quote.sh"
expect 2 "$plots/quote.sh" "$work/none"
finish
