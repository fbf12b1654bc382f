# What charts 1 and 2 have in common: horizontal bars against the copy ceiling and the peak.
# The chart sets heading, row_height (pixels), half (of a bar, in rows), and how it names its rows:
# the step's name stands beside rows of kind head_kind, head_up above their middle, the variant's
# name name_down below its own; bar_font (normal or small), room
# (the part of the axis that a label takes), speed(gb) and share(percent), the text on a bar.
# Called with the chart's own DATA OUT SUBTITLE CEILING PEAK.

set datafile separator "\t"
set datafile columnheaders
zero_if_nan(text) = text eq "nan" ? 0 : real(text)

stats ARG1 using (column("y")) nooutput
last = STATS_max
stats ARG1 using (zero_if_nan(strcol("gb_per_s"))) nooutput
most = STATS_max
if (zero_if_nan(ARG4) > most) { most = zero_if_nan(ARG4) }
if (zero_if_nan(ARG5) > most) { most = zero_if_nan(ARG5) }
if (most == 0) { most = 1 }

width = 900
height = 170 + row_height * (last + 1)
call "style.gp" ARG1 ARG2 ARG3
bar_text = bar_font eq "small" ? small : ""

set lmargin at screen across(225)
set rmargin at screen across(width - 25)
set bmargin at screen 1 - up(92)
set xrange [0 : most * 1.03]
set yrange [last + 0.7 : -0.7]
set xlabel "bandwidth, read plus written, GB/s" offset 0,0.2
set grid xtics
unset ytics
set key at screen 0.5, screen 1 - up(20) center horizontal Left reverse noenhanced width 2

if (ARG4 ne "nan") {
    set arrow 1 from real(ARG4), graph 0 to real(ARG4), graph 1 nohead lc rgb ink lw 2.5 front
}
if (ARG5 ne "nan") {
    set arrow 2 from real(ARG5), graph 0 to real(ARG5), graph 1 nohead lc rgb faint lw 2 dt (6,4) front
}

is(kind, v) = strcol("kind") eq kind ? v : NaN
at(kind, v) = strcol("kind") eq kind ? v : nowhere
inside(v) = v > room * most ? v : nowhere    # where its label goes, in the bar or behind it
outside(v) = strcol("gb_per_s") ne "nan" && v <= room * most ? v : nowhere
text(v) = strcol("percent_of_copy") eq "nan" ? speed(v) : \
          speed(v) . "   " . share(column("percent_of_copy"))
y = 'column("y")'
gb = 'zero_if_nan(strcol("gb_per_s"))'

plot \
    ARG1 using (0):(@y):(0):(is("step", @gb)):(@y - half):(@y + half) \
        with boxxyerror fs solid noborder lc rgb dark notitle, \
    "" using (0):(@y):(0):(is("peer", @gb)):(@y - half):(@y + half) \
        with boxxyerror fs solid noborder lc rgb light notitle, \
    "" using (0):(at(head_kind, @y - head_up)):(strcol("step")) \
        with labels right offset -1,0 noenhanced font big tc rgb ink notitle, \
    "" using (0):(strcol("kind") eq "peer" ? @y : at("step", @y + name_down)):(strcol("variant")) \
        with labels right offset -1,0 noenhanced font small tc rgb ink notitle, \
    "" using (inside(at("step", @gb))):(@y):(text(@gb)) \
        with labels right offset -1,0 noenhanced font bar_text tc rgb "white" notitle, \
    "" using (inside(at("peer", @gb))):(@y):(text(@gb)) \
        with labels right offset -1,0 noenhanced font bar_text tc rgb ink notitle, \
    "" using (outside(@gb)):(@y):(text(@gb)) \
        with labels left offset 1,0 noenhanced font bar_text tc rgb ink notitle, \
    "" using (strcol("status") eq "ok" ? nowhere : 0):(@y):(strcol("status")) \
        with labels left offset 1,0 noenhanced font bar_text tc rgb alarm notitle, \
    NaN with lines lc rgb ink lw 2.5 \
        title (ARG4 eq "nan" ? "" : sprintf("copy ceiling %.0f GB/s", real(ARG4))), \
    NaN with lines lc rgb faint lw 2 dt (6,4) \
        title (ARG5 eq "nan" ? "" : sprintf("theoretical peak %.0f GB/s", real(ARG5)))
