# Columns of a TSV file, found by name: awk -F '\t' -v columns='NAME...' -f columns.awk FILE
# prints them in that order, separated by blanks, without the header. Exit status 1 if one is missing.
/^#/ { next }
!count {
    count = split(columns, name, " ")
    for (i = 1; i <= NF; i++)
        place[$i] = i
    for (i = 1; i <= count; i++)
        if (!(name[i] in place)) {
            print FILENAME ": no column " name[i] > "/dev/stderr"
            exit 1
        }
    next
}
{
    line = $(place[name[1]])
    for (i = 2; i <= count; i++)
        line = line " " $(place[name[i]])
    print line
}
