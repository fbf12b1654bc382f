# One sentence about a bank map: how many elements of one row, and of one column, share a bank at
# worst. A warp that reads along one has that many wavefronts for every one that it needs.

BEGIN { FS = "\t" }
/^#/ || $1 == "row" { next }
{
    if (++row[$1, $4] > row_worst) row_worst = row[$1, $4]
    if (++col[$2, $4] > col_worst) col_worst = col[$2, $4]
}
function ways(n) { return n == 1 ? "no conflict" : n "-way conflict" }
END { print "a row: " ways(row_worst) ", a column: " ways(col_worst) }
