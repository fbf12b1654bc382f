# Columns of ncu's CSV by name: load this first. It takes the header row away, and of each row sets
# csv["Metric Value"] and so on. Lines `# key: value` pass; all else that ncu prints is left out.

function split_csv(line, field,    n, text, c, i, quoted) {
    n = 1; text = ""; quoted = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { field[n++] = text; text = "" }
        else text = text c
    }
    field[n] = text
    return n
}
FNR == 1 { has_csv_header = 0 }
!/^#/ {
    if (!/^("?ID"?,|"?[0-9]+"?,)/) next
    n_csv = split_csv($0, csv_field)
    if (!has_csv_header) {
        has_csv_header = 1
        for (i = 1; i <= n_csv; i++) csv_name[i] = csv_field[i]
        next
    }
    for (i = 1; i <= n_csv; i++) csv[csv_name[i]] = csv_field[i]
}
