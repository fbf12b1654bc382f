# Bandwidth against the size of the matrix: one line per step (its fastest variant at each size) and one for
# the copy ceiling. A vertical line marks the size at which both matrices just fill the L2 cache.
#
#   gnuplot -c sizes.gp DATA OUT SUBTITLE L2 MOST LINES
#
# charts.sizes returns DATA, LINES (the columns to draw besides the ceiling) and MOST (the largest GB/s).
# L2 is the cache's size in bytes, nan if unknown.

set datafile separator "\t"
set datafile columnheaders
set datafile missing "nan"
stats ARG1 using (column("size")) nooutput
low = STATS_min
high = STATS_max
most = real(ARG5) > 0 ? real(ARG5) : 1

width = 900
height = 560
heading = "Bandwidth by size of the matrix: each step's fastest variant at that size"
call "style.gp" ARG1 ARG2 ARG3

set lmargin at screen across(85)
set rmargin at screen across(width - 190)
set bmargin at screen 1 - up(60)
set logscale x 2
set xrange [low / 1.15 : high * 1.15]
set yrange [0 : most * 1.08]
set xtics 1, 2
set xlabel "N, of an N x N matrix of floats"
set ylabel "bandwidth, read plus written, GB/s"
set grid ytics
set key at screen across(width - 180), graph 1 left top Left reverse noenhanced spacing 1.5 samplen 3

# The N for which in + out = 2 * N * N * 4 bytes is the size of L2.
if (ARG4 ne "nan") {
    fills = sqrt(real(ARG4) / 8)
    if (fills > low && fills < high) {
        set arrow 1 from fills, graph 0 to fills, graph 1 nohead lc rgb faint dt (5,5) lw 1.5
        set label 3 sprintf("both matrices fit in L2 (%.0f MB)", real(ARG4) / 1e6) at fills, graph 0.975 right \
            offset -1,0 noenhanced font small tc rgb faint front
    }
}

# The n-th of the words; starts again after the last.
nth(list, n) = word(list, (n - 1) % words(list) + 1)
plot ARG1 using (column("size")):(column("ceiling")) with lines lw 6 lc rgb band title "copy ceiling", \
    for [i=1:words(ARG6)] "" using (column("size")):(column(word(ARG6, i))) with linespoints lw 2 \
        lc rgb nth(shades, i) pt int(nth(shapes, i)) ps mark title word(ARG6, i)
