# The orders in which blocks visit the tiles, in the input and in the output.
#
#   gnuplot -c orders.gp DATA OUT SUBTITLE
#
# DATA is what charts_memory.orders returns.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("row")) nooutput
tiles = int(STATS_max) + 1
box = 30
width = int((3 * (tiles + 1.6) + 1.2) * box)
height = int((2 * (tiles + 1.7) + 1.2) * box) + 60
heading = "Three orders of tiles: which block moves which tile"
call "style.gp" ARG1 ARG2 ARG3

set tmargin at screen up(62)
set bmargin at screen 1 - up(4)
set lmargin at screen across(10)
set rmargin at screen across(width - 4)
unset border
unset tics
unset grid
unset key
set xrange [0 : width / real(box)]
set yrange [(height - 62) / real(box) : 0]

name(o) = o == 0 ? "row order" : o == 1 ? "column order" : "two fronts"
left = '(column("order") * (tiles + 1.6) + 1.2)'
top = '(column("panel") * (tiles + 1.7) + 1.6)'
x = left.' + column("col")'
y = top.' + column("row")'
of(state, v) = strcol("state") eq state ? v : NaN
first(v) = column("number") == 0 ? v : nowhere

plot ARG1 using (@x):(of("waiting", @y)):(@x + 0.03):(@x + 0.97):(@y + 0.03):(@y + 0.97) \
        with boxxyerror fs solid border lc rgb faint fc rgb "white", \
    "" using (@x):(of("done", @y)):(@x + 0.03):(@x + 0.97):(@y + 0.03):(@y + 0.97) \
        with boxxyerror fs solid border lc rgb faint fc rgb light, \
    "" using (@x):(of("flying", @y)):(@x + 0.03):(@x + 0.97):(@y + 0.03):(@y + 0.97) \
        with boxxyerror fs solid border lc rgb faint fc rgb dark, \
    "" using (@x + 0.5):(strcol("state") eq "flying" ? nowhere : @y + 0.5):(strcol("number")) \
        with labels font small tc rgb ink, \
    "" using (@x + 0.5):(strcol("state") eq "flying" ? @y + 0.5 : nowhere):(strcol("number")) \
        with labels font small tc rgb "white", \
    "" using (@left):(first(@top - 0.5)): \
        (name(column("order")).(column("panel") == 0 ? ": the input, read" : ": the output, written")) \
        with labels left noenhanced tc rgb ink
