# Each row's figures follow from its time, the ceiling's and cudaMemcpy's: a 200 x 100 run of
# contract.cu with its own clock. Prints what does not, and exits 1.
BEGIN { FS = "\t" }
function near(a, b) { return a - b <= 0.02 * b + 0.02 && b - a <= 0.02 * b + 0.02 }
/^#/ { next }
!width { width = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
{ ms[$at["variant"]] = $at["time_ms"]; row[++n] = $0 }
END {
    for (i = 1; i <= n; i++) {
        if (split(row[i], f) != width) bad = "fields in: " row[i]
        t = f[at["time_ms"]]
        gb = 2 * 4 * 200 * 100 / t / 1e6
        if (f[at["element_bytes"]] != 4 || f[at["batches"]] != 1) bad = "bytes: " row[i]
        if (!near(f[at["gb_per_s"]], gb)) bad = "GB/s, not " gb ": " row[i]
        if (!near(f[at["percent_of_copy"]], 100 * ms["ceiling"] / t)) bad = "copy: " row[i]
        if (!near(f[at["percent_of_peak"]], gb)) bad = "peak: " row[i]
        memcpy = f[at["percent_of_memcpy"]] * t # the same in every row
        if (i > 1 && !near(memcpy, before)) bad = "memcpy: " row[i]
        before = memcpy
        last = f[at["variant"]] " " f[at["percent_of_copy"]]
        if (f[at["variant"]] == "ceiling" && (t != 2 || f[at["percent_of_memcpy"]] != 250))
            bad = "the ceiling is not the fastest copy: " row[i]
        # Its samples: 0.25, 0.26, 0.27 and 0.28 while launches are counted, then five.
        if (f[at["variant"]] == "one_row_a_block" && (t != 0.31 || f[at["iqr_ms"]] != 0.02))
            bad = "median and interquartile range: " row[i]
    }
    if (n != 6 || last != "ceiling 100.00") bad = "rows, or the ceiling: " n " " last
    if (bad) { print bad; exit 1 }
}
