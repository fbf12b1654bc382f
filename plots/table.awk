# A bandwidth file as a table, for table.sh: Markdown, or with -v step=NAME the rows of one step in
# plain text, as its lesson shows them. Rows of the file's first size, peers last. Percent of
# cudaMemcpy is a column where it is known.

/^#/ { read_header($0); next }
!size { size = $at["rows"] " x " $at["cols"] }
$at["rows"] " x " $at["cols"] != size { next }

{
    n++
    of_step[n] = $at["step"]
    variant[n] = $at["variant"]
    status[n] = $at["status"]
    time[n] = $at["time_ms"]
    iqr[n] = $at["iqr_ms"]
    gb[n] = $at["gb_per_s"]
    copy[n] = $at["percent_of_copy"]
    memcpy[n] = field("percent_of_memcpy", "nan")
    peak[n] = $at["percent_of_peak"]
    problem[n] = special()
    if (known(memcpy[n]) && is_measured()) with_memcpy = 1
    if ($at["variant"] == "ceiling") {
        if (is_measured()) {
            times[++n_ceilings] = time[n]
            iqrs[n_ceilings] = iqr[n]
            ceilings[n_ceilings] = gb[n]
            peaks[n_ceilings] = peak[n]
            if (known(memcpy[n])) memcpys[++n_memcpys] = memcpy[n]
        }
    } else if (!is_peer_copy($at["variant"]) && is_shared_problem() && is_measured() && \
        (!($at["step"] in best) || gb[n] + 0 > fastest[$at["step"]])) {
        best[$at["step"]] = n
        fastest[$at["step"]] = gb[n] + 0
    }
}

# A figure with some decimals; a dash where it is unknown.
function show(text, places) {
    return known(text) ? sprintf("%." places "f", text) : "-"
}

# Milliseconds: four digits that mean something, for 2 ms as for 2 us.
function ms(text) { return show(text, text + 0 >= 1 ? 3 : text + 0 >= 0.1 ? 4 : 5) }

# "NVIDIA H200, 32768 x 32768 floats, 2001-02-03"
function made_on(    text) {
    text = head["gpu"] == "" ? "" : head["gpu"] ", "
    text = text size " floats"
    return head["date"] == "" ? text : text ", " head["date"]
}

function markdown(i,    b, name) {
    b = best[of_step[i]] == i ? "**" : ""
    name = b variant[i] b (problem[i] == "" ? "" : " (" problem[i] ")") \
        (headline[of_step[i]] == variant[i] ? ", headline" : "")
    if (status[i] != "ok")
        printf "| %s | %s | %s | - | - |%s - | - |\n", of_step[i], name, status[i], with_memcpy ? " - |" : ""
    else
        printf "| %s | %s | %s | %s%s%s | %s%s%s |%s %s | %s |\n", of_step[i], name, ms(time[i]), \
            b, show(gb[i], 0), b, b, show(copy[i], 1), b, \
            with_memcpy ? " " show(memcpy[i], 1) " |" : "", show(peak[i], 1), ms(iqr[i])
}

function plain(name, state, t, g, c, m) {
    printf "%-" wide "s  %-7s  %9s  %7s  %9s", name, state, t, g, c
    if (with_memcpy) printf "  %11s", m
    print ""
}

END {
    if (step != "") {
        wide = 7
        for (i = 1; i <= n; i++)
            if (of_step[i] == step) {
                found = 1
                if (problem[i] != "") variant[i] = variant[i] " (" problem[i] ")"
                if (length(variant[i]) > wide) wide = length(variant[i])
            }
        if (!found) exit 1
        print made_on()
        print ""
        plain("variant", "status", "ms", "GB/s", "% of copy", "% of memcpy")
        for (i = 1; i <= n; i++)
            if (of_step[i] == step)
                plain(variant[i], status[i], ms(time[i]), show(gb[i], 0), show(copy[i], 1), show(memcpy[i], 1))
        exit
    }

    print "| step | variant | time, ms | GB/s | % of copy |" (with_memcpy ? " % of cudaMemcpy |" : "") \
        " % of peak | IQR, ms |"
    print "| --- | --- | ---: | ---: | ---: |" (with_memcpy ? " ---: |" : "") " ---: | ---: |"
    if (n_ceilings)
        printf "| | copy ceiling | %s | %s | 100.0 |%s %s | %s |\n", ms(median(times, n_ceilings)), \
            show(median(ceilings, n_ceilings), 0), \
            with_memcpy ? " " show(median(memcpys, n_memcpys + 0), 1) " |" : "", \
            show(median(peaks, n_ceilings), 1), ms(median(iqrs, n_ceilings))
    for (pass = 1; pass <= 2; pass++)
        for (i = 1; i <= n; i++)
            if (variant[i] != "ceiling" && (of_step[i] == "peers") == (pass == 2)) markdown(i)
    print ""
    line = made_on()
    if (head["driver"] != "") line = line ", driver " head["driver"]
    if (head["CUDA runtime"] != "") line = line ", CUDA runtime " head["CUDA runtime"]
    print line "; the best of each step in bold."
}
