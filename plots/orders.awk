# The tiles of a matrix in the orders in which blocks visit them, arranged for orders.gp. It follows from
# the formulas alone: nothing is measured.
#
#   awk -v tiles=8 -v first=20 -v flying=12 -f orders.awk
#
# An input of tiles x tiles tiles. Blocks `first` to `first` + `flying` - 1 are in flight, those before are
# done. Prints `order panel row col number state`: panel 0 is the input, 1 the output, in which the tile
# of input (row, col) lies at (col, row); state is done, flying or waiting.

function put(name, row, col, number,    state) {
    state = number < first ? "done" : number < first + flying ? "flying" : "waiting"
    print name, 0, row, col, number, state
    print name, 1, col, row, number, state
}

BEGIN {
    OFS = "\t"
    print "order", "panel", "row", "col", "number", "state"
    half = int(tiles / 2) * tiles
    for (b = 0; b < tiles * tiles; b++) {
        put(0, int(b / tiles), b % tiles, b)
        put(1, b % tiles, int(b / tiles), b)
        number = b < 2 * half ? b % 2 * half + int(b / 2) : b
        put(2, number % tiles, int(number / tiles), b)
    }
}
