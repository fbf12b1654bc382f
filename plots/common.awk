# Functions that the other awk scripts here share: load with -f common.awk before them.
# Missing numbers are the word nan; some awks would read that as a number, so test with known().

function known(text) { return text ~ /^-?[0-9.]+([eE][-+]?[0-9]+)?$/ }

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
