# Compares a run's counts with an exercise's goals, or with the learner's predictions.
#   awk -v mode=goals [-v report=FILE] -f goals.awk GOALS RESULTS
#   awk -v mode=predictions -f goals.awk PREDICTIONS RESULTS
# Says what is not met, and fails then. With the CPU run's counts of each source line, it also says
# which lines are to blame.
BEGIN {
    FS = "\t"
    verb["global_load"] = "loads"; verb["global_store"] = "stores"
    verb["shared_load"] = "loads from shared memory"; verb["shared_store"] = "stores to shared memory"
    verb["async_copy_global"] = "asynchronous copies"; verb["async_copy_shared"] = "asynchronous copies into shared memory"
    verb["tma_load"] = "TMA loads"; verb["tma_store"] = "TMA stores"
}
function unit(counter) {
    return counter ~ /^tma/ ? "bytes" : counter ~ /shared/ ? "wavefronts" : "sectors"
}
# The figure that a goal or a prediction speaks of.
function figure(counter, quantity) {
    if (counter in scalar)
        return scalar[counter]
    if (!(counter in requests)) {
        print "the checker knows no figure " counter
        exit 2
    }
    if (quantity == "requests")
        return requests[counter]
    if (quantity == "work")
        return work[counter]
    if (quantity == "work_per_request")
        return requests[counter] ? work[counter] / requests[counter] : 0
    if (quantity == "conflict_degree")
        return ideal[counter] ? work[counter] / ideal[counter] : 1
    print "the checker knows no quantity " quantity
    exit 2
}
function short(x) {
    return x == int(x) ? sprintf("%d", x) : sprintf("%.2f", x)
}
function holds(x, relation, bound) {
    return relation == "<=" ? x <= bound * 1.0000001 : relation == ">=" ? x >= bound * 0.9999999 : \
        x > bound * 0.999 && x < bound * 1.001 || x == bound
}
# The lines of the learner's file with this counter, from the report; worst first in file order.
function lines_of(counter, quantity, bound,    i, text, x, n) {
    n = 0
    text = ""
    for (i = 1; i <= rows; i++) {
        if (row_counter[i] != counter)
            continue
        x = quantity == "conflict_degree" ? row_conflict[i] : row_per_request[i]
        if (quantity ~ /conflict|per_request/ && x <= bound * 1.0001)
            continue
        if (n++ == 3)
            break
        if (quantity == "work_per_request")
            text = text "\n    the " verb[counter] " of line " row_line[i] " touch " short(x) " " unit(counter) \
                " a request; " short(row_requests[i] ? row_work[i] / row_conflict[i] / row_requests[i] : 0) " is possible"
        else if (quantity == "conflict_degree")
            text = text "\n    the " verb[counter] " of line " row_line[i] " take " short(row_per_request[i]) " " \
                unit(counter) " a request; " short(row_per_request[i] / row_conflict[i]) " is possible" \
                (row_worst[i] == "" ? "" : " (in the worst, " row_worst[i] ")")
        else
            text = text "\n    line " row_line[i] ": " row_requests[i] " requests, " row_work[i] " " unit(counter)
    }
    return text
}
# The counts of each source line, as CPUCC_REPORT=lines writes them: columns by name.
function load_report(    line, part, n, i, at, lanes) {
    while (report != "" && (getline line < report) > 0) {
        n = split(line, part, "\t")
        if (!("counter" in at)) {
            for (i = 1; i <= n; i++)
                at[part[i]] = i
            continue
        }
        rows++
        row_line[rows] = part[at["line"]]
        row_counter[rows] = part[at["counter"]]
        row_requests[rows] = part[at["requests"]]
        row_work[rows] = part[at["work"]]
        row_per_request[rows] = row_work[rows] / row_requests[rows]
        row_conflict[rows] = part[at["ideal_work"]] > 0 ? row_work[rows] / part[at["ideal_work"]] : 1
        if (part[at["worst_lanes"]] != "nan") {
            n = split(part[at["worst_lanes"]], lanes, " ")
            row_worst[rows] = "bank " part[at["worst_bank"]] " serves lanes"
            for (i = 1; i <= n && i <= 8; i++)
                row_worst[rows] = row_worst[rows] " " lanes[i]
            row_worst[rows] = row_worst[rows] (n > 8 ? " ..." : "")
        }
    }
}
FNR == NR { wanted[++n] = $0; next }
$1 == "count" { requests[$2] = $3; work[$2] = $4; ideal[$2] = $5 }
$1 == "scalar" { scalar[$2] = $3 }
END {
    load_report()
    for (i = 1; i <= n; i++) {
        if (mode == "predictions") {
            split(wanted[i], p, "\t")
            words = split(p[1], w, " ")
            x = figure(w[1], words > 1 ? w[2] : "")
            tolerance = p[2] ~ /\./ ? 0.011 : 0
            if (p[2] - x > tolerance || x - p[2] > tolerance) {
                printf "line %d: your prediction of %s for %s is too %s\n", p[3], p[2], p[1], p[2] < x ? "low" : "high"
                failed = 1
            } else
                right++
            continue
        }
        if (wanted[i] !~ /^\/\/ *goal:/)
            continue
        line = wanted[i]
        sub(/^\/\/ *goal: */, "", line)
        sub(/ *$/, "", line)
        if (line == "verified")
            continue
        words = split(line, w, /[ \t]+/)
        if (words != 3 && words != 4 || w[words - 1] !~ /^(<=|>=|==)$/ || w[words] !~ /^[0-9.]+$/) {
            print "the checker cannot read the goal: " line
            exit 2
        }
        quantity = words == 4 ? w[2] : ""
        relation = w[words - 1]
        bound = w[words] + 0
        x = figure(w[1], quantity)
        if (holds(x, relation, bound))
            continue
        failed = 1
        limit = relation == "<=" ? "at most " : relation == ">=" ? "at least " : "exactly "
        if (w[1] == "shared_bytes")
            text = "a block takes " x " bytes of shared memory"
        else if (w[1] == "launches")
            text = "the launch function starts " x " kernels"
        else if (w[1] == "blocks")
            text = "the grid has " x " blocks"
        else if (w[1] == "threads_per_block")
            text = "a block has " x " threads"
        else if (quantity == "requests")
            text = "the kernel makes " short(x) " requests for " verb[w[1]] " (" w[1] ")"
        else if (quantity == "work")
            text = "the " verb[w[1]] " take " short(x) " " unit(w[1]) " in all (" w[1] ")"
        else if (quantity == "work_per_request")
            text = "the " verb[w[1]] " touch " short(x) " " unit(w[1]) " a request"
        else
            text = "the " verb[w[1]] " take " short(x) " times the " unit(w[1]) " that their bytes need"
        text = text "; the goal is " limit w[words]
        if (relation != ">=" && w[1] in requests)
            text = text lines_of(w[1], quantity, bound)
        print text
    }
    if (mode == "predictions" && failed)
        printf "%d of %d predictions are right\n", right, n
    exit failed ? 1 : 0
}
