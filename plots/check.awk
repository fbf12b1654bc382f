# Is this TSV file what its reader expects? Prints one line and exits 2 at the first thing wrong.
#
#   awk -v columns="step variant ..." [-v optional="word"] -v name=FILE -f common.awk -f check.awk FILE
#
# A file is `# key: value` lines, one header row with exactly those columns (optional ones may
# follow), then at least one row. step, variant and counter are names, status is one of three
# words, everything else is a number or nan.

BEGIN { FS = "\t"; gsub(/ /, "\t", columns); gsub(/ /, "\t", optional) }

function wrong(what) {
    printf "%s: line %d: %s\n", name, NR, what > "/dev/stderr"
    bad = 1
    exit 2
}

/^#/ { next }

!width {
    if ($0 != columns && (optional == "" || $0 != columns "\t" optional)) {
        gsub(/\t/, " ", columns)
        wrong("expected the columns: " columns)
    }
    width = split($0, column)
    next
}

{
    if (NF != width) wrong("expected " width " tab-separated fields, found " NF)
    for (i = 1; i <= NF; i++) {
        if (column[i] == "status") {
            if ($i != "ok" && $i != "failed" && $i != "skipped") wrong("unknown status '" $i "'")
        } else if (column[i] == "step" || column[i] == "variant" || column[i] == "counter") {
            if ($i == "") wrong("empty " column[i])
        } else if (!known($i) && $i !~ /^-?nan$/)
            wrong("'" $i "' is not a number (" column[i] ")")
    }
    rows++
}

END {
    if (bad) exit 2
    if (!width) wrong("no header row")
    if (!rows) wrong("no rows")
}
