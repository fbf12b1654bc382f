# The rooms of shared/ that each file names in includes and paths, comments left out: lines
# "FILE ROOM". A room is a folder of `rooms`, a list separated by blanks.
BEGIN {
    n = split(rooms, list, " ")
    for (i = 1; i <= n; i++)
        room[list[i]] = 1
    path = "(shared[\"']?/|SHARED[)}]|[.][.]/|#include [\"<]|home[\"']?/[.][.]/)[a-z_]+[\"']?/"
}
FNR == 1 {
    comment = 0
    is_c = FILENAME ~ /[.](c|h|cu|cuh)$/ || FILENAME ~ /^shared\/cpucc\/include\//
}
{
    if (is_c) {
        code = ""
        while ($0 != "")
            if (comment) {
                comment = !(at = index($0, "*/"))
                $0 = comment ? "" : substr($0, at + 2)
            } else {
                comment = at = index($0, "/*")
                code = code (comment ? substr($0, 1, at - 1) : $0)
                $0 = comment ? substr($0, at + 2) : ""
            }
        sub(/\/\/.*/, "", code)
    } else {
        code = $0
        sub(/(^|[ \t])#( .*|$)/, "", code)
    }
    while (match(code, path)) {
        named = substr(code, RSTART, RLENGTH)
        code = substr(code, RSTART + RLENGTH - 1) # the last slash may begin the next path
        gsub(/["'\/]+$/, "", named)
        sub(/.*[^a-z_]/, "", named)
        if (named in room && !((FILENAME, named) in seen)) {
            seen[FILENAME, named] = 1
            print FILENAME, named
        }
    }
}
