#!/bin/bash
# The program `layout`: results, errors with their carets, exit statuses, TSV and pictures.
# usage: test_cli.sh PROGRAM
. "$(dirname "$0")/../../traffic/tests/checks.sh"
program=$1

# run ARGUMENTS...: leaves $status, $work/out and $work/err.
run() {
    "$program" "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# last EXPECTED ARGUMENTS...: exit 0, this last line, nothing on standard error.
last() {
    local expected=$1
    shift
    run "$@"
    check "$*: status $status" test $status -eq 0
    check "$*: $expected" test "$(tail -n 1 "$work/out")" = "$expected"
    check "$*: quiet" test ! -s "$work/err"
}

# wrong WORDS CARET ARGUMENTS...: exit 2, nothing on standard output, WORDS in the first line, the
# caret in column CARET of the third (counted from 0 within the argument; - for no caret).
wrong() {
    local words=$1 caret=$2
    shift 2
    run "$@"
    check "$*: status $status" test $status -eq 2
    check "$*: nothing printed" test ! -s "$work/out"
    check "$*: $words" grep -qF -- "$words" <(head -n 1 "$work/err")
    if [ "$caret" = - ]; then
        check "$*: one line" test "$(wc -l <"$work/err")" -eq 1
    else
        check "$*: three lines" test "$(wc -l <"$work/err")" -eq 3
        check "$*: caret" test "$(sed -n 3p "$work/err")" = "$(printf "%*s^" $((caret + 2)) '')"
    fi
}

# ---- every command's last line
last '(32,32):(32,1)' sectors '(32,32):(32,1)'
last '(4,8):(8,1)' show '(4,8):(8,1)'
last '((2,2),3):((24,2),8)' compose '(6,2):(8,2)' '(4,3):(3,1)'
last '(3,(2,4)):(236,(26,1))' compose '(12,(4,8)):(59,(13,1))' '<3:4,8:2>'
last 'Sw<5,0,5> o 0 o (32,32):(32,1)' compose 'Sw<5,0,5>' '(32,32):(32,1)'
last 'Sw<5,0,5> o 0 o (32,32):(1,32)' compose 'Sw<5,0,5> o 0 o (32,32):(32,1)' '(32,32):(32,1)'
last 'Sw<3,0,3> o 0 o (8,8):(8,1)' compose 64 'Sw<3,0,3> o 0 o (8,8):(8,1)'
last '12:1' coalesce '(2,(1,6)):(1,(6,2))'
last '(2,3):(1,8)' complement 4:2 24
last '1:0' complement '(4,8)'
last '(8,4):(4,1)' inverse '(4,8):(8,1)'
last '(2,4):(4,1)' inverse --left 4:2
last '((2,3),(4,5)):((20,40),(1,4))' divide '(6,20):(20,1)' '(2,4)'
last '((2,4),(3,5)):((20,1),(40,4))' divide --zipped '(6,20):(20,1)' '(2,4)'
last '((2,4),3,5):((20,1),40,4)' divide --tiled '(6,20):(20,1)' '(2,4)'
last '(2,4,3,5):(20,1,40,4)' divide '(6,20):(20,1)' '(2,4)' --flat
last '((2,2),(2,3)):((4,1),(2,8))' product '(2,2):(4,1)' 6:1
last '(6,(5,4)):(5,(1,30))' product --blocked '(2,5):(5,1)' '(3,4):(1,3)'
last '((3,2),(4,5)):((10,5),(30,1))' product --raked '(2,5):(5,1)' '(3,4):(1,3)'
last '((2,5),(3,4)):((5,1),(1,5))' product --zipped '(2,5):(5,1)' '<3,4>'
last '((2,5),3,4):((5,1),1,5)' product --tiled '(2,5):(5,1)' '<3,4>'
last '(2,4):(20,1)' tile '(6,20):(20,1)' '(2,4)' '(1,2)'
check 'tile offset' test "$(head -n 1 "$work/out")" = 'offset 48'
last '(4,1):(256,0)' partition '(32,32):(32,1)' '(8,32):(32,1)' 33
check 'partition offset' test "$(head -n 1 "$work/out")" = 'offset 33'
last 19 map '(4,8):(8,1)' '(2,3)'
last 31 map '(4,8):(8,1)' 0 1 31
check 'map prints each' test "$(tr '\n' ' ' <"$work/out")" = '0 8 31 '
last '(4):(8)' map '(4,8):(8,1)' '(_,3)'
last '((1,2),1)' coord '((2,4),3):((1,6),2)' 13
last equal equal '(4,8)' 32
last '((8,4),8):((32,1),4)' threads '(4,8):(8,1)' '(1,8)'
check 'threads shows owners' grep -q '| 31:7 |' "$work/out"
last '(32,32):(33,1)' banks '(32,32):(33,1)'
check 'padding is free' grep -q 'access column, 4 bytes per lane: requests 32, wavefronts 32,' "$work/out"
last 'Sw<5,0,5> o 0 o (64,64):(64,1)' banks 'Sw<5,0,5> o 0 o (64,64):(64,1)' --access column
check 'two-way' grep -q 'requests 0 to 127, each: 2 wavefronts, 2-way; lanes that collide: 0+16 1+17' "$work/out"
last 'Sw<3,0,3> o 0 o (64,(8,2)):(8,(1,512))' banks 'Sw<3,0,3> o 0 o (64,(8,2)):(8,(1,512))' \
    --bytes 16 --access '(4,2,4,8):(64,4,256,8)'
check 'free in quarters' grep -q 'wavefronts 32, ideal 32, with conflicts 0' "$work/out"
last 'Sw<5,0,5> o 0 o (32,32):(32,1)' search '(32,32):(32,1)'
last 'Sw<5,0,6> o 0 o (64,64):(64,1)' search '(64,64):(64,1)' --access column --access row
last 'Sw<3,2,4> o 0 o (64,64):(64,1)' search '(64,64):(64,1)' --vector 4
last 'Sw<3,0,3> o 0 o (64,8):(8,1)' search '(64,8):(8,1)' --bytes 16
last '(8,3):(3,1)' search '(8,3):(3,1)' --access column
last 'Sw<4,0,5> o 0 o (48,48):(48,1)' search '(48,48):(48,1)'
check 'none' grep -q 'none: all of up to 5 bits were tried' "$work/out"
check 'none found' grep -q '^free of conflicts: 0 of ' "$work/out"

# ---- the grid as CuTe prints it
run show '(2,3):(3,1)'
check grid cmp -s "$work/out" - <<'GRID'
    0   1   2
  +---+---+---+
0 | 0 | 1 | 2 |
  +---+---+---+
1 | 3 | 4 | 5 |
  +---+---+---+
(2,3):(3,1)
GRID
run equal '(4,8)' '(4,8):(8,1)'
check 'different is 1' test $status -eq 1
check 'different says where' test "$(head -n 1 "$work/out")" = 'at index 1 the first gives 1, the second 8'
check 'different' test "$(tail -n 1 "$work/out")" = different
run equal '(4,8)' 16
check 'different size is 1' test $status -eq 1

# ---- TSV
run show '(2,2):(2,1)' --tsv
check tsv cmp -s "$work/out" <(printf '# layout: (2,2):(2,1)\n# what: offset\nrow\tcol\toffset\n0\t0\t0\n0\t1\t1\n1\t0\t2\n1\t1\t3\n')
run banks --tsv '(2,2):(32,1)'
check 'tsv of banks' cmp -s "$work/out" <(printf '# layout: (2,2):(32,1)\n# what: bank\nrow\tcol\toffset\tbank\n0\t0\t0\t0\n0\t1\t1\t1\n1\t0\t32\t0\n1\t1\t33\t1\n')
run requests '(4,4):(4,1)' --access column --request 0
check 'requests: the last lane' test "$(tail -n 1 "$work/out")" = "$(printf 'column\t0\t15\t3\t3\t15\t60\t0\t0\t15\t15')"
run requests '(32,32):(32,1)' --access column --request 31
check 'requests: lane 9 waits' grep -q "$(printf 'column\t31\t9\t9\t31\t319\t1276\t9\t0\t31\t319')" "$work/out"
check 'requests: one of them' test "$(wc -l <"$work/out")" -eq 33
run requests '(2,32):(32,1)' --bytes 8 --access row
check 'requests: two words a lane' test "$(wc -l <"$work/out")" -eq 129
run requests --global '(2,32):(32,1)' --bytes 8 --access row
check 'requests: one sector a lane' test "$(sed -n 34p "$work/out")" = "$(printf 'row\t1\t0\t1\t0\t32\t256\t2\t8')"
run sectors '(32,32):(33,1)' --access row --access column
check 'sectors of rows' grep -q '^access row, .* requests 32, sectors 156, ideal 128$' "$work/out"
check 'sectors of columns' grep -qx '  requests 0 to 31, each: 32 sectors where 4 would do' "$work/out"
run threads --tsv 2:1 2:1
check 'tsv of threads' cmp -s "$work/out" <(printf '# layout: ((2,2)):((2,1))\n# what: thread\nrow\tcol\tthread\tvalue\n0\t0\t0\t0\n0\t1\t0\t1\n0\t2\t1\t0\n0\t3\t1\t1\n')

# ---- errors
wrong 'which command' -
wrong 'no such command' 0 draw '(4,8)'
wrong 'not an option of this command' 0 show '(4,8)' --left
wrong 'needs a value' 0 show '(4,8)' --png
wrong 'expected 1, 2, 4, 8 or 16' 0 banks '(4,8)' --bytes 3
wrong 'takes 2 operands' - compose '(4,8)'
wrong 'takes at least 2 operands' - map '(4,8)'
wrong "expected an integer or '('" 3 show '(4,x)'
wrong 'overflow' 21 show '(4611686018427387904,4):(1,2)'
wrong 'shape divisibility' 4 compose '(6,2):(8,2)' '(4,(5,7)):(3,(2,1))'
wrong 'carry' 3 compose '(6,2):(1,7)' '(3,2):(2,3)'
wrong 'stride divisibility' 1 compose '((4,3),5):((3,1),20)' '<2:6,5>'
wrong 'not injective' 5 divide '(6,20)' '<2:1,(4,3):(1,1)>'
wrong 'not injective' 15 divide '(6,20)' '<(2,1):(10,20),(4,3):(1,1)>'
wrong '3 tilers for a layout of rank 2' 0 divide '(6,20)' '<2,2,2>'
wrong 'outside a mode of size 2' 4 map '(4,(2,8))' '(1,(2,3))'
wrong 'outside a layout of size 32' 0 coord '(4,8)' 32
wrong 'expected an integer' 0 coord '(4,8)' '(1,2)'
wrong 'no thread 256' 0 partition '(32,32)' '(8,32):(32,1)' 256
wrong 'at least 1' 0 complement '(4,8)' 0
wrong 'swizzles first' 16 inverse 'Sw<3,0,3> o 0 o (8,8):(8,1)'
wrong 'a layout of threads must number' 0 threads '(4,8):(8,2)' 1
wrong 'no request of this number' 0 requests '(32,32):(32,1)' --access row --request 32
wrong 'expected a number' 0 requests '(32,32):(32,1)' --request x
wrong 'not an option of this command' 0 banks '(32,32):(32,1)' --global
wrong 'without a swizzle' 0 search 'Sw<5,0,5> o 0 o (32,32):(32,1)'
wrong 'outside the tile' 0 banks '(4,8)' --access 33:1
wrong 'too large to draw' 0 show '(2048,2048)'
wrong 'too large to search' 0 search '(1024,1024)'

# ---- help
run --help
check 'help is 0' test $status -eq 0
check 'help names every command' test "$(grep -cE '^  (show|map|coord|compose|coalesce|complement|inverse|divide|product|tile|partition|equal|threads|banks|search|sectors|requests) ' "$work/out")" -eq 17
run show --help
check 'help behind a command' test $status -eq 0

# ---- pictures, and what can go wrong with them
run show '(4,8):(8,1)' --png "$work/a.png" --svg "$work/a.svg"
if command -v gnuplot >"$work/which"; then
    check 'picture is 0' test $status -eq 0
    check 'picture still prints the layout' test "$(tail -n 1 "$work/out")" = '(4,8):(8,1)'
    check 'a PNG' test "$(head -c 4 "$work/a.png" | tail -c 3)" = PNG
    check 'an SVG' grep -q '</svg>' "$work/a.svg"
    run banks 'Sw<5,0,5> o 0 o (32,32):(32,1)' --png "$work/it's.png"
    check 'a quote in the name' test -s "$work/it's.png"
    run threads '(4,8):(8,1)' '(1,8)' --svg "$work/t.svg"
    check 'threads' grep -q 'T31' "$work/t.svg"
else
    skip 'gnuplot is not installed: pictures are not drawn'
fi
run show '(4,8)' --png "$work/none/a.png"
check 'unwritable is 1' test $status -eq 1
check 'unwritable says so' grep -q 'cannot write' "$work/err"
check 'unwritable: one line' test "$(wc -l <"$work/err")" -eq 1
run show '(200,8)' --png "$work/b.png"
check 'too large a picture is 2' test $status -eq 2
PATH=/nowhere LAYOUT_GP='' run show 8 --png "$work/c.png"
check 'no gnuplot script is 1' test $status -eq 1
mkdir "$work/empty"
PATH=$work/empty run show 8 --png "$work/c.png"
check 'no gnuplot is 1' test $status -eq 1
check 'no gnuplot says so' grep -q 'gnuplot was not found' "$work/err"
check 'no gnuplot leaves no file' test ! -e "$work/c.png"
LAYOUT_GP=$work/missing.gp run show 8 --png "$work/c.png"
check 'missing script is 1' test $status -eq 1
check 'missing script says so' grep -q LAYOUT_GP "$work/err"
if [ -w /dev/full ]; then
    "$program" show '(4,8)' >/dev/full 2>"$work/err"
    check 'full disk is 1' test $? -eq 1
fi

finish
