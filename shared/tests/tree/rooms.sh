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

# used: lines "FILE ROOM".
mapfile -t all < <(files | grep '^shared/[^/]*/' | grep -vE '\.md$|^shared/harness/step.mk$|^shared/([a-z_]+/)?tests/')
awk -v rooms="$(basename -a shared/*/ | tr '\n' ' ')" -f shared/tests/tree/rooms.awk "${all[@]}" \
    >"$work/used"
while read -r file used; do
    room=${file#shared/} && room=${room%%/*}
    allowed=$(below "$room")
    case $file in
    shared/cpucc/harness/*) allowed+=' harness' ;; # the glue between the two
    esac
    if [ "$used" = "$room" ] || grep -qw "$used" <<<"$allowed"; then
        pass
    else
        fail "$file uses shared/$used"
    fi
done <"$work/used"
finish
