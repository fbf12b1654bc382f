# The look that all charts share. A chart sets width, height (pixels) and heading, then calls this
# with its own DATA OUT SUBTITLE.
# draw.py runs every chart as `gnuplot -c CHART.gp DATA OUT SUBTITLE ...`, in this folder; OUT ends in .png
# or .svg. Lightness tells shades apart, so that they survive greyscale, and what matters is written as a
# number too. All colours of the charts stand here; tests/contrast.py checks them.

set encoding utf8
if (ARG2[strlen(ARG2)-3:] eq ".svg") {
    set terminal svg size width, height font "DejaVu Sans,13" background "white"
    tiny = ",10.5"; small = ",12"; big = ",14.5"; huge = ",18.5"    # pixels
    mark = 0.8
} else {
    set terminal pngcairo size width, height font "DejaVu Sans,10"
    tiny = ",8"; small = ",9"; big = ",11"; huge = ",14"            # points, the same sizes
    mark = 1.2
}
set output ARG2

# Where labels go that are not wanted: off every axis. (Gnuplot 5.4 crashes if they have no
# place at all in a file of one row.)
nowhere = -99

# Marks and text: at least 3:1 against white, and so is white on dark and ink on middle.
dark = "#1b4468"
middle = "#7595b9"
ink = "#222222"
faint = "#6a6a6a"
alarm = "#9c2a00"
band = "#949494"
# Lines of one chart, dark to light, each with a shape of mark.
shades = "#440154 #46327e #365c8d #277f8e #188a72 #2f9e4f #6f9a10 #a88600 #c06000 #555555"
shapes = "4 6 8 10 12 5 7 9 2 11"
# Fills, only inside a border of a colour above.
light = "#c3d3e4"
blush = "#f1dcd3"
banks = "#440154 #443983 #31688e #21918c #35b779 #90d743 #fde725"
# Decoration, which says nothing.
lines = "#dddddd"

# Names contain underscores: nothing is enhanced.
across(pixels) = pixels / real(width)
up(pixels) = 1 - pixels / real(height)
set label 1 heading at screen across(14), screen up(22) noenhanced font huge textcolor rgb ink front
set label 2 ARG3 at screen across(14), screen up(44) noenhanced textcolor rgb faint front
set tmargin at screen up(64)

set border linecolor rgb faint
set tics nomirror scale 0.6 textcolor rgb ink
set grid linecolor rgb lines linetype 1 linewidth 1

# The distance of ticks that suits an axis from 0 to `most`.
tick(most) = 10 ** floor(log10(most)) * (most < 2.5 * 10 ** floor(log10(most)) ? 0.5 : 1)

# Of a row: v if it is of this kind, else nothing, or a label's place off every axis.
is(what, v) = strcol("kind") eq what ? v : NaN
at(what, v) = strcol("kind") eq what ? v : nowhere
