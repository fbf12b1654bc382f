# What charts 1 and 2 have in common: horizontal bars against the copy ceiling and the peak.
# The chart sets heading, row_height (pixels), half (of a bar, in rows), left (pixels, for the names),
# and how it names its rows: the step's name stands beside rows of kind head_kind, head_up above
# their middle, the variant's name name_down below its own, the name of a step's best best_down
# below; bar_font (normal or small), room (the part of the axis that a label takes),
# best_room (the part that two short ones take), speed(gb) and share(percent), the text on a bar.
# Called with the chart's own DATA OUT SUBTITLE CEILING PEAK.

set datafile separator "\t"
set datafile columnheaders
zero_if_nan(text) = text eq "nan" ? 0 : real(text)

stats ARG1 using (column("y")) nooutput
last = STATS_max
stats ARG1 using (zero_if_nan(strcol("gb_per_s"))) nooutput
most = STATS_max
stats ARG1 using (zero_if_nan(strcol("best_gb_per_s"))) nooutput
has_best = STATS_max > 0
if (STATS_max > most) { most = STATS_max }
if (zero_if_nan(ARG4) > most) { most = zero_if_nan(ARG4) }
if (zero_if_nan(ARG5) > most) { most = zero_if_nan(ARG5) }
if (most == 0) { most = 1 }

width = 900
height = 176 + row_height * (last + 1)
call "style.gp" ARG1 ARG2 ARG3
bar_text = bar_font eq "small" ? small : ""

set lmargin at screen across(left)
set rmargin at screen across(width - 25)
set bmargin at screen 1 - up(96)
set xrange [0 : most * 1.03]
set yrange [last + 0.7 : -0.7]
set xlabel "bandwidth, read plus written, GB/s" offset 0,0.2
set grid xtics
unset ytics
set key at screen 0.5, screen 1 - up(20) center horizontal Left reverse noenhanced width (has_best ? 0 : 2) samplen 3

if (ARG4 ne "nan") {
    set arrow 1 from real(ARG4), graph 0 to real(ARG4), graph 1 nohead lc rgb ink lw 2.5 front
}
if (ARG5 ne "nan") {
    set arrow 2 from real(ARG5), graph 0 to real(ARG5), graph 1 nohead lc rgb faint lw 2 dt (6,4) front
}

is(kind, v) = strcol("kind") eq kind ? v : NaN
at(kind, v) = strcol("kind") eq kind ? v : nowhere
y = 'column("y")'
gb = 'zero_if_nan(strcol("gb_per_s"))'
best = 'zero_if_nan(strcol("best_gb_per_s"))'

# A bar's label goes into the bar, or behind it where that is too short. Where a lighter bar goes on
# to the step's best, each part has a short label, if both fit; else one label tells both.
percent(text) = text eq "nan" ? "" : "   " . share(real(text))
label(gb, best) = best == 0 ? speed(gb) . percent(strcol("percent_of_copy")) : \
    short_label(gb, strcol("percent_of_copy")) . ", best" . short_share(strcol("best_percent_of_copy"))
short_share(text) = text eq "nan" ? "" : sprintf("  %.0f %%", real(text))
short_label(gb, text) = speed(gb) . short_share(text)
two_labels(gb, best) = best - gb > best_room * most
# Where the text of one label begins or ends.
inside(gb, best) = two_labels(gb, best) ? nowhere : gb > room * most ? gb : nowhere
outside(gb, best) = two_labels(gb, best) || strcol("gb_per_s") eq "nan" ? nowhere : \
    gb > room * most ? nowhere : best > gb ? best : gb
short_inside(gb, best) = two_labels(gb, best) && gb > best_room / 2 * most ? gb : nowhere
short_outside(gb, best) = two_labels(gb, best) && gb > 0 && gb <= best_room / 2 * most ? gb : nowhere
best_inside(gb, best) = two_labels(gb, best) ? best : nowhere

plot \
    ARG1 using (0):(@y):(@gb):(@best > 0 ? @best : NaN):(@y - half):(@y + half) \
        with boxxyerror fs solid noborder lc rgb middle notitle, \
    "" using (0):(@y):(0):(is("step", @gb)):(@y - half):(@y + half) \
        with boxxyerror fs solid noborder lc rgb dark notitle, \
    "" using (0):(@y):(0):(is("peer", @gb)):(@y - half):(@y + half) \
        with boxxyerror fs solid noborder lc rgb light notitle, \
    "" using (0):(at(head_kind, @y - head_up)):(strcol("step")) \
        with labels right offset -1,0 noenhanced font big tc rgb ink notitle, \
    "" using (0):(strcol("kind") eq "peer" ? @y : at("step", @y + name_down)):(strcol("variant")) \
        with labels right offset -1,0 noenhanced font small tc rgb ink notitle, \
    "" using (@best > 0 ? 0 : nowhere):(@y + best_down):("best: " . strcol("best")) \
        with labels right offset -1,0 noenhanced font small tc rgb faint notitle, \
    "" using (at("step", inside(@gb, @best))):(@y):(label(@gb, @best)) \
        with labels right offset -1,0 noenhanced font bar_text tc rgb "white" notitle, \
    "" using (at("peer", inside(@gb, @best))):(@y):(label(@gb, @best)) \
        with labels right offset -1,0 noenhanced font bar_text tc rgb ink notitle, \
    "" using (outside(@gb, @best)):(@y):(label(@gb, @best)) \
        with labels left offset 1,0 noenhanced font bar_text tc rgb ink notitle, \
    "" using (short_inside(@gb, @best)):(@y):(short_label(@gb, strcol("percent_of_copy"))) \
        with labels right offset -1,0 noenhanced font bar_text tc rgb "white" notitle, \
    "" using (short_outside(@gb, @best)):(@y):(short_label(@gb, strcol("percent_of_copy"))) \
        with labels left offset 1,0 noenhanced font bar_text tc rgb ink notitle, \
    "" using (best_inside(@gb, @best)):(@y):(short_label(@best, strcol("best_percent_of_copy"))) \
        with labels right offset -1,0 noenhanced font bar_text tc rgb ink notitle, \
    "" using (strcol("status") eq "ok" ? nowhere : 0):(@y):(strcol("status")) \
        with labels left offset 1,0 noenhanced font bar_text tc rgb alarm notitle, \
    NaN with lines lc rgb dark lw 10 title (has_best ? "headline variant" : ""), \
    NaN with lines lc rgb middle lw 10 title (has_best ? "the step's best" : ""), \
    NaN with lines lc rgb ink lw 2.5 \
        title (ARG4 eq "nan" ? "" : sprintf("copy ceiling %.0f GB/s", real(ARG4))), \
    NaN with lines lc rgb faint lw 2 dt (6,4) \
        title (ARG5 eq "nan" ? "" : sprintf("theoretical peak %.0f GB/s", real(ARG5)))
