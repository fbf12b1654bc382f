# The record of foreign.sh with the counts of other reports of cpucc. Load plots/tsv.awk first.
FILENAME != record {
    run = FILENAME
    sub(/.*\//, "", run)
    sub(/\.tsv$/, "", run)
    seen[run]
    kernel = $at["kernel"]
    gsub(/ /, "", kernel)
    while (match(kernel, /[0-9][uUlL]+/)) # 256U is 256
        kernel = substr(kernel, 1, RSTART) substr(kernel, RSTART + RLENGTH)
    key = run SUBSEP kernel SUBSEP $at["launch"] SUBSEP $at["counter"]
    requests[key] = $at["requests"]
    work[key] = $at["work"]
    marks[key] = "may_differ" in at ? $at["may_differ"] : "-"
    next
}
/^#/ { next }
{
    key = $at["run"] SUBSEP $at["kernel"] SUBSEP $at["launch"] SUBSEP $at["counter"]
    if ($at["run"] in seen) {
        $at["cpu_requests"] = requests[key] + 0
        $at["cpu_work"] = work[key] + 0
        $at["may_differ"] = key in marks ? marks[key] : "-"
        if ($at["requests"] == $at["cpu_requests"] && $at["work"] == $at["cpu_work"])
            $at["reason"] = "-"
    }
    print
}
