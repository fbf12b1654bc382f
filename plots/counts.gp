# Chart 5: what each variant asks of memory, beside the least that it could ask: sectors per request
# of its global accesses, conflict degree of its shared ones.
#
#   gnuplot -c counts.gp DATA OUT SUBTITLE
#
# DATA is what counts.awk prints.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("y")) nooutput
last = STATS_max

width = 900
row_height = 19
height = 165 + row_height * (last + 1)
heading = "Requests of a warp: what they cost, and what they would cost at best"
call "style.gp" ARG1 ARG2 ARG3

left = 200
panel = (width - left - 12) / 4.0
set tmargin at screen up(118)
set bmargin at screen 1 - up(20)
set logscale x 2
set xrange [0.7 : 130]    # room for a number beyond 32
set x2range [0.7 : 130]
set logscale x2 2
unset xtics
set x2tics scale 0 (1, 2, 4, 8, 16, 32) offset 0,-0.4 font small
set yrange [last + 0.7 : -0.7]
unset ytics
set grid x2tics
unset key
set label 4 "ring: at best" at screen across(width - 245), screen up(44) noenhanced tc rgb faint point pt 6 ps 1.6 * mark lc rgb ink offset 1,0
set label 5 "dot: counted" at screen across(width - 130), screen up(44) noenhanced tc rgb faint point pt 7 ps mark lc rgb dark offset 1,0

array key_of[4] = ["load", "store", "shared_load", "shared_store"]
array name_of[4] = ["global load", "global store", "shared load", "shared store"]
array unit_of[4] = ["sectors per request", "sectors per request", "conflict degree", "conflict degree"]

y = 'column("y")'
actual = 'column(k)'
ideal = 'column(k . "_ideal")'
nowhere = 0.01  # off this chart's axis, which is logarithmic
more(a, b, v) = a > 1.0005 * b ? v : nowhere    # than need be
equal(a, b, v) = a <= 1.0005 * b ? v : nowhere
text(v) = sprintf("%.3g%s", v, strcol(k . "_by") eq "async" ? " async" : "")
set multiplot
do for [p = 1:4] {
    k = key_of[p]
    set lmargin at screen across(left + (p - 1) * panel)
    set rmargin at screen across(left + p * panel - 8)
    set label 6 name_of[p] at graph 0, screen up(76) noenhanced tc rgb ink
    set label 7 unit_of[p] at graph 0, screen up(93) noenhanced font small tc rgb faint
    plot ARG1 using (@ideal):(@y):(@actual - @ideal):(0) with vectors nohead lw 3 lc rgb "#9db4cc", \
        "" using (@ideal):(@y) with points pt 6 ps 1.6 * mark lc rgb ink, \
        "" using (@actual):(@y) with points pt 7 ps mark lc rgb dark, \
        "" using (more(@actual, @ideal, @actual)):(@y):(text(@actual)) \
            with labels left offset 1.1,0 font small tc rgb ink, \
        "" using (equal(@actual, @ideal, @actual)):(@y):(text(@actual)) \
            with labels left offset 1.1,0 font tiny tc rgb faint, \
        "" using (strcol(k . "_by") eq "tma" ? 1 : nowhere):(@y):("TMA") \
            with labels left font tiny tc rgb faint, \
        "" using (p == 1 && strcol("kind") eq "head" ? 0.7 : nowhere):(@y):(strcol("step")) \
            with labels right offset -1,0 noenhanced font big tc rgb ink, \
        "" using (p == 1 && strcol("kind") eq "variant" ? 0.7 : nowhere):(@y):(strcol("variant")) \
            with labels right offset -1,0 noenhanced font small tc rgb ink
    unset label 1; unset label 2; unset label 4; unset label 5
}
unset multiplot
