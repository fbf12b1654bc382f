# Takes the numbers that the learner wrote into the lines "// predict: WHAT = NUMBER" of an exercise.
#   awk -v name=NAME -f predict.awk ORIGINAL SUBMISSION
# Prints "WHAT<TAB>NUMBER<TAB>LINE" for each prediction that the original asks for; or what is
# missing, and fails.
function what(line) {
    sub(/^\/\/ *predict: */, "", line)
    sub(/ *=.*/, "", line)
    gsub(/[ \t]+/, " ", line)
    return line
}
{ sub(/\r$/, "") }
!/^\/\/ *predict:/ { next }
FNR == NR { asked[++n] = what($0); next }
{
    value = $0
    sub(/^[^=]*= */, "", value)
    sub(/ *$/, "", value)
    given[what($0)] = value
    at[what($0)] = FNR
}
END {
    for (i = 1; i <= n; i++) {
        w = asked[i]
        if (!(w in given))
            wrong[++m] = "the line \"// predict: " w " = ...\" is missing; ./run_all.sh --exercises --reset " name " brings it back"
        else if (given[w] !~ /^[0-9]+(\.[0-9]+)?$/)
            wrong[++m] = "line " at[w] ": \"" given[w] "\" is no number: write your prediction of " w " there"
    }
    if (m) {
        for (i = 1; i <= m; i++)
            print wrong[i]
        exit 1
    }
    for (i = 1; i <= n; i++)
        printf "%s\t%s\t%d\n", asked[i], given[asked[i]], at[asked[i]]
}
