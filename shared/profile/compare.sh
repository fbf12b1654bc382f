#!/bin/bash
# Compares two counts files: compare.sh PREDICTED.tsv MEASURED.tsv
#
# Prints the counters that are not zero, predicted and measured, and marks what differs. Counters
# that the hardware does not have (tma_*) are left out. Exit status: 0 equal; 1 not; 2 wrong usage.
set -u
[ $# -eq 2 ] || { echo "usage: compare.sh PREDICTED.tsv MEASURED.tsv" >&2; exit 2; }
exec awk -F'\t' '
    /^#/ || $1 == "step" || $5 ~ /^tma_/ { next }
    { key = $2 "\t" $3 "x" $4 "\t" $5 }
    FNR == NR { predicted[key] = $6 "\t" $7; next }
    FNR == 1 || !heading++ {
        printf "%-28s %-12s %-18s %23s %23s\n", "variant", "size", "counter",
            "predicted requests/work", "measured requests/work"
    }
    {
        rows++
        equal = predicted[key] == $6 "\t" $7
        different += !equal
        if ($6 + $7 == 0 && equal) next
        split(predicted[key], p, "\t")
        printf "%-28s %-12s %-18s %11s %11s %11s %11s%s\n", $2, $3 "x" $4, $5, p[1], p[2], $6, $7,
            equal ? "" : "  DIFFERENT"
    }
    END {
        printf "%d counts equal, %d different\n", 2 * (rows - different), 2 * different
        exit different > 0 || rows == 0
    }' "$1" "$2"
