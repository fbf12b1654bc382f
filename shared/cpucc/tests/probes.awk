# Compares the counts of counting.cu: awk -f probes.awk COUNTING.tsv LIST CPU.tsv
#
# COUNTING.tsv is what shared/profile/probes.sh recorded, LIST what the program printed, CPU.tsv
# cpucc's report. Columns are found by name, launches by kernel, pattern and lanes; a column that was
# not measured is missing or nan. Prints differences and how many counts were equal; exit status 1 if
# there are differences or nothing was compared.
BEGIN {
    FS = "\t"
    counters = split("global_load global_store shared_load shared_store async_copy_global " \
        "async_copy_shared", counter, " ")
}
FNR == 1 { file++; heading = 0; delete at }
/^#/ { next }
file != 2 && !heading {
    heading = 1
    for (i = 1; i <= NF; i++) at[$i] = i
    next
}
file == 1 {
    key = $at["kernel"] FS $at["pattern"] FS $at["lanes"]
    known[key] = 1
    for (i = 1; i <= counters; i++) {
        c = counter[i]
        if ((c "_requests") in at && $at[c "_requests"] != "nan")
            hardware[key, c "_requests"] = $at[c "_requests"]
        if ((c "_work") in at && $at[c "_work"] != "nan")
            hardware[key, c "_work"] = $at[c "_work"]
    }
}
file == 2 {
    # One of cpucc's front ends calls every probe<...> of a type probe<T>.
    launch[$2, ++launches[$2]] = $2 FS $3 FS $4
    if ($2 ~ /^probe</)
        launch["probe<T>", ++launches["probe<T>"]] = $2 FS $3 FS $4
    made[$2 FS $3 FS $4] = 1
}
file == 3 {
    key = launch[$at["kernel"], $at["launch"]]
    cpu[key, $at["counter"] "_requests"] = $at["requests"]
    cpu[key, $at["counter"] "_work"] = $at["work"]
}
END {
    for (k in hardware) {
        split(k, part, SUBSEP)
        if (!(part[1] in made))
            continue
        if (hardware[k] == cpu[k] + 0)
            equal++
        else {
            different++
            print part[1] ": " part[2] ": cpucc " cpu[k] + 0 ", hardware " hardware[k]
        }
    }
    for (key in made)
        if (key in known) compared++
        else unknown++
    print "counting.cu: " equal + 0 " counts equal, " different + 0 " different (" compared + 0 \
        " launches; " unknown + 0 " more have no hardware counts)"
    exit different > 0 || equal == 0
}
