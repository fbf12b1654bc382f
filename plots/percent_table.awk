# Several shapes, in percent of the copy ceiling. Variables: variants (the rows). Load common.awk
# first. Exit status 1 if the file has no figure of any of them.
BEGIN {
    FS = "\t"
    rows = split(variants, name, " ")
    for (i = 1; i <= rows; i++) wanted[name[i]] = 1
}

/^#/ {
    colon = index($0, ": ")
    head[substr($0, 3, colon - 3)] = substr($0, colon + 2)
    next
}

$1 == "step" { next }

$2 == "ceiling" && known($8) { ceilings[$3, $4] = ceilings[$3, $4] " " $8 }

$2 in wanted {
    if (!(($3, $4) in seen)) {
        seen[$3, $4] = 1
        key = $3 * $4
        for (j = ++shapes; j > 1 && (key < area[j - 1] || key == area[j - 1] && $3 + 0 < down[j - 1] + 0); j--) {
            area[j] = area[j - 1]; down[j] = down[j - 1]; across[j] = across[j - 1]
        }
        area[j] = key; down[j] = $3; across[j] = $4
    }
    text[$2, $3, $4] = $5 == "ok" ? sprintf("%.1f", $9) : $5
    if ($5 == "ok" && sprintf("%.1f", $9) + 0 > best[$3, $4] + 0) best[$3, $4] = sprintf("%.1f", $9)
}

END {
    if (!shapes) exit 1
    line = "| % of copy |"
    rule = "| --- |"
    last = "| copy ceiling, GB/s |"
    for (s = 1; s <= shapes; s++) {
        line = line " " down[s] " x " across[s] " |"
        rule = rule " ---: |"
        count = split(ceilings[down[s], across[s]], list, " ")
        last = last " " (count ? sprintf("%.0f", median(list, count)) : "-") " |"
    }
    print line
    print rule
    for (i = 1; i <= rows; i++) {
        line = "| `" name[i] "` |"
        for (s = 1; s <= shapes; s++) {
            cell = text[name[i], down[s], across[s]]
            if (cell == "") cell = "-"
            else if (cell == best[down[s], across[s]]) cell = "**" cell "**"
            line = line " " cell " |"
        }
        print line
    }
    print last
    print ""
    line = (head["gpu"] == "" ? "unknown GPU" : head["gpu"])
    if (head["date"] != "") line = line ", " head["date"]
    if (head["driver"] != "") line = line ", driver " head["driver"]
    print line "; the best of each shape in bold."
}
