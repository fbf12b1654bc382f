#!/bin/bash
# Where the disk is full, or a file may not grow, the old results stay; a run that ends well has
# written all of its own. usage: disk_full.sh
. "$(dirname "$0")/workbook.sh"
make_workbook "$work/book"
compile_once "$work/book"
out=$work/book/out
expect 0 run_fake
before=$(cat "$out/counts.tsv")

# limited KILOBYTES IGNORED: a run in which no file may grow further. Each program writes 3 MB.
limited() {
    (
        ulimit -f "$1"
        [ "$2" = no ] || trap '' XFSZ
        run_fake FAKE_ROWS=60000
    )
}
for ignored in no yes; do
    for most in 2500 4500; do # the programs' files do not fit; all in one do not
        expect 1 limited $most $ignored
        check "a limit of $most KB: the old counts" [ "$(cat "$out/counts.tsv")" = "$before" ]
    done
    says 'are left as they were'
    expect 0 limited 30000 $ignored
    check "a limit of 30000 KB: new counts" [ "$(grep -c v59999 "$out/counts.tsv")" -eq 2 ]
    expect 0 run_fake FAKE_ROWS=1
    before=$(cat "$out/counts.tsv")
done

# Results on a disk of some size, larger and larger. Each program writes 400 KB.
mkdir "$work/disk"
if unshare -m mount -t tmpfs none "$work/disk" 2>/dev/null; then
    for size in 300 600 900 1100 1300 1600 2000 4000 12000; do
        unshare -m bash -s "$size" "$work" <<'END'
            mount -t tmpfs -o "size=$1k" none "$2/disk" || exit 9
            cp "$2/book/out/counts.tsv" "$2/disk"
            FAKE_ROWS=9000 "$2/book/run_all.sh" --size 32 --out "$2/disk" >"$2/said" 2>&1
            echo $? >"$2/status"
            cp "$2/disk/counts.tsv" "$2/counts.tsv"
END
        if [ "$(cat "$work/status")" -eq 0 ]; then
            check "a disk of $size KB: cut short" [ "$(grep -c v8999 "$work/counts.tsv")" -eq 2 ]
            complete=yes
        else
            check "a disk of $size KB: the old counts" cmp -s "$work/counts.tsv" "$out/counts.tsv"
        fi
    done
    check 'on the largest disk it ends well' [ "${complete:-no}" = yes ]
else
    skip 'a small disk: cannot mount one here'
fi
finish
