# Horizontal bars in GB/s with lines at the copy ceiling and the theoretical peak: one bar per step
# (progression.svg) or one bar per variant of a step (variants_STEP.svg).
#
#   gnuplot -c bars.gp DATA OUT SUBTITLE HEADING CEILING PEAK [LEGEND]
#
# DATA is what charts.progression or charts.variants returns; CEILING and PEAK are in GB/s, nan if unknown.
# LEGEND lists the kinds of bars in the progression. Without LEGEND the bars are narrow and have no axis,
# since each bar shows its value.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("y")) nooutput
last = STATS_max
most = 0
do for [text in ARG5 . " " . ARG6] { if (text ne "nan" && real(text) > most) { most = real(text) } }
stats ARG1 using (strcol("to") eq "nan" ? most : column("to")) nooutput
most = STATS_max > 0 ? STATS_max : 1

is_wide = ARG7 ne ""
width = 900
row_height = is_wide ? 50 : 19
half = is_wide ? 0.36 : 0.4
below = is_wide ? 116 : 34
height = 80 + below + row_height * (last + 1)
heading = ARG4
call "style.gp" ARG1 ARG2 ARG3
bar_text = is_wide ? "" : small

set lmargin at screen across(is_wide ? 240 : 225)
set rmargin at screen across(width - 25)
set bmargin at screen 1 - up(below)
set xrange [0 : most * 1.03]
set yrange [last + 0.7 : -0.7]
unset xtics
unset ytics
unset key
ceiling = ARG5 eq "nan" ? "" : sprintf("copy ceiling %.0f GB/s", real(ARG5))
peak = ARG6 eq "nan" ? "" : sprintf("theoretical peak %.0f GB/s", real(ARG6))
if (is_wide) {
    set xlabel "bandwidth, read plus written, GB/s" offset 0,0.2
    set xtics nomirror tick(most) textcolor rgb ink
    set grid xtics
    set key at screen 0.5, screen 1 - up(30) center horizontal Left reverse noenhanced samplen 2 width -2
} else {
    set label 3 (strlen(ceiling) ? "solid line: " . ceiling : "") . (strlen(peak) ? "; dashed: " . peak : "") \
        at screen across(225), screen 1 - up(16) noenhanced font small tc rgb ink
}
if (strlen(ceiling)) { set arrow 1 from real(ARG5), graph 0 to real(ARG5), graph 1 nohead lc rgb ink lw 2.5 front }
if (strlen(peak)) { set arrow 2 from real(ARG6), graph 0 to real(ARG6), graph 1 nohead lc rgb faint lw 2 dt (6,4) front }

y = 'column("y")'
x = 'column("from")'
sides = '(@x):(column("to")):(@y - half):(@y + half)'
in_legend(word) = is_wide && strstrt(ARG7, word) ? 1 : 0
plot \
    ARG1 using (@x):(is("headline", @y)):@sides with boxxyerror fs solid noborder lc rgb dark notitle, \
    "" using (@x):(is("best", @y)):@sides with boxxyerror fs solid noborder lc rgb middle notitle, \
    "" using (@x):(is("peer", @y)):@sides with boxxyerror fs solid border lc rgb dark fc rgb light notitle, \
    "" using (0):(at("step", @y)):(strcol("text")) with labels right offset -1,0 noenhanced font big tc rgb ink notitle, \
    "" using (0):(at("name", @y)):(strcol("text")) with labels right offset -1,0 noenhanced font small tc rgb ink notitle, \
    "" using (0):(at("note", @y)):(strcol("text")) with labels right offset -1,0 noenhanced font small tc rgb faint notitle, \
    "" using (at("inside", @x)):(@y):(strcol("text")):(column("colour")) \
        with labels right offset -1,0 noenhanced font bar_text tc rgb variable notitle, \
    "" using (at("outside", @x)):(@y):(strcol("text")):(column("colour")) \
        with labels left offset 1,0 noenhanced font bar_text tc rgb variable notitle, \
    keyentry with boxes fs solid noborder fc rgb dark title (in_legend("headline") ? "headline variant" : ""), \
    keyentry with boxes fs solid noborder fc rgb middle title (in_legend("best") ? "the step's best" : ""), \
    keyentry with boxes fs solid border lc rgb dark fc rgb light title (in_legend("peer") ? "peer: a library" : ""), \
    keyentry with lines lc rgb ink lw 2.5 title ceiling, \
    keyentry with lines lc rgb faint lw 2 dt (6,4) title peak
