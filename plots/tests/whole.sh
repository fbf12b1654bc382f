#!/bin/bash
# plots/draw.sh replaces each picture atomically. usage: whole.sh FOLDER, made by charts.sh
. "$(dirname "$0")/plots.sh"
need_gnuplot

without_gnuplot
cp -r "$1" "$work/kept"
before=$(print_of "$work/kept")
sed -i 's/4298.00/fast/' "$work/kept/bandwidth.tsv"
run "$plots/draw.sh" "$work/kept"
check "a malformed file" fails 2 "'fast' is not a number"
cp "$1/bandwidth.tsv" "$work/kept"
check "a malformed file changes no figure" test "$before" = "$(print_of "$work/kept")"
(ulimit -f 4 && "$plots/draw.sh" "$work/kept" --note later) >/dev/null 2>&1
status=$?
check "a full disk is an error" test $status -eq 1
check "a full disk leaves every figure" test "$before" = "$(print_of "$work/kept")"
# A gnuplot that writes half a picture and reports success.
cat >"$work/bin/gnuplot" <<'END'
#!/bin/sh
echo half >"$4"
END
chmod +x "$work/bin/gnuplot"
PATH=$work/bin run "$plots/draw.sh" "$work/kept"
check "half a picture is an error" test "$status" -eq 1
check "half a picture leaves every figure" test "$before" = "$(print_of "$work/kept")"
rm "$work/bin/gnuplot"
run "$plots/draw.sh" "$1" --out "$1/bandwidth.tsv/x"
check "an impossible destination" fails 1 "cannot be made"
run "$plots/draw.sh" "$1" --out "$work/with space's"
check "a destination with a blank and a quote" test -s "$work/with space's/progression.svg"
finish
