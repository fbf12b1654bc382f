# The blocks on one SM during a short span of time, loading or storing, and the bytes in flight; for two
# kernels.
#
#   gnuplot -c timeline.gp DATA OUT SUBTITLE KERNEL1 TEXT1 KERNEL2 TEXT2 SPAN
#
# DATA is what charts_memory.timeline returns.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (strcol("kind") eq "panel" && column("panel") == 1 ? column("y") : NaN) nooutput
places1 = STATS_max
stats ARG1 using (strcol("kind") eq "panel" && column("panel") == 2 ? column("y") : NaN) nooutput
places2 = STATS_max
stats ARG1 using (strcol("kind") eq "panel" ? column("from") : NaN) nooutput
most = STATS_max
span = real(ARG8)

width = 900
curve = 90
bar(places) = places < 5 ? 22 : 13
tall1 = places1 * bar(places1)
tall2 = places2 * bar(places2)
height = 96 + 2 * (22 + 8 + curve + 22) + tall1 + tall2 + 26
heading = "What the blocks on one SM do, and the bytes in flight meanwhile"
call "style.gp" ARG1 ARG2 ARG3

set lmargin at screen across(75)
set rmargin at screen across(width - 30)
set xrange [0 : span]
set border 3
unset key
unset grid
from = 'column("from")'
y = 'column("y")'
in(what, p, v) = column("panel") == p ? is(what, v) : NaN

set label 10 "■" at screen across(75), screen up(70) tc rgb middle font big front
set label 11 "its loads are in flight" at screen across(95), screen up(70) tc rgb ink front
set label 12 "■" at screen across(270), screen up(70) tc rgb dark font big front
set label 13 "all have arrived: it stores" at screen across(290), screen up(70) tc rgb ink front
set label 14 "□" at screen across(490), screen up(70) tc rgb faint font big front
set label 15 "white: no block, or none that has sent a load" at screen across(510), screen up(70) tc rgb ink front

set multiplot
top = 96
do for [p = 1:2] {
    tall = p == 1 ? tall1 : tall2
    places = p == 1 ? places1 : places2
    set label 20 (p == 1 ? ARG5 : ARG7) at screen across(75), screen up(top + 8) tc rgb ink noenhanced front
    set tmargin at screen up(top + 22)
    set bmargin at screen up(top + 22 + tall)
    set yrange [places - 0.5 : -0.5]
    unset xtics
    unset ytics
    unset xlabel
    set ylabel "blocks" offset 1,0 tc rgb ink
    # Thick lines become one SVG path for all blocks; boxes would become one object each.
    plot ARG1 using (@from):(in("load", p, @y)):(column("to") - @from):(0) with vectors nohead lw 0.84 * bar(places) lc rgb middle, \
        "" using (@from):(in("store", p, @y)):(column("to") - @from):(0) with vectors nohead lw 0.84 * bar(places) lc rgb dark
    do for [l = 1:2] { unset label l }
    do for [l = 10:15] { unset label l }
    unset label 20
    set tmargin at screen up(top + 22 + tall + 8)
    set bmargin at screen up(top + 22 + tall + 8 + curve)
    set yrange [0 : most * 1.05]
    set ytics 20 nomirror font small
    set ylabel "KB in flight" offset 1,0 tc rgb ink
    if (p == 2) { set xtics autofreq nomirror font small; set xlabel "clock cycles of the SM" offset 0,0.4 tc rgb ink }
    plot ARG1 using (@from):(in("flight", p, @y)) with filledcurves y=0 fs solid fc rgb middle
    top = top + 22 + tall + 8 + curve + 22
}
unset multiplot
