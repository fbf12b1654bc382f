# An edited goal.
refused 'the goal lines at the top of the file were changed; the original ones count' \
    <<<"$(exercise | sed 's/work <= 8192/work <= 65536/')"
