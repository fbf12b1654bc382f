#!/bin/bash
# What this machine cannot do is no learner's failure: a full temporary folder, an odd locale, a blank
# in TMPDIR. usage: environment.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

mkdir -p "$work/anna" "$work/a b"
cp "$originals/naive4_stores/solution.cu" "$work/anna/naive4_stores.cu"
grades=$book/out/exercises/grades.tsv
row() { grep -qP "\tnaive4_stores\t$1\t" "$grades"; }

# A temporary folder of its own without room, where the system lets one mount it.
if unshare --user --map-root-user --mount true 2>/dev/null; then
    said=$(cd "$book" && unshare --user --map-root-user --mount bash -c '
        mkdir -p "$0/full" && mount -t tmpfs -o size=64k none "$0/full" || exit 77
        head -c 50000 /dev/zero >"$0/full/filled"
        TMPDIR=$0/full exec ./run_all.sh --grade "$0/anna"' "$work" 2>&1)
    status=$?
    if [ $status -eq 77 ]; then
        skip 'no file system can be mounted here: a full temporary folder'
    else
        check "a full temporary folder: status $status: $said" [ $status -eq 1 ]
        check "it is said whose marks are missing: $said" grep -q 'marks are missing' <<<"$said"
        check 'it is called that' row environment
        run 'it is not kept' 0 '1/6' ./run_all.sh --grade "$work/anna"
    fi
else
    skip 'no namespaces here: a full temporary folder'
fi
rm -rf "$book"/out/exercises/kept
LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 run 'an odd locale' 0 '1/6' ./run_all.sh --grade "$work/anna"
rm -rf "$book"/out/exercises/kept
TMPDIR="$work/a b" run 'a blank in TMPDIR' 0 '1/6' ./run_all.sh --grade "$work/anna"
check 'solved' row solved
TMPDIR="$work/none" run 'no temporary folder' 1 'cannot make a temporary folder' ./run_all.sh --grade "$work/anna"
finish
