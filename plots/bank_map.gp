# A map of the banks of a tile in shared memory: one cell per element, coloured and numbered by its bank.
# A 16-byte element is coloured and numbered by its group of four banks, with its offset in elements below.
#
#   gnuplot -c bank_map.gp DATA OUT SUBTITLE HEADING [CAPTION DATA2 CAPTION2]
#
# DATA is a square bank map with the columns row, col, offset and bank. DATA2, if given, is drawn on its
# right, each map under its caption. Column 0 is outlined: a warp that walks down a column accesses its cells.

set datafile separator "\t"
set datafile columnheaders
stats ARG1 using (column("row")) nooutput
side = STATS_max + 1
group = side == 8 ? 4 : 1
maps = ARGC > 4 ? 2 : 1

cell = side == 8 ? 48 : 26
width = 900
across_map = cell * side
height = across_map + 124 + (maps - 1) * 30
heading = ARG4
call "style.gp" ARG1 ARG2 ARG3

set palette defined (0 word(banks, 1), 1 word(banks, 2), 2 word(banks, 3), 3 word(banks, 4), \
    4 word(banks, 5), 5 word(banks, 6), 6 word(banks, 7))
set cbrange [0 : 31]
unset colorbox
unset grid
unset border
unset key
unset tmargin
set xrange [-0.5 : side - 0.5]
set yrange [side - 0.5 : -0.5]
set x2range [-0.5 : side - 0.5]
unset xtics
set x2tics scale 0 offset 0,-0.4 font small 0, 1
set ytics scale 0 offset 0.6,0 font small 0, 1
set x2label "column" offset 0,-0.6
set ylabel "row" offset (side == 8 ? 2.3 : 1),0
set object 1 rectangle from -0.5,-0.5 to 0.5,side-0.5 front fs empty border lc rgb alarm lw 4

contrast(bank) = bank < 18 ? 0xffffff : 0x000000
row = 'column("row")'
col = 'column("col")'
bank = 'column("bank")'

set multiplot
do for [m = 1:maps] {
    data = m == 1 ? ARG1 : ARG6
    left = maps == 1 ? (width - across_map) / 2 + 12 : 55 + (m - 1) * (width / 2)
    set lmargin at screen across(left)
    set rmargin at screen across(left + across_map)
    set tmargin at screen up(height - across_map - 18)
    set bmargin at screen 1 - up(18)
    if (maps == 2) {
        set label 3 (m == 1 ? ARG5 : ARG7) at screen across(left), screen up(74) noenhanced tc rgb ink
    }
    plot data using (@col):(@row):(@col-0.48):(@col+0.48):(@row-0.48):(@row+0.48):(@bank) \
            with boxxyerror fs solid border lc rgb faint fc palette, \
        "" using (@col):(@row - (group == 1 ? 0 : 0.12)):(sprintf("%d", @bank / group)):(contrast(@bank)) \
            with labels font (group == 1 ? small : huge) tc rgb variable, \
        "" using (@col):(group == 1 ? nowhere : @row + 0.28):(sprintf("at %d", column("offset"))):(contrast(@bank)) \
            with labels font tiny tc rgb variable
    unset label 1
    unset label 2
    unset label 3
}
unset multiplot
