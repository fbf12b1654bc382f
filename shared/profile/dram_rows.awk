# The rows of a DRAM file, for dram.sh. Load variants.awk first. Variables: metrics (all that were
# asked for, separated by commas).
function variant_row(variant,    i, n, metric) {
    n = split(metrics, metric, ",")
    for (i = 1; i <= n; i++)
        print key["step"], variant, key["rows"], key["cols"], metric[i], \
            metric[i] in sum ? sprintf("%.12g", sum[metric[i]]) : "nan"
}
