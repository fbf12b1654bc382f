# The style of all charts. A chart sets width, height (pixels) and heading, then calls this script with its
# own DATA OUT SUBTITLE. draw.py runs every chart as `gnuplot -c CHART.gp DATA OUT SUBTITLE ...` in this
# folder; OUT ends in .png or .svg. Shades differ in lightness, so they differ in greyscale too. All
# colours of the charts are here; tests/figures.py checks their contrast.

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

# A position off every axis, for labels that a row does not need. (Gnuplot 5.4 crashes if no label of a
# one-row file has a position.)
nowhere = -99

# Colours of marks and text. Contrast is at least 3:1 against white, of white on dark, and of ink on middle.
dark = "#1b4468"
middle = "#7595b9"
ink = "#222222"
faint = "#6a6a6a"
alarm = "#9c2a00"
band = "#949494"
# The lines of one chart, dark to light; each line also has its own shape of mark.
shades = "#440154 #46327e #365c8d #277f8e #188a72 #2f9e4f #6f9a10 #a88600 #c06000 #555555"
shapes = "4 6 8 10 12 5 7 9 2 11"
# Fills; each is drawn inside a border of a colour above.
light = "#c3d3e4"
blush = "#f1dcd3"
banks = "#440154 #443983 #31688e #21918c #35b779 #90d743 #fde725"
# Decoration without meaning.
lines = "#dddddd"

# Names contain underscores, which enhanced text would turn into subscripts.
across(pixels) = pixels / real(width)
up(pixels) = 1 - pixels / real(height)
set label 1 heading at screen across(14), screen up(22) noenhanced font huge textcolor rgb ink front
set label 2 ARG3 at screen across(14), screen up(44) noenhanced textcolor rgb faint front
set tmargin at screen up(64)

set border linecolor rgb faint
set tics nomirror scale 0.6 textcolor rgb ink
set grid linecolor rgb lines linetype 1 linewidth 1

# The distance between ticks for an axis from 0 to `most`.
tick(most) = 10 ** floor(log10(most)) * (most < 2.5 * 10 ** floor(log10(most)) ? 0.5 : 1)

# v if the row is of this kind; otherwise nothing, or for labels a position off every axis.
is(what, v) = strcol("kind") eq what ? v : NaN
at(what, v) = strcol("kind") eq what ? v : nowhere
