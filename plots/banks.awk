# One sentence about a bank map: how many elements of one row, and of one column, share a bank at
# worst. A warp that reads along one has that many wavefronts for every one that it needs.

/^#/ { next }
{
    if (++row[$at["row"], $at["bank"]] > row_worst) row_worst = row[$at["row"], $at["bank"]]
    if (++col[$at["col"], $at["bank"]] > col_worst) col_worst = col[$at["col"], $at["bank"]]
}
function ways(n) { return n == 1 ? "no conflict" : n "-way conflict" }
END { print "a row: " ways(row_worst) ", a column: " ways(col_worst) }
