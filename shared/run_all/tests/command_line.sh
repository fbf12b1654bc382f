#!/bin/bash
# run_all.sh's own command line: errors get status 2 and one line.
# usage: command_line.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"

refused() {
    expect 2 "$root/run_all.sh" "$@"
    check "run_all.sh $*: one line" [ "$(cat "$work/out" "$work/err" | wc -l)" -eq 1 ]
}
touch "$work/file"
refused --frobnicate
refused --size
refused --size ''
refused --out ''
refused --size 0
refused --size -5
refused --size 12abc
refused --size 999999999999
refused --out "$work/file"
refused --recorded
refused --recorded none
says 'h200'
refused --recorded ../results/h200
refused --test --size 64
refused --test --out "$work/out"
refused --test --recorded h200
refused --book --test
refused --book --size 64
said=$( (ulimit -f 0; "$root/run_all.sh" --size 64) 2>&1)
check "ulimit -f 0: $said" [ $? -eq 2 -a "$(wc -l <<<"$said")" -eq 1 ]
expect 0 bash -c 'umask 777; exec "$0" --handout "$1"' "$root/run_all.sh" "$work/handed_out"
expect 0 "$work/handed_out/run_all.sh" --help
expect 2 "$root/run_all.sh" --handout -x
says 'handout -x: a folder is needed'
expect 2 "$root/run_all.sh" --handout "$work/new" --next
says 'no other option: --next'
ln -s "$root/run_all.sh" "$work/link"
expect 0 "$work/link" --help
expect 2 "$work/link" --recorded none
says 'h200'
expect 0 "$root/run_all.sh" --help
for option in --install --test --size --quick --out --recorded --exercises --grade --handout --book; do
    says "$option"
done
finish
