#!/bin/bash
# The book is made, without a word of complaint. usage: make.sh FOLDER [PROGRAMS]; PROGRAMS: the folder of
# the steps that cpucc has built, for their players
. "$(dirname "$0")/../../traffic/tests/checks.sh"
command -v cmark-gfm >/dev/null || {
    skip 'no cmark-gfm here (./run_all.sh --install --book installs it)'
    finish
}
rm -rf "$1"
started=$(date +%s%N)
if [ -n "${2:-}" ]; then
    expect 0 "$root/shared/book/book.sh" --programs "$2" "$1"
else
    expect 0 "$root/shared/book/book.sh" --no-players "$1"
fi
echo "made in $((($(date +%s%N) - started) / 1000000)) ms"
check "it complains: $(cat "$work/err")" [ ! -s "$work/err" ]
check 'there is no index' [ -s "$1/index.html" ]
check 'there are few pages' [ "$(find "$1" -name '*.html' | wc -l)" -gt 30 ]
for page in "$root"/steps/[0-9]*/*.md; do
    [ ! -L "$(dirname "$page")" ] || continue
    html=${page#"$root"/}
    html=${html%.md}.html
    check "there is no $html" [ -s "$1/${html/README.html/index.html}" ]
done

if [ -n "${2:-}" ]; then
    for lesson in "$1"/steps/[0-9]*/index.html; do
        player=${lesson%index.html}player.html
        check "there is no $player" grep -q '</html>' "$player"
        check "$lesson has no player" grep -q 'src="player.html"' "$lesson"
        check "$player is larger than a megabyte" [ "$(wc -c <"$player")" -lt 1000000 ]
    done
fi

# Charts of the reader's own runs are taken instead of the recorded ones, and said to be.
tree=$work/tree
mkdir -p "$tree/shared/cpucc" "$tree/plots/figures" "$work/results/figures"
cp -r "$root/shared/book" "$tree/shared" && cp -r "$root/shared/cpucc/page" "$tree/shared/cpucc"
printf '# Title\n\n![a](plots/figures/a.svg)\n\n![b](plots/figures/b.svg)\n' >"$tree/README.md"
echo recorded | tee "$tree/plots/figures/a.svg" >"$tree/plots/figures/b.svg"
echo mine >"$work/results/figures/a.svg"
expect 0 "$tree/shared/book/book.sh" --no-players --results "$work/results" "$work/small"
check 'the own chart is not there' grep -qx mine "$work/small/plots/figures/a.svg"
check 'the recorded chart is not there' grep -qx recorded "$work/small/plots/figures/b.svg"
check 'it is not said whose it is' [ "$(grep -c 'your own run' "$work/small/index.html")" -eq 1 ]

# Wrong usage is refused in one line.
expect 2 "$root/shared/book/book.sh"
expect 2 "$root/shared/book/book.sh" --frobnicate
expect 2 "$root/shared/book/book.sh" "$work/a" "$work/b"
touch "$work/file"
expect 1 "$root/shared/book/book.sh" "$work/file"
check 'one line' [ "$(wc -l <"$work/err")" -eq 1 ]
finish
