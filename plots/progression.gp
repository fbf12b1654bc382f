# Chart 1: how far each step gets. The best variant of each step in reading order, then the peers;
# lines across for the copy ceiling and the theoretical peak.
#
#   gnuplot -c progression.gp DATA OUT SUBTITLE CEILING PEAK
#
# DATA is what bars.awk -v best=1 prints; CEILING and PEAK are in GB/s, or nan where unknown.

heading = "How close each step comes to the speed of a copy"
row_height = 42
half = 0.36
head_kind = "step"
head_up = 0.18
name_down = 0.21
bar_font = "normal"
room = 0.3
speed(gb) = sprintf("%.0f GB/s", gb)
share(percent) = sprintf("%.0f %% of copy", percent)
call "bars.gp" ARG1 ARG2 ARG3 ARG4 ARG5
