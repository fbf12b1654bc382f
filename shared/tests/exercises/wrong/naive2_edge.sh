untouched 'line 25 reaches outside an array|at 33 x 65'
# Only half of it fixed.
wrong 'line 25 reaches outside an array' <<<"$(exercise | sed 's/row < cols/row < rows/')"
# No check at all.
wrong 'line 25 reaches outside an array' <<<"$(exercise | sed '/if (row < cols/d' | sed 's/out\[(size_t)col/\n&/')"
# One row and one column too many.
wrong 'line 25 reaches outside an array' <<<"$(solution | sed 's/row < rows/row <= rows/')"
