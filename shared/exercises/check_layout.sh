# Sourced by check_one.sh for exercises with "// operation: layout": the learner writes a layout in
# the notation of shared/layout, in a line "// answer: LAYOUT". Goals, one a line:
#
#   // goal: layout shape SHAPE          its shape, as it is written
#   // goal: layout places N             its elements lie in N different places, from 0 to N - 1
#   // goal: layout free OPTIONS         `layout banks` with these options finds no conflict

# ask ARGUMENT...: runs the layout program; what it says goes to the file `said`.
ask() {
    "$TOOLS/limit" 10 500 200000 outcome "$TOOLS/layout" "$@" >said || broken "limit failed"
    [ "$(cat outcome)" = 'exit 0' ]
}

# shellcheck disable=SC2154 # name is check_one.sh's
check_layout() {
    local answer kind rest options places
    answer=$(tr -d '\r' <"$name.cu" | sed -n 's/^\/\/ answer: *//p' | head -n 1)
    [ -n "$answer" ] || finish unsolved no_answer \
        "the line \"// answer: ...\" is missing; ./run_all.sh --exercises --reset $name brings it back"
    case $answer in -*) finish unsolved bad_answer "\"$answer\" is no layout" ;; esac
    ask show "$answer" ||
        finish unsolved bad_answer "the layout program does not understand the answer:" "$(head -n 3 said)"
    while read -r _ _ _ kind rest; do
        case $kind in
        shape)
            answered=$(tail -n 1 said | sed 's/.* o //; s/:.*//')
            [ "$answered" = "$rest" ] ||
                finish unsolved goals "your layout has the shape $answered; $rest is asked for"
            ;;
        places)
            # shellcheck disable=SC2046
            ask map "$answer" $(seq 0 $((rest - 1))) ||
                finish unsolved goals "your layout has fewer than $rest elements"
            places=$(sort -un said | awk -v last="$rest" '$1 < last {n++} END {print n + 0}')
            [ "$places" -eq "$rest" ] || finish unsolved goals \
                "your layout puts its elements into $places different places below $rest; $rest are needed, one for each"
            ;;
        free)
            read -ra options <<<"$rest"
            ask banks "$answer" "${options[@]}" || broken "layout banks failed: $(head -n 2 said)"
            grep '^access' said | grep -qv 'with conflicts 0$' && finish unsolved goals \
                "your layout leaves bank conflicts:" \
                "$(grep -A 1 '^access' said | grep -v '^--' | cut -c 1-120 | sed 's/^/    /')"
            ;;
        *) broken "unknown goal: $kind" ;;
        esac
        ask show "$answer"
    done < <(grep '^// goal: layout ' goals)
    finish solved solved
}
