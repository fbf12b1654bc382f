#!/bin/bash
# Rooms of shared/ use each other downwards only, by their includes and paths; step.mk alone names
# them all. usage: rooms.sh
. "$(dirname "$0")/tree.sh"

# below ROOM: the rooms that it may use. Those at the top may use all.
below() {
    case $1 in
    traffic | harness) ;;
    layout | cpucc) echo traffic ;;
    exercises) echo harness cpucc layout traffic ;;
    peers | profile) echo harness cpucc ;;
    *) basename -a shared/*/ ;;
    esac
}

# uses FILE: the rooms it names in includes and paths, comments left out.
uses() {
    case $1 in
    *.c | *.h | *.cu | *.cuh | shared/cpucc/include/*)
        tr '\n' '\1' <"$1" | sed 's,/\*[^*]*\**\([^/*][^*]*\**\)*/,,g' | tr '\1' '\n' | sed 's,//.*,,' ;;
    *) sed -E 's/(^|[[:space:]])#( .*|$)//' "$1" ;;
    esac | grep -oE '(shared["'\'']?/|SHARED[)}]|\.\./|#include ["<]|home["'\'']?/\.\./)[a-z_]+["'\'']?/' |
        grep -oE '[a-z_]+["'\'']?/$' | tr -d "\"'/" | sort -u
}

rooms=" $(basename -a shared/*/ | tr '\n' ' ')"
for room in $rooms; do
    allowed=" $room $(below "$room" | tr '\n' ' ') "
    files | grep "^shared/$room/" | grep -vE '\.md$|^shared/harness/step.mk$' >"$work/files"
    while IFS= read -r file; do
        also=
        case $file in
        shared/cpucc/harness/*) also=' harness ' ;; # the glue between the two
        shared/exercises/check.sh) also=' tests ' ;; # --handout leaves the tests of the exercises out
        esac
        for used in $(uses "$file"); do
            [[ $rooms == *" $used "* ]] || continue # no room: some other folder
            if [[ $allowed$also == *" $used "* ]]; then pass; else fail "$file uses shared/$used"; fi
        done
    done <"$work/files"
done
finish
