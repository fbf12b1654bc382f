# The requests of sectors.tsv, arranged for sectors.gp. Variable: patterns (which, in this order).
# Columns: kind x y text. Kinds: title, line (a label), sector (a touched one), idle (an untouched one),
# word (with the lane that wants it). A line of 128 bytes is a row of 32 words, one unit each. Of 32
# lines that are alike the middle ones are left out.

/^#/ { next }
{
    p = $at["pattern"]
    if (!((p, $at["line"]) in touched)) { touched[p, $at["line"]]; list[p, ++n_lines[p]] = $at["line"] }
    word[p, $at["line"], $at["word"]] = $at["lane"]
    sector = int($at["word"] / 8)
    if (!((p, $at["line"], sector) in hit)) { hit[p, $at["line"], sector]; sectors[p]++ }
    if (!((p, $at["lane"]) in bytes)) lanes[p]++
    bytes[p, $at["lane"]] += 4
}

function title_of(p,    each) {
    each = bytes[p, 0] " bytes a lane, "
    if (p == "column") each = each "down a column: each lane in a line of its own"
    else if (p == "shifted") each = each "side by side, one element past the start of a line"
    else each = each "side by side"
    return each ": " sectors[p] " sectors, " lanes[p] * bytes[p, 0] " of " sectors[p] * 32 " bytes are wanted"
}

END {
    print "kind", "x", "y", "text"
    n = split(patterns, pattern, " ")
    y = 0
    for (k = 1; k <= n; k++) {
        p = pattern[k]
        print "title", 0, y + 0.6, title_of(p)
        y += 1.8
        for (l = 1; l <= n_lines[p]; l++) {
            if (n_lines[p] > 8 && l > 5 && l < n_lines[p] - 1) {
                if (l == 6) { print "line", 0, y - 0.1, "..."; y += 0.8 }
                continue
            }
            line = list[p, l]
            # Lines of a column are as far apart as a row of the matrix is long.
            print "line", 0, y, p == "column" ? "row " l - 1 : "line " line
            for (s = 0; s < 4; s++) print ((p, line, s) in hit ? "sector" : "idle"), 8 * s, y, ""
            for (w = 0; w < 32; w++)
                if ((p, line, w) in word) print "word", w, y, word[p, line, w]
            y += 1.25
        }
        y += 0.9
    }
}
