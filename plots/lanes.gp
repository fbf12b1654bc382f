# The accesses of the first warp to shared memory in one step. Each word is a box above its bank, numbered
# by its lane. A bank serves one word per wavefront, so a bank conflict is a high pile of boxes.
#
#   gnuplot -c lanes.gp DATA OUT SUBTITLE STEP
#
# DATA is what charts_memory.lanes returns.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("y")) nooutput
last = STATS_max + 1.3

width = 900
box = 17
height = 70 + box * last
heading = sprintf("%s: which bank each lane of a warp meets", ARG4)
call "style.gp" ARG1 ARG2 ARG3

set tmargin at screen up(66)
set bmargin at screen 1 - up(4)
set lmargin at screen across(55)
set rmargin at screen across(width - 15)
unset border
unset tics
unset key
set xrange [-0.5 : 31.5]
set yrange [last - 4 / real(box) : 0]

x = 'column("x")'
y = 'column("y")'
plot ARG1 using (@x):(is("word", @y)):(@x - 0.47):(@x + 0.47):(@y - 0.45):(@y + 0.45) \
        with boxxyerror fs solid border lc rgb dark fc rgb light, \
    "" using (@x):(at("word", @y)):(strcol("text")) with labels font small tc rgb ink, \
    "" using (-0.5):(is("part", @y)):(32):(0) with vectors nohead lw 1.5 lc rgb faint, \
    "" using (-0.5):(is("base", @y)):(32):(0) with vectors nohead lw 2 lc rgb ink, \
    for [b = 0:31] "" using (b):(at("base", @y + 0.5)):(sprintf("%d", b)) \
        with labels font tiny tc rgb faint, \
    "" using (-0.5):(at("base", @y + 0.5)):("bank") with labels right offset -1,0 font tiny tc rgb faint, \
    "" using (-0.5):(at("title", @y)):(strcol("text")) with labels left noenhanced tc rgb ink, \
    "" using (-0.5):(at("names", @y)):(strcol("text")) with labels left noenhanced font small tc rgb faint
