# A file of DRAM counters as a Markdown table, for dram_table.sh: a row for each variant.

/^#/ { read_header($0); next }
{
    v = $at["step"] " | " $at["variant"]
    if (!(v in seen)) { seen[v]; order[++n] = v }
    size[v] = $at["rows"] " x " $at["cols"]
    value[v, $at["counter"]] = $at["value"]
}

function show(text, unit, places) { return known(text) ? sprintf("%." places "f", text / unit) : "-" }

END {
    print "| step | variant | read, GB | written, GB | cycles reading, millions | cycles writing, millions |"
    print "| --- | --- | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= n; i++) {
        v = order[i]
        if (size[v] != size[order[1]]) continue
        print "| " v " | " show(value[v, "dram__bytes_read.sum"], 1e9, 3) " | " \
            show(value[v, "dram__bytes_write.sum"], 1e9, 3) " | " \
            show(value[v, "dram__cycles_active_read.avg"], 1e6, 3) " | " \
            show(value[v, "dram__cycles_active_write.avg"], 1e6, 3) " |"
    }
    split(size[order[1]], side, " x ")
    print ""
    print head["gpu"] ", " size[order[1]] ", " head["date"] ", Nsight Compute " head["ncu"] "; 1 GB is 1e9 bytes. Each of the" \
        " two matrices holds " sprintf("%.3f", side[1] * side[2] * 4 / 1e9) " GB. Cycles are those in which a channel" \
        " of DRAM moves data, the mean over channels."
}
