# A sizes file, arranged for sizes.gp: the square sizes alone, one block for the copy ceiling (the
# median over all programs, at each size) and then one for each step in reading order: its fastest
# `ok` variant at each size, whichever that is. The peers' block is last.
#
# A block is a header row with its name, then rows `size gb_per_s` by rising
# size; two empty lines lie between blocks.

BEGIN { FS = OFS = "\t" }

/^#/ || $1 == "step" || $3 != $4 || $5 != "ok" || !known($8) { next }

!($3 in seen) { seen[$3]; sizes[++n_sizes] = $3 }

$2 == "ceiling" { ceilings[$3, ++n_ceilings[$3]] = $8; next }

is_peer_copy($2) { next }

!($1 in count) { count[$1]; if ($1 != "peers") step[++n_steps] = $1 }

!(($1, $3) in best) || $8 + 0 > best[$1, $3] + 0 { best[$1, $3] = $8 }

function show(s,    i) {
    if (shown++) print "\n"
    print s, "gb_per_s"
    for (i = 1; i <= n_sizes; i++) if ((s, sizes[i]) in best) print sizes[i], best[s, sizes[i]]
}

END {
    for (i = 2; i <= n_sizes; i++) {
        t = sizes[i]
        for (j = i; j > 1 && sizes[j - 1] + 0 > t + 0; j--) sizes[j] = sizes[j - 1]
        sizes[j] = t
    }
    for (i = 1; i <= n_sizes; i++) {
        n = n_ceilings[sizes[i]]
        for (k = 1; k <= n; k++) list[k] = ceilings[sizes[i], k]
        if (n) best["copy ceiling", sizes[i]] = median(list, n)
    }
    if (!n_sizes) exit
    show("copy ceiling")
    for (s = 1; s <= n_steps; s++) show(step[s])
    if ("peers" in count) show("peers")
}
