#!/bin/bash
# Are the figures in an exercise's explanation what was counted or measured? A figure is a number with a
# comment behind it, which says where it is from:
#
#   10240<!--global_load.work-->          of the solution: COUNTER.requests or COUNTER.work
#   2048<!--task:global_load.requests-->  of the task as it is handed out
#   27<!--solution_ms-->                  of plots/results, exercises.tsv: a column
#   176<!--said: shared/cpucc/found.md--> somebody's: not checked
#
# or an expression of these and of numbers, with blanks around + - * / ( ). The figure must be the value,
# rounded to the figure's decimals. A number of three digits or more in front of `requests`, `sectors`,
# `wavefronts` or `ms` must have such a comment.
#
# usage: figures.sh FOLDER COUNTS; COUNTS has lines solution|task<TAB>COUNTER<TAB>REQUESTS<TAB>WORK
set -u
unset CDPATH
export LC_ALL=C
root=$(cd "$(dirname "$0")/../../.." && pwd)
results=$root/plots/results/$(cat "$root/plots/results/shown")/exercises.tsv
awk -F '\t' -v page="$1/explanation.md" -v name="${1##*/}" '
    function fail(text) { printf "%s: %s\n", page, text; status = 1 }
    # term, product, sum: of the words w[at], w[at + 1], ...
    function term(    x) {
        if (w[at] == "(") { at++; x = sum(); at++; return x }
        x = w[at++]
        if (x ~ /^[0-9.]+$/) return x + 0
        if (!(x in value)) { fail("nothing is known of " x); return 0 }
        return value[x]
    }
    function product(    x, o, y) {
        x = term()
        while (w[at] == "*" || w[at] == "/") {
            o = w[at++]; y = term()
            if (o == "/" && !y) { fail("a division by 0"); return 0 }
            x = o == "*" ? x * y : x / y
        }
        return x
    }
    function sum(    x, o, y) {
        x = product()
        while (w[at] == "+" || w[at] == "-") { o = w[at++]; y = product(); x = o == "+" ? x + y : x - y }
        return x
    }
    FILENAME == ARGV[1] {
        p = $1 == "task" ? "task:" : ""
        value[p $2 ".requests"] = $3
        value[p $2 ".work"] = $4
        next
    }
    /^#/ { next }
    !columns { columns = split($0, header); next }
    $1 == name { for (i = 2; i <= NF; i++) if ($i ~ /^[0-9.]+$/) value[header[i]] = $i }
    END {
        while ((getline line <page) > 0) text = text line "\n"
        bare = text
        while (match(text, /[0-9][0-9.]*<!--[^>]*-->/)) {
            figure = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            from = figure
            sub(/<.*/, "", figure); sub(/^[^<]*<!-- */, "", from); sub(/ *-->$/, "", from)
            if (from ~ /^said: ./) continue
            delete w
            split(from, w, / +/); at = 1
            x = sum()
            decimals = figure ~ /\./ ? length(figure) - index(figure, ".") : 0
            if (sprintf("%.*f", decimals, x) != figure) fail(figure " for " from ", which is " x)
        }
        gsub(/<!--[^>]*-->/, "!", bare)
        if (match(bare, /[0-9][0-9][0-9]+ (requests|sectors|wavefronts|ms)/))
            fail("where is this from? " substr(bare, RSTART, RLENGTH))
        exit status
    }' "$2" "$results"
