# A lanes file, arranged for lanes.gp: one step's requests as piles of words on their banks.
#
#   awk -v step=02_smem -f tsv.awk -f common.awk -f lanes.awk lanes.tsv
#
# A lanes file has the columns `step variant counter lane bank`, optionally then `word`: one row for
# each lane and each four-byte word of shared memory that it touches in the first shared_load and
# in the first shared_store of each variant's first warp. `word` tells words of one bank apart (any
# number does, say the byte offset / 4): lanes that touch the same word do not wait for each other.
#
# A warp's request for 8 or 16 bytes a lane is served in two or four parts, half a warp or a quarter
# at a time, so the piles of one part stand on the highest pile of the part before.
#
# Prints the columns `kind x y text`, y counting down in boxes: title and names (of a panel), word (a
# box with its lane), base (under a panel), part (a line between parts).

/^#/ || $at["step"] != step { next }

{
    request = $at["variant"] SUBSEP $at["counter"]
    l = $at["lane"]
    if (!(request in rows)) order[++n] = request
    k = ++rows[request]
    lane[request, k] = l; bank[request, k] = $at["bank"]; word[request, k] = field("word", "lane " l)
    if (++words_of[request, l] > widest[request]) widest[request] = words_of[request, l]
    shape[request] = shape[request] " " l ":" bank[request, k] ":" word[request, k]
}

# Boxes and part lines of a request into box[] and line[], counted from the ground; returns its height.
function stack(r,    k, part, parts, lanes, floor, top, height, taken) {
    parts = widest[r] >= 4 ? 4 : widest[r] >= 2 ? 2 : 1
    lanes = 32 / parts
    n_box = n_line = floor = 0
    for (part = 0; part < parts; part++) {
        top = floor
        for (k = 1; k <= rows[r]; k++) {
            if (int(lane[r, k] / lanes) != part) continue
            if ((part, bank[r, k], word[r, k]) in taken) continue
            taken[part, bank[r, k], word[r, k]]
            height = floor + ++pile[r, part, bank[r, k]]
            box[++n_box] = bank[r, k] OFS height OFS lane[r, k]
            if (height > top) top = height
        }
        if (top > floor && floor > 0) line[++n_line] = floor
        floor = top
    }
    return floor
}

END {
    print "kind", "x", "y", "text"
    # Variants whose first request is the same share a panel.
    for (i = 1; i <= n; i++) {
        split(order[i], part_of, SUBSEP)
        same = part_of[2] shape[order[i]]
        if (same in names) {
            # A line of the picture holds about this much.
            if (length(names[same]) < 95) names[same] = names[same] ", " part_of[1]
            else more[same]++
        } else { names[same] = part_of[1]; panel[++n_panels] = order[i]; look[n_panels] = same }
    }
    y = 0
    for (p = 1; p <= n_panels; p++) {
        r = panel[p]
        split(r, part_of, SUBSEP)
        height = stack(r)
        ideal = int((n_box + 31) / 32)
        print "title", 0, y + 0.5, part_of[2] ": " \
            (height > ideal ? "a pile " height " high where " ideal " would do" : height " high, as low as can be")
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
