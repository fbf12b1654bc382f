# The speed of transpose() and of each peer, in percent of cudaMemcpy's: a line per shape and element size. The
# two numbers at the right are the percentages of transpose() and of the best peer.
#
#   gnuplot -c shapes.gp DATA OUT SUBTITLE LIMIT BEYOND CONTENDERS
#
# DATA is what charts.shapes returns. The axis ends at LIMIT percent. Marks beyond it stand in slots beside the axis,
# which are BEYOND percent wide together, each with its percentage. CONTENDERS lists the kinds of marks in DATA.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("y")) nooutput
last = STATS_max
limit = real(ARG4)
end = limit + real(ARG5)

row_height = 19
width = 940
top = 64 + 72
height = top + (last + 1.2) * row_height + 50
heading = "Any shape, any element: percent of cudaMemcpy's speed in the same run"
call "style.gp" ARG1 ARG2 ARG3

# The axis starts at 0, `left` pixels from the left. Names and numbers beside it use the same coordinates.
left = 190
right = 130
unit = (end + 2) / (width - left - right)
set tmargin at screen up(top)
set lmargin at screen across(0)
set rmargin at screen across(width)
set bmargin at screen 1 - up(50)
set yrange [last + 0.6 : -0.6]
set xrange [-left * unit : (width - left) * unit]
unset ytics
set xtics 0, 20, limit
unset border
set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb faint back
set arrow 2 from 100, graph 0 to 100, graph 1 nohead lc rgb faint lw 1.5 back
set label 5 "percent of cudaMemcpy's speed" at limit / 2, graph 0 center offset 0,-2.2 noenhanced tc rgb ink
set key at screen across(left), screen up(56) left top Left reverse noenhanced vertical maxrows 3 samplen 1.5 font small

x = 'column("x")'
y = 'column("y")'
text = 'strcol("text")'
legend(name, text) = strstrt(" " . ARG6 . " ", " " . name . " ") ? text : ""
names = -8 * unit
ours = (width - left - 75) * unit
peers = (width - left - 12) * unit
set label 3 "transpose()" at ours, graph 1 right offset 0,0.7 noenhanced font small tc rgb dark front
set label 4 "best peer" at peers, graph 1 right offset 0,0.7 noenhanced font small tc rgb faint front
if (end > limit) {
    set label 6 sprintf("beyond %.0f", limit) at limit + 2, graph 1 left offset 0,0.7 noenhanced font small tc rgb faint front
    set arrow 3 from limit, graph 0 to limit, graph 1 nohead lc rgb faint dt (2,4) back
}

# A faint line leads the eye from each name to its marks.
plot ARG1 using (0):(is("shape", @y)):(end):(0) with vectors nohead lc rgb lines lw 1 notitle, \
    "" using (@x):(is("contiguous", @y)) with points pt 2 ps mark lw 1.5 lc rgb middle title legend("contiguous", "PyTorch"), \
    "" using (@x):(is("compiled", @y)) with points pt 8 ps mark lw 1.5 lc rgb middle title legend("compiled", "compiled"), \
    "" using (@x):(is("max_autotune", @y)) with points pt 9 ps mark lc rgb middle title legend("max_autotune", "max-autotune"), \
    "" using (@x):(is("geam", @y)) with points pt 12 ps mark * 1.2 lw 1.5 lc rgb alarm title legend("geam", "cuBLAS geam"), \
    "" using (@x):(is("cutensor", @y)) with points pt 3 ps mark lw 1.5 lc rgb alarm title legend("cutensor", "cuTENSOR"), \
    "" using (@x):(is("steps", @y)) with points pt 4 ps mark * 1.1 lw 1.5 lc rgb ink title legend("steps", "best of steps 04 to 07"), \
    "" using (@x):(is("transpose", @y)) with points pt 7 ps mark * 1.3 lc rgb dark title legend("transpose", "transpose() of step 08"), \
    "" using (@x):(at("beyond", @y)):(@text) with labels left offset 0.8,0 noenhanced font small tc rgb ink notitle, \
    "" using (names):(at("shape", @y)):(@text) with labels right noenhanced font small tc rgb ink notitle, \
    "" using (names):(at("head", @y)):(@text) with labels right noenhanced font big tc rgb dark notitle, \
    "" using (ours):(at("ours", @y)):(@text) with labels right noenhanced font small tc rgb dark notitle, \
    "" using (peers):(at("peer", @y)):(@text) with labels right noenhanced font small tc rgb faint notitle
