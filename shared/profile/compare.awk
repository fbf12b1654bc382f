# Two counts files, predicted and measured, for compare.sh. Load tsv.awk first.
FNR == 1 { file++ }
/^#/ || $at["counter"] ~ /^tma_/ { next }
{
    size = $at["rows"] "x" $at["cols"]
    if ("element_bytes" in at) size = size "x" $at["element_bytes"] "B" ($at["batches"] == 1 ? "" : "x" $at["batches"])
    key = $at["step"] SUBSEP $at["variant"] SUBSEP size SUBSEP $at["counter"]
}
file == 1 { requests[key] = $at["requests"]; work[key] = $at["work"]; next }
!heading++ {
    printf "%-28s %-12s %-18s %23s %23s\n", "variant", "size", "counter",
        "predicted requests/work", "measured requests/work"
}
{
    rows++
    equal = key in requests && requests[key] == $at["requests"] && work[key] == $at["work"]
    different += !equal
    if ($at["requests"] + $at["work"] == 0 && equal) next
    printf "%-28s %-12s %-18s %11s %11s %11s %11s%s\n", $at["variant"], size, $at["counter"], \
        requests[key], work[key], $at["requests"], $at["work"], equal ? "" : "  DIFFERENT"
}
END {
    printf "%d counts equal, %d different\n", 2 * (rows - different), 2 * different
    exit different > 0 || rows == 0
}
