# Chart 2: every variant, fastest first within its step, the peers last; lines as in chart 1.
#
#   gnuplot -c variants.gp DATA OUT SUBTITLE CEILING PEAK
#
# DATA is what bars.awk prints; CEILING and PEAK are in GB/s, or nan where unknown.

heading = "Every variant: GB/s and percent of copy, fastest first within its step"
left = 225
row_height = 19
half = 0.4
head_kind = "head"
head_up = 0
name_down = 0
best_down = 0
bar_font = "small"
room = 0.15
best_room = 0.3
speed(gb) = sprintf("%.0f", gb)
share(percent) = sprintf("%.0f %%", percent)
call "bars.gp" ARG1 ARG2 ARG3 ARG4 ARG5
