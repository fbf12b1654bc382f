# What foreign.sh prints of a record. Load plots/tsv.awk first.
/^#/ { next }
{
    kernel = $at["file"] " " $at["kernel"]
    if (!(kernel in rows)) order[++kernels] = kernel
    rows[kernel]++
    all++
    marked = $at["may_differ"] != "-"
    if ($at["requests"] == $at["cpu_requests"] && $at["work"] == $at["cpu_work"]) {
        equal++
        false_marks += marked
        next
    }
    true_marks += marked
    differ[kernel]++
    what = $at["counter"] ": " $at["requests"] " requests and " $at["work"] ", here " \
        $at["cpu_requests"] " and " $at["cpu_work"]
    if (!(kernel in first)) first[kernel] = what
    if ($at["reason"] == "" || $at["reason"] == "-") { bare++; why[kernel] = "NO REASON" }
    else if (!(kernel in why)) why[kernel] = $at["reason"]
}
END {
    for (i = 1; i <= kernels; i++)
        if (differ[order[i]]) odd++
    printf "%d of %d counts equal (%.1f %%); %d of %d kernels in all their counts\n", equal, all, \
        all ? 100 * equal / all : 0, kernels - odd, kernels
    printf "%d of the %d counts that differ are marked in the report, %d of the %d equal ones\n", \
        true_marks, all - equal, false_marks, equal
    for (i = 1; i <= kernels; i++)
        if (differ[order[i]])
            printf "%s: %s (%d of %d counts): %s\n", order[i], first[order[i]], differ[order[i]], \
                rows[order[i]], why[order[i]]
    exit bare > 0
}
