# The group of four banks that each of lanes 0 to 7 accesses with its 16 bytes.
#
#   gnuplot -c groups.gp DATA OUT SUBTITLE STEP
#
# DATA is what charts_memory.groups returns.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("panel")) nooutput
panels = int(STATS_max) + 1
box = 22
across_panels = panels < 4 ? panels : 4
down_panels = int((panels + across_panels - 1) / across_panels)
panel_width = 12.6
panel_height = 12.4

width = int((across_panels < 3 ? 3 : across_panels) * panel_width * box) + 20   # the heading takes three
height = int(60 + down_panels * panel_height * box)
heading = sprintf("%s: the bank groups of eight neighbouring lanes, 16 bytes each", ARG4)
call "style.gp" ARG1 ARG2 ARG3

set tmargin at screen up(56)
set bmargin at screen 1 - up(4)
set lmargin at screen across(14)
set rmargin at screen across(width - 6)
unset border
unset tics
unset grid
unset key
set xrange [0 : (width - 20) / real(box)]
set yrange [down_panels * panel_height : 0]

left = '(int(column("panel")) % across_panels * panel_width + 1.6)'
top = '(int(column("panel")) / across_panels * panel_height + 3.1)'
x = left.' + column("x")'
y = top.' + column("y")'
plot for [g = 0:7] for [l = 0:7] ARG1 using (@left + g):(is("title", @top + l)): \
        (@left + g):(@left + g + 1):(@top + l):(@top + l + 1) \
        with boxxyerror fs empty lc rgb lines, \
    "" using (@x):(is("cell", @y)):(@x + 0.04):(@x + 0.96):(@y + 0.06):(@y + 0.94) \
        with boxxyerror fs solid border lc rgb dark fc rgb light, \
    "" using (@x + 0.5):(at("cell", @y + 0.5)):(strcol("text")) with labels font small tc rgb ink, \
    for [g = 0:7] "" using (@left + g + 0.5):(at("title", @top - 0.45)):(sprintf("%d", g)) \
        with labels font tiny tc rgb faint, \
    "" using (@left - 0.2):(at("title", @top - 0.45)):("group") with labels right font tiny tc rgb faint, \
    "" using (@left - 0.3):(at("title", @top + 0.5)):("lane") with labels right font tiny tc rgb faint, \
    "" using (@left - 1.2):(at("title", @top - 2.3)):(strcol("text")) with labels left noenhanced tc rgb ink, \
    "" using (@left - 1.2):(at("names", @top - 1.4)):(strcol("text")) \
        with labels left noenhanced font small tc rgb faint, \
    "" using (@left):(at("good", @top + 8.6)):(strcol("text")) with labels left noenhanced font small tc rgb ink, \
    "" using (@left):(at("bad", @top + 8.6)):(strcol("text")) with labels left noenhanced font small tc rgb alarm
