# Bytes that leave each GPU per second, against the size of the matrix or the number of GPUs: one line per
# variant, one for the fastest copy, and one for what the links carry at best.
#
#   gnuplot -c many.gp DATA OUT SUBTITLE X LABEL RATE LINES
#
# charts.many_lines returns DATA and LINES (the columns to draw besides the ceiling). X is DATA's first
# column, LABEL its name on the axis. RATE is the rate of the links in GB/s, nan if unknown.

set datafile separator "\t"
set datafile columnheaders
set datafile missing "nan"
stats ARG1 using (column(ARG4)) nooutput
low = STATS_min
high = STATS_max
most = ARG6 eq "nan" ? 0 : real(ARG6)
do for [name in "ceiling " . ARG7] {
    stats ARG1 using (column(name)) nooutput
    if (STATS_records > 0 && STATS_max > most) { most = STATS_max }
}

width = 960
height = 480
heading = "What leaves each GPU, by " . ARG5
call "style.gp" ARG1 ARG2 ARG3

set lmargin at screen across(85)
set rmargin at screen across(width - 245)
set bmargin at screen 1 - up(60)
set logscale x 2
set xrange [low / 1.15 : high * 1.15]
set yrange [0 : most * 1.08]
set xtics 1, 2
set xlabel ARG5
set ylabel "bytes leaving each GPU, GB/s"
set grid ytics
set key at screen across(width - 235), graph 1 left top Left reverse noenhanced spacing 1.5 samplen 3
if (ARG6 ne "nan") {
    set arrow 1 from graph 0, first real(ARG6) to graph 1, first real(ARG6) nohead lc rgb faint lw 2 dt (6,4)
    set label 3 sprintf("rate of the links %.0f GB/s", real(ARG6)) at graph 0.01, first real(ARG6) left \
        offset 0,0.6 noenhanced font small tc rgb faint front
}

# The n-th of the words; starts again after the last.
nth(list, n) = word(list, (n - 1) % words(list) + 1)
plot ARG1 using (column(ARG4)):(column("ceiling")) with lines lw 6 lc rgb band title "fastest copy", \
    for [i=1:words(ARG7)] "" using (column(ARG4)):(column(word(ARG7, i))) with linespoints lw 2 \
        lc rgb nth(shades, i) pt int(nth(shapes, i)) ps mark title word(ARG7, i)
