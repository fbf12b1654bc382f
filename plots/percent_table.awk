# Several shapes, in percent of the copy ceiling. Variables: variants (the rows; all that there are
# unless given). Exit status 1 if the file has no figure of any of them.
BEGIN {
    rows = split(variants, name, " ")
    for (i = 1; i <= rows; i++) wanted[name[i]] = 1
}

/^#/ { read_header($0); next }

{
    v = $at["variant"]
    r = $at["rows"]
    c = $at["cols"]
}

v == "ceiling" {
    if (known($at["gb_per_s"])) ceilings[r, c] = ceilings[r, c] " " $at["gb_per_s"]
    next
}

!is_shared_problem() { next }

variants == "" && !(v in wanted) && !is_peer_copy(v) { wanted[v] = 1; name[++rows] = v }

v in wanted {
    if (!((r, c) in seen)) {
        seen[r, c] = 1
        key = r * c
        for (j = ++shapes; j > 1 && (key < area[j - 1] || key == area[j - 1] && r + 0 < down[j - 1] + 0); j--) {
            area[j] = area[j - 1]; down[j] = down[j - 1]; across[j] = across[j - 1]
        }
        area[j] = key; down[j] = r; across[j] = c
    }
    percent = $at["percent_of_copy"]
    text[v, r, c] = $at["status"] == "ok" ? known(percent) ? sprintf("%.1f", percent) : "-" : $at["status"]
    if (text[v, r, c] + 0 > best[r, c] + 0) best[r, c] = text[v, r, c]
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
