untouched 'line 36 (reaches outside an array|reads memory that nobody has written)'
# The right variables, the wrong bounds.
wrong 'line 36 (reaches outside an array|reads memory)' <<<"$(exercise |
    sed '/int out_col/,$s/if (inside)/if (out_row < rows \&\& out_col < cols)/')"
# Everything that is inside twice: elements are left out.
wrong 'nobody wrote' <<<"$(exercise | sed '/int out_col/,$s/if (inside)/if (inside \&\& out_row < cols \&\& out_col < rows)/')"
