# Layouts, accesses and commands for the test of the bench, the same ones for the same seed.
#
#   awk -v seed=1 -v count=300 -v what=states|commands -f bench.awk
#
# states: lines "LAYOUT SWIZZLE BYTES VECTOR ACCESS MEMORY STORE REQUEST", tabs between, `-` for no
# swizzle; some of them are refused. commands: the arguments of the program, tabs between.
function pick(n) { return int(rand() * n) }
function of(list,    part, n) { n = split(list, part, " "); return part[1 + pick(n)] }
function side() { return of("2 3 4 6 8 8 12 16 16 32 32 64") }
function tile(    rows, cols, pad) {
    rows = side()
    cols = side()
    pad = of("0 0 0 1 2 4 8")
    if (pick(8) == 0)
        return sprintf("((%d,%d),%d):((%d,%d),%d)", rows, of("2 4"), cols, cols, rows * cols, 1)
    if (pick(6) == 0)
        return sprintf("(%d,%d):(1,%d)", rows, cols, rows + pad)
    if (pick(12) == 0)
        return sprintf("(%d,%d):(%d,%d)", rows, cols, pick(40), pick(5))
    return sprintf("(%d,%d):(%d,1)", rows, cols, cols + pad)
}
function lanes() {
    return of("row column row column row column 32:1 8:1 (8,4):(1,64) (16,2):(1,256) (4,8):(8,1) 16:2 32:0")
}
function some_layout() { return pick(5) ? tile() : of("7 (4,6) 4:2 20:2 (6,2):(8,2) ((2,4),3):((1,6),2) (4,x (0,3)") }
BEGIN {
    srand(seed)
    for (i = 0; i < count; i++)
        if (what == "states")
            print tile() "\t" (pick(2) ? of("5,0,5 3,2,3 3,3,3 2,0,3 1,0,1 5,0,6 9,0,9 9,0,2") : "-") "\t" \
                of("1 2 4 4 4 8 16") "\t" of("1 1 1 1 1 1 2 4") "\t" lanes() "\t" \
                of("shared shared global") "\t" of("0 1") "\t" pick(3)
        else {
            command = of("compose divide product complement coalesce inverse show map coord tile equal threads search banks")
            line = command "\t" some_layout()
            if (command ~ /compose|equal|threads/) line = line "\t" some_layout()
            if (command ~ /divide|product/)
                line = line "\t" of("(2,4) 4:1 <2,2> (4,2):(2,1) _") "\t" of("--zipped --flat --tiled --raked --logical")
            if (command == "map") line = line "\t(" pick(9) "," pick(9) ")\t(" pick(4) ",_)"
            if (command == "coord") line = line "\t" pick(40)
            if (command == "tile") line = line "\t(2,2)\t(" pick(3) "," pick(3) ")"
            print line
        }
}
