#!/bin/bash
# run_all.sh's own command line: what is wrong is refused with status 2 and one line.
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
expect 0 "$root/run_all.sh" --help
for option in --install --test --size --quick --out --recorded --exercises --grade --handout --book; do
    says "$option"
done
finish
