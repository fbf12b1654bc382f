# Eight output rows of a matrix whose rows begin anywhere, arranged for windows.gp: where in memory lies what a
# tile covers of them, and what its windows do. Variables: rows (of the input: so many elements are between
# two output rows), first (the tile's first element of each output row), width (elements it covers).
# Elements have 4 bytes, a sector eight of them. Reads nothing.
# Columns: kind x y text. Kinds: title, line (a label), whole, part and idle (sectors), word (with its element).

function panel(title, windows,    c, start, shift, from, s, w, covered, cut, touched) {
    print "title", 0, y + 0.6, title
    y += 1.8
    for (c = 0; c < 8; c++) {
        start = c * rows + first
        shift = start % 8 # so many elements past a sector's start
        from = windows ? 0 : shift
        print "line", 0, y, "output row " c
        for (s = 0; s < 3; s++) {
            covered = 0
            for (w = 8 * s; w < 8 * s + 8; w++) covered += w >= from && w < from + width
            print (covered == 8 ? "whole" : covered ? "part" : "idle"), 8 * s, y, ""
        }
        for (w = from; w < from + width; w++) print "word", w, y, first - shift + w
        y += 1.25
    }
    y += 0.9
}

BEGIN {
    OFS = "\t"
    print "kind", "x", "y", "text"
    y = 0
    panel("a tile: elements " first " to " first + width - 1 " of each output row", 0)
    panel("its windows: " width " elements from the sector boundary before element " first " on", 1)
}
