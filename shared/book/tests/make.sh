#!/bin/bash
# book.sh makes the book without a complaint. usage: make.sh FOLDER [PROGRAMS]; PROGRAMS: the folder of
# the steps that cpucc has built, for their players
. "$(dirname "$0")/../../traffic/tests/checks.sh"
"$root/shared/book/python.sh" >/dev/null || {
    skip 'no python3 with markdown-it-py and Pygments here (./run_all.sh --install --book installs them)'
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

check 'no term leads to the glossary' grep -q 'class=term href="../../[^"]*#term-bank"' "$1"/steps/02_*/index.html
check 'a program is no page of the contents' grep -q 'aria-current=page>The program' "$1"/steps/02_*/*.cu.html
check 'an answer became a list' not grep -rqE '<ol start="?[0-9]{2}' "$1/steps"
check 'a lesson does not lead to the next' grep -q 'rel=next href="../../steps/02_[^>]*><small>Next lesson' "$1"/steps/01_*/index.html
check 'a chapter before its lesson does not lead to it' grep -q 'rel=next href="../../steps/00_[^>]*index.html"' "$1"/steps/00_*/primer.html
check 'a chapter for later leads on to no lesson' grep -q '<small>Next lesson' "$1"/steps/00_*/tiles.html
check 'Start has no primer' grep -q '<p id=start class=start><a class=go href="steps/00_[^>]*primer' "$1/index.html"
check 'a word of every day leads to the glossary' not grep -rq '[Tt]his <a class=term [^>]*>page<' "$1/steps"
check 'an exercise shows backticks' not grep -rq '^<p>[^<]*`' "$1"/steps/*/exercises.html
check 'a head of a table has no scope' not grep -rqE '<th( [as][lt][^>]*)?>' "$1" --include='*.html'
check 'it is not said what the page can run' grep -q 'page itself can run.*#smem1_read' "$1"/steps/02_*/exercises.html
check 'the command is no listing' grep -q 'run_all.sh --exercises smem8_shuffle' "$1"/steps/02_*/exercises.html
check 'a page before step 03 tells what it predicts' not grep -rqE 'unused (column|word)|figure=padding' --exclude=player.html "$1"/index.html "$1"/steps/0[0-2]_*
check 'the home page shows results' not grep -qE '<p>(<a [^>]*>)?<img [^>]*figures/[^>]*\.svg"|[0-9] %|dark bar' <(sed '/<details/,/<\/details>/d' "$1/index.html")

if [ -n "${2:-}" ]; then
    for lesson in "$1"/steps/[0-9]*/index.html; do
        player=${lesson%index.html}player.html
        check "there is no $player" grep -q '</html>' "$player"
        check "$lesson has no player" grep -q 'src="player.html#embed=1"' "$lesson"
        check "$player is larger than a megabyte" [ "$(wc -c <"$player")" -lt 1000000 ]
    done
fi

# The book shows the charts of the reader's own runs instead of the recorded ones, and says so.
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

# Exercises have the line numbers of task.cu, and images their size.
mkdir -p "$tree/steps/00_a/exercises/e"
printf '# A\n\n![c](c.png)\n\n[file](../00_a/x.cu)\n' >"$tree/steps/00_a/README.md"
printf '/*\n * e: a task.\n */\nint second; // fourth line\n' | tee "$tree/steps/00_a/x.cu" >"$tree/steps/00_a/exercises/e/task.cu"
printf '\211PNG\r\n\032\n\0\0\0\015IHDR\0\0\001\002\0\0\0\003' >"$tree/steps/00_a/c.png"
expect 0 "$tree/shared/book/book.sh" --no-players "$work/small"
check 'the size of an image' grep -q '<img .*width=258 height=3 ' "$work/small/steps/00_a/index.html"
check 'the line number of an exercise' grep -q 'counter-reset: line 3.*<span id="e-4"' "$work/small/steps/00_a/exercises.html"
check 'a keyword is not coloured' grep -q '<span class=k>int</span> second' "$work/small/steps/00_a/x.cu.html"

# A python3 without the modules still answers --help and wrong usage, and says what is missing.
printf '#!/bin/sh\nexec %s -S "$@"\n' "$(command -v python3)" >"$work/python3" && chmod +x "$work/python3"
expect 3 "$work/python3" "$root/shared/book/book.py" "$work/none"
says 'markdown_it is missing'
expect 0 "$work/python3" "$root/shared/book/book.py" --help
says '^usage: book.sh'
expect 2 "$work/python3" "$root/shared/book/book.py" --frobnicate

# A signal ends it with the shell's status, and no scratch file stays.
mkdir "$work/scratch"
TMPDIR=$work/scratch "$root/shared/book/book.sh" --no-players "$work/ended" >"$work/out" 2>&1 &
for _ in {1..200}; do
    [ -z "$(ls -A "$work/scratch")" ] || break
    sleep 0.05
done
kill -TERM $!
wait $!
status=$?
check "after SIGTERM the status is $status" [ $status -eq 143 ]
check "scratch files stay: $(ls "$work/scratch")" [ -z "$(ls -A "$work/scratch")" ]

# Wrong usage is refused in one line.
expect 2 "$root/shared/book/book.sh"
expect 2 "$root/shared/book/book.sh" --frobnicate
expect 2 "$root/shared/book/book.sh" "$work/a" "$work/b"
touch "$work/file"
expect 1 "$root/shared/book/book.sh" "$work/file"
check 'one line' [ "$(wc -l <"$work/err")" -eq 1 ]
finish
