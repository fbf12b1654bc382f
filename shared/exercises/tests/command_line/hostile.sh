#!/bin/bash
# --grade: submissions whose folders are made to deceive: links, pipes, devices, names that forge rows.
# usage: hostile.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

solution=$originals/naive4_stores/solution.cu
mkdir -p "$work"/{flat,pipe,zero,folder,lib/clang}/ "$work/linked/steps/01_naive" "$work/other/steps/01_naive/exercises"
ln -s "$solution" "$work/flat/naive4_stores.cu"
ln -s "$originals" "$work/linked/steps/01_naive/exercises"
ln -s "$originals/naive4_stores" "$work/other/steps/01_naive/exercises/naive4_stores"
ln -s solution.cu "$work/folder/answer"
cp "$solution" "$work/lib/clang/x.h"
echo "#include \"$work/lib/clang/x.h\"" >"$work/lib/clang/naive4_stores.cu"
mkfifo "$work/pipe/naive4_stores.cu"
ln -s /dev/zero "$work/zero/naive4_stores.cu"
mkdir "$work/folder/naive4_stores.cu"
forged=$work/$'eve\tsolved\n'$work$'/flat\t01_naive\tnaive4_stores\tsolved'
mkdir -p "$forged"
run 'it ends, and nobody has solved anything' 0 'details:' timeout 400 ./run_all.sh --grade "$work"/{flat,linked,other,pipe,zero,folder,lib/clang} "$forged"
grades=$book/out/exercises/grades.tsv
check 'nothing is solved' not grep -qP '\tsolved\t' <(cut -f 1-5 "$grades" | tail -n +2 | cut -f 4-)
check 'a row for each exercise of each submission' \
    [ "$(wc -l <"$grades")" = $((1 + 8 * $(find "$root/steps" -name task.cu | wc -l))) ]
row() { grep -qP "^$work/$1\t[^\t]*\tnaive4_stores\tunsolved\t$2\t" "$grades"; }
for name in flat linked other pipe zero folder; do
    check "$name is no regular file" row $name '(not_a_file|missing)'
done
check 'an included answer is no header' row lib/clang include

mkdir -p "$work/two/naive4_stores" && cp "$solution" "$work/two/naive4_stores/answer.cu" && cp "$solution" "$work/two/naive4_stores.cu"
ln -s . "$work/two/steps"
run 'two answers' 0 'two answers of naive4_stores: naive4_stores/answer.cu is judged, naive4_stores.cu is not' ./run_all.sh --grade "$work/two"
check 'a link beside an answer hides nothing' grep -qP "^$work/two\t01_naive\tnaive4_stores\tsolved" "$grades"

# Not read as an honest answer's failure: the next one is solved.
mkdir "$work/honest" && cp "$solution" "$work/honest/naive4_stores.cu"
run 'the next' 0 '1/6' ./run_all.sh --grade "$work/honest"
odd=$work/$'\xff\xc2' # no UTF-8, which would make a table unreadable for the whole class
cp -r "$work/honest" "$odd"
run 'the same again is not judged again' 0 '1/6' ./run_all.sh --grade "$work/honest" "$odd" --csv "$work/x.csv" --gradescope "$work/x.json"
check 'CSV' grep -qF "\"$work/honest\",\"01_naive\",\"naive4_stores\",solved,solved" "$work/x.csv"
check 'tables of UTF-8' iconv -f UTF-8 -t UTF-8 -o /dev/null "$grades" "$work/x.csv"
check 'JSON' grep -qF '"name": "01_naive naive4_stores", ' "$work/x.json"
if command -v python3 >/dev/null; then
    check 'it is JSON' python3 -m json.tool "$work/x.json" "$work/y.json"
else
    skip 'python3 is not installed: whether the JSON is'
fi
finish
