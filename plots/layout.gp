# A layout as a numbered, coloured grid.
#
# gnuplot -e "input='tile.tsv'; output_file='tile.png'" plots/layout.gp
#
# input        a TSV of `layout show --tsv`, `layout banks --tsv` or `layout threads --tsv`
# output_file  the picture
# format       'png' (default) or 'svg'
# bytes        size of an element (default: 4); if it is more than 4, a grid of banks shows offsets in the
#              colour of their first bank, since an element has several banks
# caption      text at the start of the line below the grid (default: none)
#
# Larger numbers are darker, from white to blue, so the picture also reads in greyscale. All numbers are
# black. Offsets are coloured by offset, banks by bank, threads by thread.

if (!exists("input") || !exists("output_file")) {
    print "usage: gnuplot -e \"input='tile.tsv'; output_file='tile.png'\" layout.gp"
    exit status 2
}
if (!exists("format")) format = 'png'
if (!exists("caption")) caption = ''
if (!exists("bytes")) bytes = 4

set datafile separator "\t"
set datafile commentschars "#"

# The columns of the file tell which kind of grid it is.
what = ''
set table $names
plot for [i = 1:8] input every ::0::0 using (what = what.' '.strcol(i), 0) with table
unset table
has(name) = strstrt(what.' ', ' '.name.' ') > 0
is_bank = has('bank')
is_thread = has('thread')
shade = is_bank ? 'bank' : is_thread ? 'thread' : 'offset'
number = is_bank && bytes > 4 ? 'offset' : shade

set datafile columnheaders
stats input using (column('row')) nooutput name 'ROW'
stats input using (column('col')) nooutput name 'COL'
stats input using (column(shade)) nooutput name 'SHADE'
stats input using (column(number)) nooutput name 'NUMBER'
rows = int(ROW_max) + 1
cols = int(COL_max) + 1

# All cells have one size, wide enough for the longest number.
digits = strlen(sprintf('%d', int(NUMBER_max)))
cell_width = is_thread ? 30 : (digits > 3 ? 8 * digits + 10 : 34)
cell_height = is_thread ? 38 : 24
caption = caption.(strlen(caption) ? ':  ' : '').( \
    is_bank && bytes > 4 ? 'offset of each element, coloured by its first bank' : \
    is_bank ? 'bank of each element' : \
    is_thread ? 'thread T and value V of each element' : 'offset of each element')
left = 62.0
width = cols * cell_width + left + 15
if (width < 7 * strlen(caption) + left + 15) width = 7 * strlen(caption) + left + 15
height = rows * cell_height + 82

if (format eq 'svg') {
    set terminal svg size width, height font 'Helvetica,12' background '#ffffff'
} else {
    set terminal pngcairo size width, height font 'Helvetica,9' background '#ffffff'
}
set output output_file

set lmargin at screen left / width
set rmargin at screen (left + cols * cell_width) / width
set tmargin at screen 1 - 47.0 / height
set bmargin at screen 35.0 / height
set x2label 'column' offset 0, -0.6
set ylabel 'row' offset 1, 0
set label 1 caption at screen left / width, screen 15.0 / height left noenhanced
set xrange [-0.5:cols - 0.5]
set yrange [rows - 0.5:-0.5]
unset key
unset colorbox
set border 0
set tics scale 0
step = cols > 64 ? 8 : 1
set x2range [-0.5:cols - 0.5]
unset xtics
set x2tics 0, step offset 0, -0.3
set ytics 0, 1 offset 0.5, 0

set cbrange [0:SHADE_max > 0 ? SHADE_max : 1]
set palette defined (0 '#ffffff', 1 '#5b9bd5')
set style fill solid 1.0 border rgb '#707070'

text(x) = is_thread ? sprintf("T%d\nV%d", int(column('thread')), int(column('value'))) : \
                      sprintf('%d', int(column(number)))
row(up) = column('row') + up
col(right) = column('col') + right

plot input using (col(0)):(row(0)):(col(-0.5)):(col(0.5)):(row(-0.5)):(row(0.5)):(column(shade)) \
         with boxxyerror linecolor palette, \
     input using (col(0)):(row(0)):(text(0)) with labels textcolor rgb '#000000'
unset output
