# A bandwidth file, arranged for progression.gp (-v progression=1) and variants.gp: the rows of the
# file's first size, in reading order, peers last, fastest first within a step.
#
# Prints `# ceiling:` (GB/s, the median of all `ceiling` rows) and `# size:`, then the columns
#   y kind step variant gb_per_s percent_of_copy status best best_gb_per_s best_percent_of_copy
# where y counts down from the top in bar widths and kind is step, peer, or head (a step's name).
#
# In the progression a step is its headline variant; best is the step's fastest one where that is at
# least 1 % faster (else nan). A step without a headline, or whose headline was not run, is its
# fastest. Of the peers copies are left out: theirs is another ceiling.

/^#/ { read_header($0); next }

!size { size = $at["rows"] " x " $at["cols"] }
$at["rows"] " x " $at["cols"] != size { next }

$at["variant"] == "ceiling" {
    if (is_measured()) ceilings[++n_ceilings] = $at["gb_per_s"]
    next
}

progression && is_peer_copy($at["variant"]) { next }

{
    s = $at["step"]
    if (progression && !is_shared_problem() && $at["variant"] != headline[s]) next
    if (!(s in count)) step[++n_steps] = s
    k = ++count[s]
    variant[s, k] = $at["variant"]
    name[s, k] = $at["variant"] (is_shared_problem() ? "" : " (" special() ")")
    gb[s, k] = $at["gb_per_s"]
    percent[s, k] = $at["percent_of_copy"]
    status[s, k] = $at["status"]
    # What has no figure sorts after everything that has one.
    speed[s, k] = is_measured() ? $at["gb_per_s"] + 0 : -1
}

# Numbers of the rows of step s into sorted[], by falling speed, equal ones as they came.
function sort(s,    i, j) {
    for (i = 1; i <= count[s]; i++) {
        for (j = i; j > 1 && speed[s, sorted[j - 1]] < speed[s, i]; j--) sorted[j] = sorted[j - 1]
        sorted[j] = i
    }
}

function row(kind, s, k,    best) {
    best = sorted[1]
    if (!progression || kind == "peer" || speed[s, best] < 1.01 * speed[s, k] || speed[s, best] < 0) best = 0
    print y++, kind, s, name[s, k], gb[s, k], percent[s, k], status[s, k], \
        best ? name[s, best] : "", best ? gb[s, best] : "nan", best ? percent[s, best] : "nan"
}

function show(s,    i, shown) {
    sort(s)
    if (progression && s != "peers") {
        shown = sorted[1]
        for (i = 1; i <= count[s]; i++)
            if (variant[s, i] == headline[s] && status[s, i] != "skipped") shown = i
        row("step", s, shown)
        return
    }
    if (!progression) print y++, "head", s, "", "nan", "nan", "ok", "", "nan", "nan"
    for (i = 1; i <= count[s]; i++) row(s == "peers" ? "peer" : "step", s, sorted[i])
    if (!progression) y += 0.4
}

END {
    print "# ceiling: " median(ceilings, n_ceilings)
    print "# size: " size
    print "y", "kind", "step", "variant", "gb_per_s", "percent_of_copy", "status", \
        "best", "best_gb_per_s", "best_percent_of_copy"
    y = 0
    for (i = 1; i <= n_steps; i++) if (step[i] != "peers") show(step[i])
    if (progression) y += 0.5
    if ("peers" in count) show("peers")
}
