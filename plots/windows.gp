# The parts of output rows that a tile writes, and those that windows write, if rows begin anywhere in a
# sector. Each row shows three sectors of eight words.
#
#   gnuplot -c windows.gp DATA OUT SUBTITLE HEADING
#
# DATA is what charts_memory.windows returns.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("y")) nooutput
last = STATS_max + 1.2

width = 720
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
set xrange [-3.9 : 24.2]
set yrange [last - 4 / real(box) : 0]

x = 'column("x")'
y = 'column("y")'
plot ARG1 using (@x + 4):(is("idle", @y)):(@x + 0.06):(@x + 7.94):(@y - 0.5):(@y + 0.5) \
        with boxxyerror fs empty lc rgb middle, \
    "" using (@x + 4):(is("whole", @y)):(@x + 0.06):(@x + 7.94):(@y - 0.5):(@y + 0.5) \
        with boxxyerror fs solid border lc rgb dark fc rgb light, \
    "" using (@x + 4):(is("part", @y)):(@x + 0.06):(@x + 7.94):(@y - 0.5):(@y + 0.5) \
        with boxxyerror fs solid border lc rgb alarm fc rgb blush, \
    "" using (@x + 0.5):(is("word", @y)):(@x + 0.14):(@x + 0.86):(@y - 0.38):(@y + 0.38) \
        with boxxyerror fs solid noborder fc rgb dark, \
    "" using (@x + 0.5):(at("word", @y)):(strcol("text")) with labels font tiny tc rgb "white", \
    "" using (-0.3):(at("line", @y)):(strcol("text")) with labels right font small tc rgb faint, \
    "" using (0):(at("title", @y)):(strcol("text")) with labels left noenhanced tc rgb ink
