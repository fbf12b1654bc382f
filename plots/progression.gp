# Chart 1: how far each step gets. The headline variant of each step in reading order, going on in a
# lighter shade to the step's best, then the peers; lines across for the copy ceiling and the
# theoretical peak.
#
#   gnuplot -c progression.gp DATA OUT SUBTITLE CEILING PEAK
#
# DATA is what bars.awk -v progression=1 prints; CEILING and PEAK are in GB/s, or nan where unknown.

heading = "How close each step comes to the speed of a copy"
left = 240
row_height = 50
half = 0.36
head_kind = "step"
head_up = 0.26
name_down = 0.06
best_down = 0.34
bar_font = "normal"
room = 0.3
best_room = 0.4
speed(gb) = sprintf("%.0f GB/s", gb)
share(percent) = sprintf("%.0f %% of copy", percent)
call "bars.gp" ARG1 ARG2 ARG3 ARG4 ARG5
