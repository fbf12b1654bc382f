#!/bin/bash
# Builds and runs programs that were not written for cpucc and compares their outcomes with a list.
#
#   foreign.sh LIST DIR...
#
# LIST is TSV with a header: repository, commit, folder, files, flags, arguments, edit, expected,
# reason. DIR is a checkout; only rows whose repository's last part is DIR's name are run. A program
# is built and run in a copy of its folder, with these files, flags and arguments. edit is a sed
# script for its files and headers, for example to reduce sizes, or empty. expected is one of
#
#   clean     builds, ends with status 0, no fault
#   faults    builds, and cpucc reports faults; reason says why they are true
#   status:N  builds, ends with status N as the program itself decides, no fault
#   refused   cpucc refuses it with a line that names the unsupported construct
#   fails     is known not to work; reason says why
#
# Prints a row per program: name, expected, outcome, seconds to build, seconds to run, output.
# FOREIGN_SECONDS limits a run (default 120), FOREIGN_ONLY=PATTERN selects programs by name.
# Exit status: 0 if all outcomes are as expected, 1 if not, 2 for wrong usage.
set -u
unset CDPATH
if [ $# -lt 2 ] || [ ! -f "$1" ]; then
    echo "usage: foreign.sh LIST DIR..." >&2
    exit 2
fi
cpucc=$(cd "$(dirname "$0")/.." && pwd)/cpucc
list=$(readlink -f "$1")
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export CPUCC_REPORT=off
limit=${FOREIGN_SECONDS:-120} programs=0 others=0

# outcome FOLDER: prints the outcome of the program in FOLDER, as the files there show it.
outcome() {
    local status
    if [ ! -x "$1/program" ]; then
        grep -qE 'cpucc: .*not supported' "$1/build" && echo refused || echo 'not built'
        return
    fi
    status=$(cat "$1/status")
    if grep -qE ' fault: ' "$1/err"; then
        echo faults
    elif [ "$status" = 124 ]; then
        echo 'too slow'
    elif [ "$status" = 0 ]; then
        echo clean
    else
        echo "status:$status"
    fi
}

one() { # FOLDER FILES FLAGS ARGUMENTS EDIT EXPECTED; $name is the program's name
    local place=$work/place words files arguments start built=0 ran=0 got said
    read -ra words <<<"$3 $2"
    read -ra files <<<"$2"
    read -ra arguments <<<"$4"
    cd "$place/$1" || return 1
    shopt -s nullglob
    [ -z "$5" ] || sed -E -i "$5" "${files[@]}" ./*.h ./*.cuh
    rm -rf "$place/.outcome"
    mkdir "$place/.outcome"
    start=$SECONDS
    "$cpucc" "${words[@]}" -o "$place/.outcome/program" >"$place/.outcome/build" 2>&1
    built=$((SECONDS - start)) start=$SECONDS
    if [ -x "$place/.outcome/program" ]; then
        timeout -k 5 "$limit" "$place/.outcome/program" "${arguments[@]}" \
            >"$place/.outcome/out" 2>"$place/.outcome/err" </dev/null
        echo $? >"$place/.outcome/status"
        ran=$((SECONDS - start))
    fi
    got=$(outcome "$place/.outcome")
    said=$(cat "$place/.outcome/"{build,err} 2>/dev/null | grep -m 1 -E 'cpucc:|error:| fault: ')
    printf '%s\t%s\t%s\t%d\t%d\t%s\n' "$name" "$6" "$got" $built $ran "${said:0:200}"
    [ "$6" = "$got" ] || [ "$6" = fails ]
}

printf 'program\texpected\toutcome\tbuild_s\trun_s\tsaid\n'
for folder in "$@"; do
    folder=$(readlink -f "$folder")
    rm -rf "$work/place"
    cp -r "$folder" "$work/place"
    while IFS=$'\x01' read -r repository _ place files flags arguments edit expected _; do
        [ "${repository##*/}" = "${folder##*/}" ] || continue
        name=${folder##*/}/$place:${files%% *}
        # shellcheck disable=SC2053 # a pattern
        [[ $name == ${FOREIGN_ONLY:-*} ]] || continue
        programs=$((programs + 1))
        (one "$place" "$files" "$flags" "$arguments" "$edit" "$expected") ||
            others=$((others + 1))
    done < <(tail -n +2 "$list" | tr '\t' '\001')
done
echo "# $programs programs, $others not as expected"
[ "$others" -eq 0 ]
