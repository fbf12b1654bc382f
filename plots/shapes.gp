# Chart 4: any shape and element. A row for each, across it the percentage of cudaMemcpy's speed of
# transpose() and of each peer; the two figures at the right are transpose()'s and the best peer's.
#
#   gnuplot -c shapes.gp DATA OUT SUBTITLE MOST
#
# DATA is what shapes.awk prints, and MOST too: the largest figure.

set datafile separator "\t"
set datafile columnheaders
set datafile missing "nan"
stats ARG1 using (column("y")) nooutput
last = STATS_max
most = real(ARG4) > 100 ? real(ARG4) : 100

row_height = 19
width = 940
height = 64 + 56 + (last + 1.2) * row_height + 30
heading = "Any shape, any element: percent of cudaMemcpy's speed in the same run"
call "style.gp" ARG1 ARG2 ARG3

# The axis from 0 on begins at left pixels; names and figures stand in the same coordinates beside it.
left = 190
right = 130
unit = most * 1.02 / (width - left - right)
set tmargin at screen up(64 + 56)
set lmargin at screen across(0)
set rmargin at screen across(width)
set bmargin at screen 1 - up(30)
set yrange [last + 0.6 : -0.6]
set xrange [-left * unit : (width - left) * unit]
unset ytics
set xtics 0, 20, most
unset border
set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb faint back
set arrow 2 from 100, graph 0 to 100, graph 1 nohead lc rgb faint lw 1.5 back
set key at screen across(left), screen up(56) left top Left reverse noenhanced vertical maxrows 2 samplen 1.5 font small

is(kind) = stringcolumn("kind") eq kind
shape_y = 'is("shape") ? column("y") : NaN'
names = -8 * unit
ours = (width - left - 75) * unit
peers = (width - left - 12) * unit
set label 3 "transpose()" at ours, graph 1 right offset 0,0.7 noenhanced font small tc rgb dark front
set label 4 "best peer" at peers, graph 1 right offset 0,0.7 noenhanced font small tc rgb faint front

# A faint line along each row leads the eye from its name to its marks.
plot ARG1 using (0):(@shape_y):(most * 1.02):(0) with vectors nohead lc rgb "#eeeeee" lw 1 notitle, \
    "" using (column("contiguous")):(column("y")) with points pt 2 ps mark lw 1.5 lc rgb middle title "PyTorch", \
    "" using (column("compiled")):(column("y")) with points pt 8 ps mark lw 1.5 lc rgb middle title "compiled", \
    "" using (column("max_autotune")):(column("y")) with points pt 9 ps mark lc rgb middle title "max-autotune", \
    "" using (column("geam")):(column("y")) with points pt 12 ps mark * 1.2 lw 1.5 lc rgb alarm title "cuBLAS geam", \
    "" using (column("cutensor")):(column("y")) with points pt 3 ps mark lw 1.5 lc rgb alarm title "cuTENSOR", \
    "" using (column("steps")):(column("y")) with points pt 4 ps mark * 1.1 lw 1.5 lc rgb ink title "best of steps 04 to 07", \
    "" using (column("transpose")):(column("y")) with points pt 7 ps mark * 1.3 lc rgb dark title "transpose() of step 08", \
    "" using (names):(@shape_y):(stringcolumn("label")) with labels right noenhanced font small tc rgb ink notitle, \
    "" using (names):(is("head") ? column("y") : NaN):(stringcolumn("label")) with labels right noenhanced font big tc rgb dark notitle, \
    "" using (ours):(@shape_y):(stringcolumn("ours")) with labels right noenhanced font small tc rgb dark notitle, \
    "" using (peers):(@shape_y):(stringcolumn("peer")) with labels right noenhanced font small tc rgb faint notitle
