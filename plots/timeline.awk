# The warps of timeline.tsv, arranged for timeline.gp. Variables: kernels (which, in this order), span
# (clock cycles shown). Columns: kind panel y from to. Kinds: load (a block whose loads are on their
# way, from its first warp's to the last one's arrival), store (from then to its last store), both with
# y the block's place on the SM, from 0; flight (KB that loads wait for, as y, at the cycle `from`);
# and panel (its number of places as y, most bytes in flight as `from`).

/^#/ { next }
{
    k = $at["kernel"]
    b = k SUBSEP $at["block"]
    if (!(b in begin)) { order[k, ++n_blocks[k]] = b; begin[b] = $at["begin"] + 0; loaded[b] = $at["loaded"] + 0; end[b] = $at["end"] + 0 }
    if ($at["begin"] + 0 < begin[b]) begin[b] = $at["begin"] + 0
    if ($at["loaded"] + 0 > loaded[b]) loaded[b] = $at["loaded"] + 0
    if ($at["end"] + 0 > end[b]) end[b] = $at["end"] + 0
    # What is in flight changes where a warp sends its loads and where they have arrived.
    change[k, bin($at["begin"])] += $at["bytes"]
    change[k, bin($at["loaded"])] -= $at["bytes"]
}

function bin(cycle,    i) {
    i = int(cycle / step)
    return cycle < 0 ? -1 : i > bins ? bins + 1 : i
}

BEGIN { bins = 300; step = span / bins }

END {
    print "kind", "panel", "y", "from", "to"
    n = split(kernels, kernel, " ")
    for (p = 1; p <= n; p++) {
        k = kernel[p]
        m = n_blocks[k] + 0
        # By their beginning, each block into the place that is free for longest.
        for (i = 1; i <= m; i++) {
            t = order[k, i]
            for (j = i; j > 1 && begin[sorted[j - 1]] > begin[t]; j--) sorted[j] = sorted[j - 1]
            sorted[j] = t
        }
        places = 0
        for (i = 1; i <= m; i++) {
            b = sorted[i]
            place = -1
            for (j = 0; j < places; j++)
                if (free[j] <= begin[b] && (place < 0 || free[j] < free[place])) place = j
            if (place < 0) place = places++
            free[place] = end[b]
            from = begin[b] < 0 ? 0 : begin[b]
            to = loaded[b] > span ? span : loaded[b]
            if (to > from) print "load", p, place, from, to
            if (to < 0) to = 0
            stop = end[b] > span ? span : end[b]
            if (stop > to && loaded[b] < span) print "store", p, place, to, stop
        }
        sum = change[k, -1]
        most = 0
        for (i = 0; i < bins; i++) {
            sum += change[k, i]
            if (sum > most) most = sum
            print "flight", p, sum / 1000, i * step, (i + 1) * step
        }
        print "panel", p, places, most / 1000, 0
    }
}
