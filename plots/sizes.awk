# A sizes file, arranged for sizes.gp: the square sizes alone, a row for each and a column for each
# line of the chart. Columns: size, ceiling (the median over all programs, at each size), then every
# step in reading order, and the peers: the step's fastest `ok` variant at each size, whichever that
# is, in GB/s, nan where nothing was measured; before them `# lines:`, the names of the steps' columns, and
# `# most:`, the largest figure. Prints nothing if no square size was measured.

/^#/ || $at["rows"] != $at["cols"] || !is_measured() { next }

{ size = $at["rows"]; step = $at["step"] }

!(size in seen) { seen[size]; sizes[++n_sizes] = size }

$at["variant"] == "ceiling" { ceilings[size, ++n_ceilings[size]] = $at["gb_per_s"]; next }

is_peer_copy($at["variant"]) || !is_shared_problem() { next }

!(step in count) { count[step]; if (step != "peers") steps[++n_steps] = step }

!((step, size) in best) || $at["gb_per_s"] + 0 > best[step, size] + 0 { best[step, size] = $at["gb_per_s"] }

END {
    if (!n_sizes) exit
    for (i = 2; i <= n_sizes; i++) {
        t = sizes[i]
        for (j = i; j > 1 && sizes[j - 1] + 0 > t + 0; j--) sizes[j] = sizes[j - 1]
        sizes[j] = t
    }
    if ("peers" in count) steps[++n_steps] = "peers"
    names = ""
    for (s = 1; s <= n_steps; s++) names = names (s > 1 ? " " : "") steps[s]
    for (i = 1; i <= n_sizes; i++) {
        n = n_ceilings[sizes[i]] + 0
        for (k = 1; k <= n; k++) list[k] = ceilings[sizes[i], k]
        row[i] = sizes[i] OFS (ceiling = median(list, n))
        if (known(ceiling) && ceiling + 0 > most) most = ceiling + 0
        for (s = 1; s <= n_steps; s++) {
            row[i] = row[i] OFS ((steps[s], sizes[i]) in best ? best[steps[s], sizes[i]] : "nan")
            if (best[steps[s], sizes[i]] + 0 > most) most = best[steps[s], sizes[i]] + 0
        }
    }
    print "# lines: " names
    print "# most: " most + 0
    gsub(/ /, OFS, names)
    print "size", "ceiling" (n_steps ? OFS names : "")
    for (i = 1; i <= n_sizes; i++) print row[i]
}
