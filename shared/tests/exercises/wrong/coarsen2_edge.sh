untouched 'line 40 reaches outside an array'
# Only the load fixed.
wrong 'line [34][0-9] (reaches outside an array|reads memory)' <<<"$(solution | sed 's/if (out_row + i < cols/if (out_row < cols/')"
# The loop's end instead of the matrix's.
wrong 'line 3[0-9] reaches outside an array' <<<"$(solution | sed 's/if (row + i < rows/if (row < rows/')"
# So strict that elements are left out.
wrong 'nobody wrote|memory that nobody has written' <<<"$(solution | sed 's/if (row + i < rows/if (row + TILE \/ 2 < rows/')"
