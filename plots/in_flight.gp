# The bytes in flight on one SM, as the mean over a launch, per kernel.
#
#   gnuplot -c in_flight.gp DATA OUT SUBTITLE
#
# DATA has the columns kernel, bytes_per_thread, in_flight_kb and gb_per_s of in_flight.tsv.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("in_flight_kb")) nooutput
last = STATS_records - 1
most = STATS_max

width = 900
row_height = 30
height = 120 + row_height * (last + 1)
heading = "Bytes in flight on one SM, and the speed of the kernel that was watched"
call "style.gp" ARG1 ARG2 ARG3

set lmargin at screen across(325)
set rmargin at screen across(width - 20)
set bmargin at screen 1 - up(54)
set xrange [0 : most * 1.03]
set yrange [last + 0.6 : -0.6]
set xlabel "KB that loads wait for, the mean over the launch" offset 0,0.3 tc rgb ink
set grid xtics
set xtics tick(most)
unset ytics
unset key
set border 1
kb = 'column("in_flight_kb")'
name(row) = sprintf("%s, %d bytes per thread", strcol("kernel"), int(column("bytes_per_thread")))
figures(row) = sprintf("%.1f KB   %.0f GB/s", column("in_flight_kb"), column("gb_per_s"))
fits(kb) = kb > 0.4 * most    # a label in its bar
plot ARG1 using (@kb / 2):($0):(0):(@kb):($0 - 0.36):($0 + 0.36) with boxxyerror fs solid noborder fc rgb middle, \
    "" using (0):($0):(name(0)) with labels right offset -1,0 noenhanced tc rgb ink, \
    "" using (fits(@kb) ? @kb : nowhere):($0):(figures(0)) with labels right offset -1,0 tc rgb ink, \
    "" using (fits(@kb) ? nowhere : @kb):($0):(figures(0)) with labels left offset 1,0 tc rgb ink
