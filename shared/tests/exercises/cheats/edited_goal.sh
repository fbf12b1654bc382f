# An edited goal.
refused 'the goal lines at the top of the file were changed; the original ones count' \
    <<<"$(exercise | sed 's/work_per_request <= 4/work_per_request <= 32/')"
