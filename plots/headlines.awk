# The headlines of one bandwidth file for each GPU as a Markdown table, for headlines.sh: a row for
# each step, its headline variant, and for each GPU the bandwidth and the percentage of the copy
# ceiling of that variant and of the one that it is compared with. Rows of each file's first size. A
# step without a headline is its fastest variant; peers, other than copies, come last.
# Where files name different headlines, those of the first count.

FNR == 1 { f++; size = "" }

/^# gpu: / { label[f] = substr($0, 8); sub(/^NVIDIA /, "", label[f]) }
/^#/ { read_header($0); next }
!size { size = shape[f] = $at["rows"] " x " $at["cols"] }
$at["rows"] " x " $at["cols"] != size { next }

$at["variant"] == "ceiling" {
    if (is_measured()) ceilings[f, ++n_ceilings[f]] = $at["gb_per_s"]
    next
}
{
    s = $at["step"]
    v = $at["variant"]
    if (s == "peers") {
        if (is_peer_copy(v)) next
        s = v
        if (!(s in peer)) { peer[s]; peers[++n_peers] = s }
    } else if (!(s in is_step)) { is_step[s]; steps[++n_steps] = s }
    if (!is_measured()) next
    gb[f, s, v] = $at["gb_per_s"]
    percent[f, s, v] = $at["percent_of_copy"]
    if (is_shared_problem() && (!((f, s) in best) || $at["gb_per_s"] + 0 > gb[f, s, best[f, s]] + 0)) best[f, s] = v
}

function show(text, places) { return known(text) ? sprintf("%." places "f", text) : "-" }

# The step that has variant v: this one, or the last before it.
function home(v, s,    i, g, found) {
    for (i = 1; i <= n_steps; i++) {
        for (g = 1; g <= f; g++) if ((g, steps[i], v) in gb) found = steps[i]
        if (steps[i] == s) break
    }
    return found
}

function cells(s, v, compared,    g, line, at_home) {
    at_home = compared == "" ? "" : home(compared, s)
    for (g = 1; g <= f; g++) {
        line = line " " show(gb[g, s, v], 0) " | "
        if (compared != "" && compared != v) line = line show(percent[g, at_home, compared], 1) " → "
        line = line show(percent[g, s, v], 1) " |"
    }
    return line
}

END {
    line = "| step | headline | compared with |"
    rule = "| --- | --- | --- |"
    for (g = 1; g <= f; g++) {
        line = line " " label[g] ", GB/s | % of copy |"
        rule = rule " ---: | ---: |"
    }
    print line
    print rule
    line = "| | copy ceiling | |"
    for (g = 1; g <= f; g++) {
        m = n_ceilings[g] + 0
        for (k = 1; k <= m; k++) list[k] = ceilings[g, k]
        line = line " " show(median(list, m), 0) " | 100.0 |"
    }
    print line
    for (i = 1; i <= n_steps; i++) {
        s = steps[i]
        v = headline[s]
        for (g = 1; g <= f && v == ""; g++) v = best[g, s]
        print "| " s " | " v " | " (compared_with[s] == v || compared_with[s] == "" ? "" : compared_with[s] " ") "|" cells(s, v, compared_with[s])
    }
    for (i = 1; i <= n_peers; i++) print "| peers | " peers[i] " | |" cells(peers[i], peers[i], "")
}
