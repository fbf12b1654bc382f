#!/bin/bash
# table.sh refuses a malformed file with one line that says why. usage: malformed.sh
. "$(dirname "$0")/plots.sh"

bad() { # NAME TEXT SED-COMMAND: table.sh refuses turns/1.tsv, changed by sed, with an error that contains TEXT
    sed "$3" "$data/turns/1.tsv" >"$work/bad.tsv"
    run "$plots/table.sh" "$work/bad.tsv"
    check "$1" fails 2 "$2"
}
bad "a word for a number" "'fast' is not a number (gb_per_s)" 's/200\.0/fast/'
bad "a number with a tail" "'200.0GB' is not a number" 's/200\.0/200.0GB/'
bad "a missing field" "expected 10 tab-separated fields, found 9" 's/	20\.0$//'
bad "an unknown status" "unknown status 'fine'" '/	a	/s/ok/fine/'
bad "a column that is missing" "no column gb_per_s; expected are: step variant" 's/gb_per_s/speed/'
bad "a column twice" "two columns are called rows" 's/cols/rows/'
bad "half a headline" "a headline reads" '1s/^/# headline 01_naive: a\n/'
bad "no rows" "no rows" '/^01/d'
: >"$work/empty.tsv"
run "$plots/table.sh" "$work/empty.tsv"
check "an empty file" fails 2 "no header row"
finish
