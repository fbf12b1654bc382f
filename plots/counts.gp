# The memory traffic of each variant beside the smallest possible: sectors per request of its global
# accesses, conflict degree of its shared accesses.
#
#   gnuplot -c counts.gp DATA OUT SUBTITLE
#
# DATA is what charts_memory.counts returns. The four panels share one x axis. Each panel is `wide` units wide,
# and a value v stands at log2(v) units.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("y")) nooutput
last = STATS_max

width = 900
row_height = 19
height = 165 + row_height * (last + 1)
heading = "Cost of a warp's requests, and the least possible cost where it is less"
call "style.gp" ARG1 ARG2 ARG3

left = 200
wide = 7.7
place(figure) = column("panel") * wide + log(figure) / log(2)
set tmargin at screen up(118)
set bmargin at screen 1 - up(20)
set lmargin at screen across(left)
set rmargin at screen across(width - 12)
set xrange [-0.5 : 4 * wide - 0.5]
set yrange [last + 0.7 : -0.7]
unset xtics
unset ytics
unset key
set border 2
array name_of[4] = ["global load", "global store", "shared load", "shared store"]
array unit_of[4] = ["sectors per request", "sectors per request", "conflict degree", "conflict degree"]
set x2range [-0.5 : 4 * wide - 0.5]
set x2tics () scale 0 offset 0,-0.4 font small
do for [p = 0:3] {
    set label 10 + p name_of[p + 1] at p * wide - 0.3, screen up(76) noenhanced tc rgb ink
    set label 20 + p unit_of[p + 1] at p * wide - 0.3, screen up(93) noenhanced font small tc rgb faint
    do for [n = 0:5] {
        set x2tics add (sprintf("%d", 2 ** n) p * wide + n)
        set arrow from p * wide + n, graph 0 to p * wide + n, graph 1 nohead lc rgb lines back
    }
}
# The legend: a mark and its meaning.
set label 4 "counted" at screen across(width - 330), screen up(44) noenhanced tc rgb faint point pt 7 ps mark lc rgb dark offset 1,-0.2
set label 5 "least possible" at screen across(width - 240), screen up(44) noenhanced tc rgb faint point pt 6 ps 1.6 * mark lc rgb ink offset 1,-0.2
set label 6 "TMA alone" at screen across(width - 105), screen up(44) noenhanced tc rgb faint point pt 2 ps mark lc rgb faint offset 1,-0.2

y = 'column("y")'
x = 'place(column("x"))'
plot ARG1 using (@x):(is("ideal", @y)):(place(column("to")) - @x):(0) with vectors nohead lw 3 lc rgb middle, \
    "" using (@x):(is("ideal", @y)) with points pt 6 ps 1.6 * mark lc rgb ink, \
    "" using (@x):(is("counted", @y)) with points pt 7 ps mark lc rgb dark, \
    "" using (@x):(is("tma", @y)) with points pt 2 ps mark lc rgb faint, \
    "" using (@x):(at("number", @y)):(strcol("text")) with labels left offset 1.1,0 font small tc rgb ink, \
    "" using (-0.5):(at("head", @y)):(strcol("text")) with labels right offset -1,0 noenhanced font big tc rgb ink, \
    "" using (-0.5):(at("variant", @y)):(strcol("text")) with labels right offset -1,0 noenhanced font small tc rgb ink
