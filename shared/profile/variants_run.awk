# The step and the variants that ran, in order, out of a program's results, for ncu.sh. Load tsv.awk
# first. Variables: rows, cols.
/^#/ { next }
{ step = $at["step"] }
$at["status"] == "ok" && $at["variant"] != "ceiling" { ran = ran (ran == "" ? "" : " ") $at["variant"] }
END {
    print "# step: " step
    print "# rows: " rows
    print "# cols: " cols
    print "# variants: " ran
}
