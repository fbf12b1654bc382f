# A bandwidth file, arranged for progression.gp (-v best=1) and variants.gp: the rows of the file's
# first size, in reading order, peers last, fastest first within a step.
#
# Prints `# ceiling:` (GB/s, the median of all `ceiling` rows) and `# size:`, then the columns
#   y kind step variant gb_per_s percent_of_copy status
# where y counts down from the top in bar widths and kind is step, peer, or head (a step's name).
# With best=1 a step is its fastest `ok` variant, and of the peers copies are left out: theirs is
# another ceiling.

BEGIN { FS = OFS = "\t" }

/^#/ || $1 == "step" { next }

!size { size = $3 " x " $4 }
$3 " x " $4 != size { next }

$2 == "ceiling" {
    if ($5 == "ok" && known($8)) ceilings[++n_ceilings] = $8
    next
}

best && is_peer_copy($2) { next }

{
    if (!($1 in count)) step[++n_steps] = $1
    k = ++count[$1]
    row[$1, k] = $2 OFS $8 OFS $9 OFS $5
    # What has no figure sorts after everything that has one.
    speed[$1, k] = ($5 == "ok" && known($8)) ? $8 + 0 : -1
}

# Rows of step s by falling speed, equal ones as they came.
function sort(s,    i, j, r, v) {
    for (i = 2; i <= count[s]; i++) {
        r = row[s, i]; v = speed[s, i]
        for (j = i; j > 1 && speed[s, j - 1] < v; j--) {
            row[s, j] = row[s, j - 1]; speed[s, j] = speed[s, j - 1]
        }
        row[s, j] = r; speed[s, j] = v
    }
}

function show(s,    i, kind) {
    kind = s == "peers" ? "peer" : "step"
    if (!best) print y++, "head", s, "", "nan", "nan", "ok"
    sort(s)
    for (i = 1; i <= count[s] && (i == 1 || !best || kind == "peer"); i++)
        print y++, kind, s, row[s, i]
    if (!best) y += 0.4
}

END {
    print "# ceiling: " median(ceilings, n_ceilings)
    print "# size: " size
    print "y", "kind", "step", "variant", "gb_per_s", "percent_of_copy", "status"
    y = 0
    for (i = 1; i <= n_steps; i++) if (step[i] != "peers") show(step[i])
    if (best) y += 0.5
    if ("peers" in count) show("peers")
}
