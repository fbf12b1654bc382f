# A counts file, arranged for counts.gp: the rows of the file's first size, variants in reading order.
#
# Prints `# size:`, then the columns
#   y kind step variant  load load_ideal load_by  store ...  shared_load ...  shared_store ...
# where y counts down from the top, kind is head (a step's name) or variant, and of each of the four
# kinds of access come: the figure, its ideal, and what made the requests: warp, async (cp.async
# in place of plain loads and shared stores), tma (TMA alone: no warp-level requests), or none.
# For global memory the figure is sectors per request, for shared memory the conflict degree.

/^#/ { next }

!size { size = $at["rows"] " x " $at["cols"] }
$at["rows"] " x " $at["cols"] != size || !is_shared_problem() { next }

{ v = $at["step"] OFS $at["variant"]; c = $at["counter"] }
!(v in seen) { seen[v]; name[++n] = v }
{ requests[v, c] = $at["requests"]; work[v, c] = $at["work"]; ideal[v, c] = $at["ideal_work"] }

function ratio(a, b) { return b > 0 ? sprintf("%.4g", a / b) : 1 }

function figure(v, counter, async, tma,    by, c) {
    by = "warp"; c = counter
    if (requests[v, async] + 0 > requests[v, counter] + 0) { by = "async"; c = async }
    if (requests[v, c] + 0 == 0) return "nan" OFS "nan" OFS (requests[v, tma] > 0 ? "tma" : "none")
    if (!known(work[v, c]) || !known(ideal[v, c])) return "nan" OFS "nan" OFS "none"
    if (counter ~ /^global/)
        return ratio(work[v, c], requests[v, c]) OFS ratio(ideal[v, c], requests[v, c]) OFS by
    return ratio(work[v, c], ideal[v, c]) OFS 1 OFS by
}

END {
    print "# size: " size
    print "y", "kind", "step", "variant", "load", "load_ideal", "load_by", \
        "store", "store_ideal", "store_by", "shared_load", "shared_load_ideal", "shared_load_by", \
        "shared_store", "shared_store_ideal", "shared_store_by"
    nothing = "nan" OFS "nan" OFS "none"
    y = 0
    for (i = 1; i <= n; i++) {
        split(name[i], part)
        if (part[1] != last) {
            if (i > 1) y += 0.4
            print y++, "head", part[1], "", nothing, nothing, nothing, nothing
        }
        last = part[1]
        print y++, "variant", name[i], figure(name[i], "global_load", "async_copy_global", "tma_load"), \
            figure(name[i], "global_store", "", "tma_store"), \
            figure(name[i], "shared_load", "", "tma_store"), \
            figure(name[i], "shared_store", "async_copy_shared", "tma_load")
    }
}
