# Functions that the other awk scripts here share: load with -f common.awk before them.
# Missing numbers are the word nan; some awks would read that as a number, so test with known().

function known(text) { return text ~ /^-?[0-9.]+([eE][-+]?[0-9]+)?$/ }

# Median of list[1..n], numbers as text. With an odd n it is one of them, character for character.
function median(list, n,    i, j, t, sorted) {
    if (n == 0) return "nan"
    for (i = 1; i <= n; i++) {
        t = list[i]
        for (j = i; j > 1 && sorted[j - 1] + 0 > t + 0; j--) sorted[j] = sorted[j - 1]
        sorted[j] = t
    }
    if (n % 2) return sorted[(n + 1) / 2]
    return sprintf("%.6g", (sorted[n / 2] + sorted[n / 2 + 1]) / 2)
}
