# Writes recorded figures into a page, for quote.sh. Variables: results (the folder of all results),
# shown (the GPU whose figures stand where no other is named), gpus (all that are recorded). What is not
# recorded is said on standard error, and the exit status is then 1.

function complain(text) { print page ":" FNR ": " text | "cat 1>&2"; bad = 1 }

# ---- the recorded files ----

# Reads a TSV file once, calling `take` with its name for each row; cell[] is the row by column.
function read_file(gpu, name,    path, line, n, i, names, cells, header) {
    if ((gpu, name) in was_read) return
    was_read[gpu, name]
    path = results "/" gpu "/" name ".tsv"
    while ((getline line < path) > 0) {
        if (line ~ /^# gpu: /) { gpu_name[gpu] = substr(line, 8); sub(/^NVIDIA /, "", gpu_name[gpu]) }
        if (line ~ /^#/) continue
        n = split(line, cells, "\t")
        if (!header) { header = 1; for (i = 1; i <= n; i++) names[i] = cells[i]; continue }
        for (i = 1; i <= n; i++) cell[names[i]] = cells[i]
        take(gpu, name)
    }
    close(path)
}

function take(gpu, name,    size, key) {
    size = cell["rows"] "x" cell["cols"]
    if (name == "in_flight") { store(gpu, name, "", cell["kernel"]); return }
    if (name == "halves") { store(gpu, name, cell["rows"], cell["contender"]); return }
    if (name == "halves_counts") { set(gpu, name, cell["contender"], cell["counter"], cell["value"]); return }
    step_of[cell["variant"]] = cell["step"]
    if (name == "counts") {
        if (size != "1024x1024") return
        set(gpu, name, cell["variant"], cell["counter"] ".requests", cell["requests"])
        set(gpu, name, cell["variant"], cell["counter"] ".work", cell["work"])
        set(gpu, name, cell["variant"], cell["counter"] ".per", \
            cell["requests"] > 0 ? cell["work"] / cell["requests"] : 0)
        return
    }
    if (name == "dram" || name == "caches") {
        key = cell["counter"]
        set(gpu, name, cell["variant"], key, cell["value"])
        return
    }
    if (name == "shapes") {
        store(gpu, name, cell["element_bytes"] "B_" (cell["batches"] == 1 ? "" : cell["batches"] "x") size, cell["variant"])
        return
    }
    # A bandwidth file: its first size is the one that is meant where none is named.
    if (!((gpu, name) in first_size)) first_size[gpu, name] = size
    if ("element_bytes" in cell && cell["element_bytes"] != 4 || "batches" in cell && cell["batches"] != 1) return
    store(gpu, name, size, cell["variant"])
}

function store(gpu, name, size, variant,    c) {
    for (c in cell) {
        if (variant == "ceiling") { # one of each process
            ceilings[gpu, name, size, c] = ceilings[gpu, name, size, c] " " cell[c]
            continue
        }
        set(gpu, name, variant, size c, cell[c])
    }
}

function set(gpu, name, variant, column, text) { value[gpu, name, variant, column] = text }

# The recorded value of VARIANT, of a column of that file; "" if there is none.
function get(gpu, name, variant, size, column,    list, n) {
    read_file(gpu, name)
    if (variant == "ceiling") {
        n = split(ceilings[gpu, name, size, column], list, " ")
        return n ? median(list, n) : ""
    }
    return (gpu, name, variant, size column) in value && known(value[gpu, name, variant, size column]) ? \
        value[gpu, name, variant, size column] : ""
}

# ---- operands: VARIANT[:COLUMN][@GPU][#SIZE] ----

function operand(text,    variant, column, gpu, size, name, part, v) {
    gpu = shown
    column = "copy"
    name = "bandwidth"
    if (split(text, part, "#") == 2) { size = part[2]; text = part[1] }
    if (split(text, part, "@") == 2) { gpu = part[2]; text = part[1] }
    if (split(text, part, ":") == 2) { column = part[2]; text = part[1] }
    variant = text
    if (!(variant in mentioned)) { mentioned[variant]; n_mentioned++ }
    if (column ~ /^dram_(read|write)$/) {
        v = get(gpu, "dram", variant, "", "dram__bytes_" substr(column, 6) ".sum")
        return v == "" ? "" : v / 1e9
    }
    if (column in short_counter) return get(gpu, "caches", variant, "", short_counter[column])
    if (column == "half_ms") return get(gpu, "halves", variant, size == "" ? 32768 : size, "time_ms")
    if (column ~ /^half_/) {
        v = get(gpu, "halves_counts", variant, "", half_counter[column])
        return v == "" ? "" : column ~ /dram/ ? v / 1e6 : v
    }
    if (column in flight) return get(gpu, "in_flight", variant, "", column)
    if (column ~ /\.(requests|work|per)$/) return get(gpu, "counts", variant, "", column)
    if (column in long_column) column = long_column[column]
    if (size ~ /B_/) name = "shapes"
    else if (size ~ /x/) name = "last_percent"
    else if (size != "") { name = "sizes"; size = size "x" size }
    read_file(gpu, name)
    if (size == "") size = first_size[gpu, name]
    return get(gpu, name, variant, size, column)
}

# ---- expressions: blanks between all parts ----

function fail_token(text) { if (wrong == "") wrong = text; return 0 }

function primary(    v, t) {
    t = token[at_token++]
    if (t == "(") {
        v = sum()
        if (token[at_token++] != ")") return fail_token("a parenthesis is missing")
        return v
    }
    if (t == "-") return -primary()
    if (t ~ /^[0-9.]+(e[0-9]+)?$/) return t + 0
    if (t !~ /^[A-Za-z0-9]/) return fail_token("'" t "' where a variant or a number should be")
    v = operand(t)
    if (v == "") return fail_token("not recorded: " t)
    return v + 0
}

function product(    v, d, operator) {
    v = primary()
    while (token[at_token] == "*" || token[at_token] == "/") {
        operator = token[at_token++]
        d = primary()
        if (operator == "*") v *= d
        else if (d == 0) return fail_token("division by zero")
        else v /= d
    }
    return v
}

function sum(    v, operator) {
    v = product()
    while (token[at_token] == "+" || token[at_token] == "-") {
        operator = token[at_token++]
        v = operator == "+" ? v + product() : v - product()
    }
    return v
}

function evaluate(text,    v) {
    wrong = ""
    n_tokens = split(text, token, " ")
    token[n_tokens + 1] = ""
    at_token = 1
    split("", mentioned)
    n_mentioned = 0
    v = sum()
    if (wrong == "" && at_token <= n_tokens) fail_token("'" token[at_token] "' is too much")
    return v
}

# One line with its figures: NUMBER<!--EXPRESSION-->.
function quote(line,    out, number, spec, v, name) {
    while (match(line, /[0-9]+(\.[0-9]+)?<!--[^>]*-->/)) {
        number = substr(line, RSTART, index(substr(line, RSTART), "<") - 1)
        spec = substr(line, RSTART + length(number) + 4, RLENGTH - length(number) - 7)
        out = out substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
        if (spec !~ /^said: ./) {
            v = evaluate(spec)
            if (wrong == "") {
                sub(/(^|[ (|])-+$/, "&@", out) # the sign of the old figure goes with it
                sub(/-+@$/, "", out)
                number = sprintf("%." decimals(number) "f", v)
                if (number ~ /^-0(\.0*)?$/) number = substr(number, 2)
            } else complain(wrong " (" spec ")")
            if (n_mentioned > 1)
                for (name in mentioned) if (name != "ceiling") pair[name] = FNR
        }
        out = out number "<!--" spec "-->"
    }
    return out line
}

# ---- tables of variants: <!-- rows A B C: begin (plots/record.sh writes this) --> ----

function cells_of(gpu, variant,    speed, percent) {
    speed = operand(variant ":gbs@" gpu)
    percent = operand(variant "@" gpu)
    return " " (speed == "" ? "-" : sprintf("%.0f", speed)) " | " (percent == "" ? "-" : sprintf("%.1f", percent)) " |"
}

function rows_table(names,    list, n, i, g, n_gpus, gpu, line, rule) {
    n = split(names, list, " ")
    n_gpus = split(gpus, gpu, " ")
    line = "| variant | step |"
    rule = "| --- | --- |"
    for (g = 1; g <= n_gpus; g++) {
        read_file(gpu[g], "bandwidth")
        line = line " " gpu_name[gpu[g]] ", GB/s | % of copy |"
        rule = rule " ---: | ---: |"
    }
    print ""
    print line
    print rule
    for (i = 1; i <= n; i++) {
        line = ""
        for (g = 1; g <= n_gpus; g++) line = line cells_of(gpu[g], list[i])
        if (!(list[i] in step_of)) complain("not recorded: " list[i])
        print "| `" list[i] "` | " substr(step_of[list[i]], 1, 2) " |" line
    }
    print ""
}

BEGIN {
    split("copy memcpy peak", list, " ")
    for (i in list) long_column[list[i]] = "percent_of_" list[i]
    long_column["gbs"] = "gb_per_s"
    long_column["ms"] = "time_ms"
    loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
    short_counter["l1_sectors"] = loads ".sum"
    short_counter["l1_hits"] = loads "_lookup_hit.sum"
    split("read write", list, " ")
    for (i in list) {
        short_counter["l2_" list[i] "_requests"] = "lts__t_requests_srcunit_tex_op_" list[i] ".sum"
        short_counter["l2_" list[i] "_sectors"] = "lts__t_sectors_srcunit_tex_op_" list[i] ".sum"
    }
    half_counter["half_dram_read"] = "dram__bytes_read.sum"
    half_counter["half_dram_write"] = "dram__bytes_write.sum"
    half_counter["half_l2_reads"] = "lts__t_sectors_op_read.sum"
    half_counter["half_l2_hits"] = "lts__t_sectors_op_read_lookup_hit.sum"
    half_counter["half_l2_fabric"] = "lts__t_sectors_srcunit_ltcfabric.sum"
    split("latency_ns in_flight_kb threads bytes_per_thread", list, " ")
    for (i in list) flight[list[i]]
}

/^```/ { fenced = !fenced }
fenced { if (!skipping) print; next }
/^<!-- rows: end -->$/ { skipping = 0 }
!skipping { print quote($0) }
/^<!-- rows .*: begin \(plots\/record.sh writes this\) -->$/ {
    names = $0
    sub(/^<!-- rows /, "", names)
    sub(/: begin .*/, "", names)
    rows_table(names)
    skipping = 1
}

END {
    if (skipping) complain("a table of rows has no end: <!-- rows: end -->")
    if (pairs != "") for (name in pair) print pair[name], name >pairs
    close("cat 1>&2")
    exit bad
}
