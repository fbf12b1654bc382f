# Several bandwidth files into one, for merge.sh: the headers of the first, one row for each
# (step, variant, rows, cols) as they first come, each figure the median over the files.

BEGIN { FS = OFS = "\t" }

FNR == 1 { files++ }

/^# command: / && !($0 in said) {
    said[$0]
    commands = commands (commands == "" ? "" : "; ") substr($0, 12)
}
/^#/ { if (files == 1) head[++n_head] = $0; next }
$1 == "step" { columns = $0; next }

{
    key = $1 OFS $2 OFS $3 OFS $4
    if (!(key in status)) order[++n] = key
    # The worst news stands, but skipped only where no turn has run it.
    if (status[key] != "failed" && (status[key] != "ok" || $5 == "failed")) status[key] = $5
    if ($5 == "ok")
        for (i = 6; i <= 10; i++) if (known($i)) figure[key, i, ++count[key, i]] = $i
}

END {
    if (ENVIRON["COMMAND"] != "") commands = ENVIRON["COMMAND"]
    for (i = 1; i <= n_head; i++) if (head[i] !~ /^# command: /) print head[i]
    if (commands != "") print "# command: " commands
    print columns
    for (k = 1; k <= n; k++) {
        key = order[k]
        line = key OFS status[key]
        for (i = 6; i <= 10; i++) {
            m = count[key, i] + 0
            for (j = 1; j <= m; j++) list[j] = figure[key, i, j]
            line = line OFS (status[key] == "ok" ? median(list, m) : "nan")
        }
        print line
    }
}
