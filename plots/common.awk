# Functions that the awk scripts here share: load with -f common.awk after tsv.awk.
# Missing numbers are the word nan; some awks would read that as a number, so test with known().

function known(text) { return text ~ /^-?[0-9.]+([eE][-+]?[0-9]+)?$/ }

# A column that older files lack, and what they are read as.
function field(name, otherwise) { return name in at ? $at[name] : otherwise }

function decimals(text) { return index(text, ".") ? length(text) - index(text, ".") : 0 }

# Median of list[1..n], numbers as text. With an odd n it is one of them, character for character;
# with an even n the mean of two, with one decimal more, so that nothing is lost.
function median(list, n,    i, j, t, sorted, low, high) {
    if (n == 0) return "nan"
    for (i = 1; i <= n; i++) {
        t = list[i]
        for (j = i; j > 1 && sorted[j - 1] + 0 > t + 0; j--) sorted[j] = sorted[j - 1]
        sorted[j] = t
    }
    high = sorted[int(n / 2) + 1]
    if (n % 2) return high
    low = sorted[n / 2]
    t = decimals(low) > decimals(high) ? decimals(low) : decimals(high)
    return (low high) ~ /[eE]/ ? sprintf("%.9g", (low + high) / 2) : sprintf("%." (t + 1) "f", (low + high) / 2)
}

# Of the peers one is no transpose: PyTorch's copy, its own ceiling.
function is_peer_copy(variant) { return variant == "torch_copy" }

# Of a bandwidth file. Rows of other elements or of several matrices are other problems than the
# matrix of floats that all steps share: they have their place in the tables, but are no step's best.
function is_shared_problem() { return field("element_bytes", 4) == 4 && field("batches", 1) == 1 }

# What tells such a row from the others, in words.
function special(    bytes, batches) {
    bytes = field("element_bytes", 4)
    batches = field("batches", 1)
    return (bytes == 4 ? "" : bytes "-byte elements") (bytes == 4 || batches == 1 ? "" : ", ") \
        (batches == 1 ? "" : batches " matrices")
}

# A row that has a figure.
function is_measured() { return $at["status"] == "ok" && known($at["gb_per_s"]) }

# Header lines: "# key: value" into head[key]; "# headline STEP: VARIANT compared with VARIANT" into
# headline[STEP] and compared_with[STEP] too.
function read_header(line,    colon, key, value, part) {
    colon = index(line, ": ")
    if (!colon) return
    key = substr(line, 3, colon - 3)
    value = substr(line, colon + 2)
    head[key] = value
    if (key ~ /^headline / && !(substr(key, 10) in headline) && split(value, part, / compared with /) == 2) {
        headline[substr(key, 10)] = part[1]
        compared_with[substr(key, 10)] = part[2]
    }
}
