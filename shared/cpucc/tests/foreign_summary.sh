#!/bin/bash
# What became of the programs of others in foreign.tsv, as the tables of cpucc's README.
# usage: foreign_summary.sh [--write]: prints them, or puts them into the README.
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
readme=$here/../README.md

# shellcheck disable=SC2016 # $ is awk's
tables() {
    awk -F '\t' '
        NR == 1 { next }
        !($1 in programs) { name[++names] = $1; commit[$1] = substr($2, 1, 8) }
        { programs[$1]++; count[$1, $4]++; all[$4]++; sum++ }
        $4 == "refused" || $4 == "needs" { why[$5]++ }
        $4 == "fails" { said[++lines] = $0 }
        END {
            print "| repository | programs | clean | faults, all true | refused by name | end by " \
                "themselves | need what is not here | do not work |"
            print "| --- | --- | --- | --- | --- | --- | --- | --- |"
            for (i = 1; i <= names; i++) {
                n = name[i]
                printf "| %s at %s | %d | %d | %d | %d | %d | %d | %d |\n", n, commit[n],
                    programs[n], count[n, "clean"], count[n, "faults"], count[n, "refused"],
                    count[n, "waived"], count[n, "needs"], count[n, "fails"]
            }
            good = all["clean"] + all["faults"]
            printf "\nOf %d programs that need nothing impossible %d build as they are and end as on " \
                "a GPU (%.0f %%).\nRefused or missing:", good + all["fails"], good,
                100 * good / (good + all["fails"])
            for (reason in why)
                list[++reasons] = sprintf("%03d %s", 999 - why[reason], reason)
            for (i = 2; i <= reasons; i++)
                for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
                    swap = list[j]; list[j] = list[j - 1]; list[j - 1] = swap
                }
            for (i = 1; i <= reasons; i++) {
                reason = substr(list[i], 5)
                printf "%s %s (%d)", (i > 1 ? "," : ""), reason, why[reason]
            }
            print ".\n\n| what does not work | |\n| --- | --- |"
            for (i = 1; i <= lines; i++) {
                split(said[i], field, "\t")
                printf "| %s: %s | %s |\n", field[1], field[3], field[5]
            }
        }' "$here/foreign.tsv"
}

case ${1:-} in
'') tables ;;
--write)
    tables >"$readme.tables" &&
        awk -v tables="$readme.tables" '
            /^<!-- foreign -->$/ {
                print
                while ((getline line <tables) > 0)
                    print line
                skip = 1
            }
            /^<!-- end -->$/ { skip = 0 }
            !skip' "$readme" >"$readme.new" && mv "$readme.new" "$readme"
    rm -f "$readme.tables"
    ;;
*)
    echo "usage: foreign_summary.sh [--write]" >&2
    exit 2
    ;;
esac
