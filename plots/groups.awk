# A lanes file, arranged for groups.gp: one step's 16-byte accesses to shared memory, eight lanes at a
# time. A wavefront gives eight lanes 16 bytes each if they want eight different groups of four banks.
#
#   awk -v step=07_tma -f tsv.awk -f common.awk -f groups.awk lanes.tsv
#
# The lanes file is described in lanes.awk. Of each variant's first shared_load and shared_store whose
# lanes touch four banks each, lanes 0 to 7 are taken. Prints the columns `panel x y kind text`: cell (a
# lane in its group), title, names, verdict (below a panel: how many lanes share a group at most).

/^#/ || $at["step"] != step || $at["lane"] > 7 { next }

{
    request = $at["variant"] SUBSEP $at["counter"]
    if (!(request in rows)) order[++n] = request
    rows[request]++
    group[request, $at["lane"] + 0] = int($at["bank"] / 4)
}

END {
    print "panel", "x", "y", "kind", "text"
    for (i = 1; i <= 2 * n; i++) { # reads first, then writes
        r = order[i <= n ? i : i - n]
        split(r, piece, SUBSEP)
        if (rows[r] != 32 || (piece[2] == "shared_load") != (i <= n)) continue # not 16 bytes a lane
        same = piece[2]
        for (l = 0; l < 8; l++) same = same " " group[r, l]
        if (same in names) { others[same]++; continue }
        names[same] = piece[1]
        panel[++panels] = r; look[panels] = same
    }
    for (p = 1; p <= panels; p++) {
        r = panel[p]
        split(r, piece, SUBSEP)
        for (g = 0; g < 8; g++) lanes[g] = 0
        most = 0
        for (l = 0; l < 8; l++) {
            g = group[r, l]
            if (++lanes[g] > most) most = lanes[g]
            print p - 1, g, l, "cell", l
        }
        print p - 1, 0, 0, "title", piece[2] == "shared_load" ? "reads" : "writes"
        text = names[look[p]]
        if (look[p] in others) text = text " and " others[look[p]] " more"
        print p - 1, 0, 0, "names", text
        kind = (most > 1 ? "bad" : "good")
        print p - 1, 0, 0, kind, (most > 1 ? most " lanes in one group: " most " wavefronts" : "eight groups: one wavefront")
    }
}
