# A lanes file, arranged for lanes.gp: one step's requests as piles of words on their banks.
#
#   awk -v step=02_smem -f tsv.awk -f common.awk -f lanes.awk lanes.tsv
#
# A lanes file has the columns `step variant counter lane bank word wavefront part ideal_work`: one
# row for each lane and each four-byte word of shared memory that it touches, in the first
# shared_load and in the first shared_store of each variant's first warp. `word` tells words of one
# bank apart (any number does, say the byte offset / 4); `wavefront` is the one in which the bank
# serves that word, from 0, and `part` numbers the sets of lanes that are served together, as
# shared/traffic says; `ideal_work` is how many wavefronts the request would take at best.
#
# Prints the columns `kind x y text`, y counting down in boxes: title and names (of a panel), word (a
# box with its lane), base (under a panel), part (a line between parts).

/^#/ || $at["step"] != step { next }

{
    request = $at["variant"] SUBSEP $at["counter"]
    if (!(request in rows)) order[++n] = request
    k = ++rows[request]
    lane[request, k] = $at["lane"]; bank[request, k] = $at["bank"]; word[request, k] = $at["word"]
    wavefront[request, k] = $at["wavefront"]; part[request, k] = $at["part"]
    ideal[request] = $at["ideal_work"]
    shape[request] = shape[request] " " $at["lane"] ":" $at["bank"] ":" $at["wavefront"]
}

# Boxes and part lines of a request into box[] and line[], counted from the ground; returns its height.
function stack(r,    k, w, height, taken, part_of) {
    n_box = n_line = height = 0
    for (k = 1; k <= rows[r]; k++) {
        w = wavefront[r, k] + 0
        if (w + 1 > height) height = w + 1
        part_of[w] = part[r, k]
        # Lanes that want one word share it: a box has the number of the first.
        if ((w, bank[r, k], word[r, k]) in taken) continue
        taken[w, bank[r, k], word[r, k]]
        box[++n_box] = bank[r, k] OFS (w + 1) OFS lane[r, k]
    }
    for (w = 1; w < height; w++) if (part_of[w] != part_of[w - 1]) line[++n_line] = w
    return height
}

END {
    print "kind", "x", "y", "text"
    # Variants whose first request is the same share a panel.
    for (i = 1; i <= n; i++) {
        split(order[i], piece, SUBSEP)
        same = piece[2] shape[order[i]]
        if (same in names) {
            # A line of the picture holds about this much.
            if (length(names[same]) < 95) names[same] = names[same] ", " piece[1]
            else more[same]++
        } else { names[same] = piece[1]; panel[++n_panels] = order[i]; look[n_panels] = same }
    }
    y = 0
    for (p = 1; p <= n_panels; p++) {
        r = panel[p]
        split(r, piece, SUBSEP)
        height = stack(r)
        print "title", 0, y + 0.5, piece[2] ": " \
            (height > ideal[r] + 0 ? "a pile " height " high where " ideal[r] " would do" : height " high, as low as can be")
        print "names", 0, y + 1.6, names[look[p]] (look[p] in more ? " and " more[look[p]] " more" : "")
        ground = y + 2.3 + height
        for (k = 1; k <= n_box; k++) {
            split(box[k], b, OFS)
            print "word", b[1], ground - b[2] + 0.5, b[3]
        }
        for (k = 1; k <= n_line; k++) print "part", 0, ground - line[k], ""
        print "base", 0, ground, ""
        y = ground + 2
    }
}
