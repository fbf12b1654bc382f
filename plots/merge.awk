# Several bandwidth files into one, for merge.sh: the headers of the first, one row for each (step,
# variant, rows, cols, element_bytes, batches) as they first come, each figure the median over the
# files. The columns are the known ones in their usual order, whatever order the files have.
# Variables: columns (all of them), with those after the key and the status being figures.

BEGIN {
    n_columns = split(columns, column, " ")
    n_key = split("step variant rows cols element_bytes batches", key_column, " ")
    for (i = 1; i <= n_key; i++) in_key[key_column[i]] = i
    for (i = 1; i <= n_columns; i++)
        if (!(column[i] in in_key) && column[i] != "status") figure_column[++n_figures] = column[i]
    missing["element_bytes"] = 4
    missing["batches"] = 1
    missing["percent_of_memcpy"] = "nan"
}

FNR == 1 { files++ }

/^# command: / && !($0 in said) {
    said[$0]
    commands = commands (commands == "" ? "" : "; ") substr($0, 12)
}
/^# headline / {
    if (!($0 in said)) headlines[++n_headlines] = $0
    said[$0]
    next
}
/^#/ { if (files == 1) head_line[++n_head] = $0; next }

{
    key = ""
    for (i = 1; i <= n_key; i++)
        key = key (i > 1 ? OFS : "") field(key_column[i], missing[key_column[i]])
    new = $at["status"]
    if (!(key in status)) order[++n] = key
    # The worst news stands, but skipped only where no turn has run it.
    if (status[key] != "failed" && (status[key] != "ok" || new == "failed")) status[key] = new
    if (new == "ok")
        for (i = 1; i <= n_figures; i++) {
            value = field(figure_column[i], missing[figure_column[i]])
            if (known(value)) figure[key, i, ++count[key, i]] = value
        }
}

END {
    if (ENVIRON["COMMAND"] != "") commands = ENVIRON["COMMAND"]
    for (i = 1; i <= n_head; i++) if (head_line[i] !~ /^# command: /) print head_line[i]
    if (commands != "") print "# command: " commands
    for (i = 1; i <= n_headlines; i++) print headlines[i]
    for (c = 1; c <= n_columns; c++) printf "%s%s", column[c], c < n_columns ? OFS : "\n"
    for (k = 1; k <= n; k++) {
        key = order[k]
        split(key, key_field, OFS)
        f = 0
        line = ""
        for (c = 1; c <= n_columns; c++) {
            if (column[c] in in_key) value = key_field[in_key[column[c]]]
            else if (column[c] == "status") value = status[key]
            else {
                f++
                m = count[key, f] + 0
                for (j = 1; j <= m; j++) list[j] = figure[key, f, j]
                value = status[key] == "ok" ? median(list, m) : "nan"
            }
            line = line (c > 1 ? OFS : "") value
        }
        print line
    }
}
