# The columns named in -v names, in that order, for columns.sh.
BEGIN { n = split(names, name, " ") }
/^#/ { next }
!checked++ {
    for (i = 1; i <= n; i++)
        if (!(name[i] in at)) { print "no column " name[i] > "/dev/stderr"; exit 2 }
}
{
    line = $at[name[1]]
    for (i = 2; i <= n; i++) line = line OFS $at[name[i]]
    print line
}
