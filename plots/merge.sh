#!/usr/bin/env bash
# Merges the bandwidth files of several programs and turns into one.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'END'
usage: merge.sh [--command TEXT] OUT.tsv IN.tsv...

One row for each (step, variant, rows, cols, element_bytes, batches), in the order in which they
first come, so name the files turn by turn. Each figure is the median over the files that have it. A
row is `failed` if it failed in any file, and `skipped` if it ran in none. Headers are those of the
first file, and the headlines of all; the command is TEXT, or else the commands of all files joined
by semicolons. Columns of older files that lack the last three are filled in, unknown ones left out.

OUT is written whole or not at all. Exit status: 0; 1 OUT could not be written; 2 a usage error, a
malformed file, files of different GPUs, or two headlines of one step.
END
}

command=''
case ${1:-} in
--help | -h) usage; exit 0 ;;
--command)
    [ $# -ge 2 ] || { complain "--command needs a value"; exit 2; }
    command=$2
    shift 2 ;;
-*) complain "unknown option $1 (see --help)"; exit 2 ;;
esac
[ $# -ge 2 ] || { complain "needs OUT.tsv and at least one IN.tsv (see --help)"; exit 2; }
out=$1
shift

for file in "$@"; do
    check_bandwidth "$file" || exit 2
    if [ "$(header "$file" gpu)" != "$(header "$1" gpu)" ]; then
        complain "$file is of another GPU than $1"
        exit 2
    fi
done

clash=$(awk '/^# headline / {
        step = $0
        sub(/: .*/, "", step)
        if (step in first && first[step] != $0) { print first[step] " and " $0; exit }
        first[step] = $0
    }' "$@" | sed 's/# //g')
[ -z "$clash" ] || { complain "two headlines of one step: $clash"; exit 2; }

trap 'rm -f "$out.$$"' EXIT
trap 'exit 1' HUP INT TERM
# awk reads backslashes in -v as escapes; the environment it leaves alone.
if ! { COMMAND=$command read_tsv merge.awk -v columns="$bandwidth_columns $bandwidth_later" "$@" >"$out.$$" &&
    check_bandwidth "$out.$$" && [ ! -d "$out" ] && mv -f "$out.$$" "$out"; } 2>/dev/null; then
    complain "$out: cannot be written"
    exit 1
fi
