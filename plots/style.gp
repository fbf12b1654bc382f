# The look that all charts share. A chart sets width, height (pixels) and heading, then calls this
# with its own DATA OUT SUBTITLE.
# Every chart is called by draw.sh as `gnuplot -c CHART.gp DATA OUT SUBTITLE ...`, in this folder;
# OUT ends in .png or .svg. Shades are told apart by lightness, so that they survive greyscale, and
# what matters is written as a number too.

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

dark = "#1f4e79"
middle = "#8aa9c9"
light = "#c3d3e4"
ink = "#222222"
faint = "#6a6a6a"
alarm = "#9c2a00"

# Names contain underscores: nothing is enhanced.
across(pixels) = pixels / real(width)
up(pixels) = 1 - pixels / real(height)
set label 1 heading at screen across(14), screen up(22) noenhanced font huge textcolor rgb ink front
set label 2 ARG3 at screen across(14), screen up(44) noenhanced textcolor rgb faint front
set tmargin at screen up(64)

set border linecolor rgb faint
set tics nomirror scale 0.6 textcolor rgb ink
set grid linecolor rgb "#e0e0e0" linetype 1 linewidth 1
