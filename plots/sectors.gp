# A warp's requests to global memory. A row of 32 words is a line of 128 bytes; its four boxes are sectors.
# Memory moves a whole sector if any lane loads a part of it.
#
#   gnuplot -c sectors.gp DATA OUT SUBTITLE HEADING
#
# DATA is what charts_memory.sectors returns.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("y")) nooutput
last = STATS_max + 1.2

width = 900
box = 21
height = 74 + box * last
heading = ARG4
call "style.gp" ARG1 ARG2 ARG3

set tmargin at screen up(70)
set bmargin at screen 1 - up(4)
set lmargin at screen across(10)
set rmargin at screen across(width - 15)
unset border
unset tics
unset grid
unset key
set xrange [-2.6 : 32.2]
set yrange [last - 4 / real(box) : 0]

x = 'column("x")'
y = 'column("y")'
plot ARG1 using (@x + 4):(is("idle", @y)):(@x + 0.06):(@x + 7.94):(@y - 0.5):(@y + 0.5) \
        with boxxyerror fs empty lc rgb middle, \
    "" using (@x + 4):(is("sector", @y)):(@x + 0.06):(@x + 7.94):(@y - 0.5):(@y + 0.5) \
        with boxxyerror fs solid border lc rgb dark fc rgb light, \
    "" using (@x + 0.5):(is("word", @y)):(@x + 0.14):(@x + 0.86):(@y - 0.38):(@y + 0.38) \
        with boxxyerror fs solid noborder fc rgb dark, \
    "" using (@x + 0.5):(at("word", @y)):(strcol("text")) with labels font tiny tc rgb "white", \
    "" using (-0.3):(at("line", @y)):(strcol("text")) with labels right font small tc rgb faint, \
    "" using (0):(at("title", @y)):(strcol("text")) with labels left noenhanced tc rgb ink
