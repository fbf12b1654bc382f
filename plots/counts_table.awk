# A counts file as a table, for counts_table.sh: one line for each variant, in the file's order.

/^#/ { next }

{
    v = $at["step"] OFS $at["variant"] OFS $at["rows"] OFS $at["cols"]
    if (!(v in seen)) { seen[v]; order[++n] = v }
    requests[v, $at["counter"]] = $at["requests"]
    work[v, $at["counter"]] = $at["work"]
    ideal[v, $at["counter"]] = $at["ideal_work"]
}

function cell(v, counter) { return requests[v, counter] > 0 ? short(work[v, counter] / requests[v, counter]) : "-" }
function degree(v, counter) {
    return known(ideal[v, counter]) && ideal[v, counter] > 0 ? short(work[v, counter] / ideal[v, counter]) : "-"
}
function short(x) { return sprintf("%.4g", x) }

END {
    if (!n) exit 1
    wide = 18; wider = 26
    for (i = 1; i <= n; i++) {
        split(order[i], part, OFS)
        if (length(part[1]) > wide) wide = length(part[1])
        if (length(part[2]) > wider) wider = length(part[2])
        if (part[3] OFS part[4] != size && i > 1) sizes = 1
        size = part[3] OFS part[4]
    }
    format = "%-" wide "s %-" wider "s " (sizes ? "%13s " : "%0s")
    printf format "%17s %17s\n", "", "", "", "sectors/request", "conflict degree"
    printf format "%8s %8s %8s %8s\n", "step", "variant", sizes ? "size" : "", "load", "store", "load", "store"
    for (i = 1; i <= n; i++) {
        v = order[i]
        split(v, part, OFS)
        printf format "%8s %8s %8s %8s\n", part[1], part[2], sizes ? part[3] "x" part[4] : "",
            cell(v, "global_load"), cell(v, "global_store"), degree(v, "shared_load"), degree(v, "shared_store")
    }
}
