# Is this TSV file what its reader expects? Prints one line and exits 2 at the first thing wrong.
#
#   awk -v columns="step variant ..." [-v optional="word"] -v name=FILE -f common.awk -f check.awk FILE
#
# A file is `# key: value` lines, one header row, then at least one row. The header row names all of
# columns, in any order, each once; optional ones may be there, and others, which nobody reads. step,
# variant, counter, pattern, kernel, contender, exercise, task and solution are names, status is one of three words; the other columns that
# are known here hold numbers or nan.

BEGIN {
    FS = "\t"
    n_wanted = split(columns, wanted, " ")
    for (i = 1; i <= n_wanted; i++) is_read[wanted[i]]
    n_more = split(optional, more, " ")
    for (i = 1; i <= n_more; i++) is_read[more[i]]
    is_name["step"]; is_name["variant"]; is_name["counter"]; is_name["pattern"]; is_name["kernel"]; is_name["contender"]
    is_name["exercise"]; is_name["task"]; is_name["solution"]
}

function wrong(what) {
    printf "%s: line %d: %s\n", name, NR, what > "/dev/stderr"
    bad = 1
    exit 2
}

/^# headline / && !/^# headline [^ ]+: [^ ]+ compared with [^ ]+$/ {
    wrong("a headline reads: # headline STEP: VARIANT compared with VARIANT")
}
/^#/ { next }

!width {
    width = split($0, column)
    for (i = 1; i <= width; i++) {
        if (column[i] in seen) wrong("two columns are called " column[i])
        seen[column[i]]
    }
    for (i = 1; i <= n_wanted; i++)
        if (!(wanted[i] in seen)) wrong("no column " wanted[i] "; expected are: " columns)
    next
}

{
    if (NF != width) wrong("expected " width " tab-separated fields, found " NF)
    for (i = 1; i <= NF; i++) {
        if (!(column[i] in is_read)) continue
        if (column[i] == "status") {
            if ($i != "ok" && $i != "failed" && $i != "skipped") wrong("unknown status '" $i "'")
        } else if (column[i] in is_name) {
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
