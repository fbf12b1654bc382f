# A bandwidth file as a table, for table.sh: Markdown for the README, or with -v step=NAME the rows
# of one step in plain text, as its lesson shows them. Rows of the file's first size, peers last.

BEGIN { FS = "\t" }

/^#/ {
    at = index($0, ": ")
    head[substr($0, 3, at - 3)] = substr($0, at + 2)
    next
}
$1 == "step" { next }
!size { size = $3 " x " $4 }
$3 " x " $4 != size { next }

{
    if ($2 == "ceiling" && $5 == "ok" && known($8)) {
        times[++n_ceilings] = $6
        iqrs[n_ceilings] = $7
        ceilings[n_ceilings] = $8
        peaks[n_ceilings] = $10
    }
    row[++n] = $0
    if ($2 != "ceiling" && !is_peer_copy($2) && $5 == "ok" && known($8) && (!($1 in best) || $8 + 0 > fastest[$1])) {
        best[$1] = $2
        fastest[$1] = $8 + 0
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

function markdown(line,    f, b, ran) {
    split(line, f, "\t")
    b = best[f[1]] == f[2] ? "**" : ""
    if (f[5] != "ok") printf "| %s | %s | %s | - | - | - | - |\n", f[1], f[2], f[5]
    else printf "| %s | %s%s%s | %s | %s%s%s | %s%s%s | %s | %s |\n", f[1], b, f[2], b, ms(f[6]), \
        b, show(f[8], 0), b, b, show(f[9], 1), b, show(f[10], 1), ms(f[7])
}

function plain(line,    f) {
    split(line, f, "\t")
    printf "%-" wide "s  %-7s  %9s  %7s  %9s\n", f[2], f[5], ms(f[6]), show(f[8], 0), show(f[9], 1)
}

END {
    if (step != "") {
        wide = 7
        for (i = 1; i <= n; i++) {
            split(row[i], f, "\t")
            if (f[1] == step && length(f[2]) > wide) wide = length(f[2])
            if (f[1] == step) found = 1
        }
        if (!found) exit 1
        print made_on()
        print ""
        printf "%-" wide "s  %-7s  %9s  %7s  %9s\n", "variant", "status", "ms", "GB/s", "% of copy"
        for (i = 1; i <= n; i++) {
            split(row[i], f, "\t")
            if (f[1] == step) plain(row[i])
        }
        exit
    }

    print "| step | variant | time, ms | GB/s | % of copy | % of peak | IQR, ms |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    if (n_ceilings)
        printf "| | copy ceiling | %s | %s | 100.0 | %s | %s |\n", ms(median(times, n_ceilings)), \
            show(median(ceilings, n_ceilings), 0), show(median(peaks, n_ceilings), 1), \
            ms(median(iqrs, n_ceilings))
    for (pass = 1; pass <= 2; pass++)
        for (i = 1; i <= n; i++) {
            split(row[i], f, "\t")
            if (f[2] != "ceiling" && (f[1] == "peers") == (pass == 2)) markdown(row[i])
        }
    print ""
    line = made_on()
    if (head["driver"] != "") line = line ", driver " head["driver"]
    if (head["CUDA runtime"] != "") line = line ", CUDA runtime " head["CUDA runtime"]
    print line "; the best of each step in bold."
}
