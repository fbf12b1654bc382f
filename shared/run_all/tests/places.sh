#!/bin/bash
# Where the workbook lies, where it is called from, and what is exported: CDPATH, folders with
# blanks, quotes and line breaks in their names. usage: places.sh
. "$(dirname "$0")/workbook.sh"
for folder in plain 'with blank' $'it\'s "b" $(false)\n`c` \\d'; do
    parent=$work/$folder
    make_workbook "$parent/book"
    [ "$folder" != plain ] || compile_once "$parent/book" # it runs often
    # The folder that a wrong cd finds has a workbook too.
    mkdir -p "$parent/elsewhere/book/shared/run_all" "$parent/elsewhere/shared/cpucc"
    calls=("$parent/book/run_all.sh")
    [ "$folder" != plain ] || calls+=(./run_all.sh book/run_all.sh)
    for called in "${calls[@]}"; do
        from=$parent
        [ "$called" != ./run_all.sh ] || from=$parent/book
        rm -rf "$parent/book/out" "$from/results"
        cd "$from" || exit 1
        if [ "$called" = ./run_all.sh ]; then
            CDPATH=$parent/elsewhere expect 0 "$called" --size 32
            check "$called in $folder: the results" [ -s "$parent/book/out/counts.tsv" ]
        fi
        CDPATH=$parent/elsewhere expect 0 "$called" --size 32 --out results
        check "$called in $folder: --out results" [ -s "$from/results/counts.tsv" ]
    done
    # The checker compiles in folders of its own, with the workbook's headers and no others.
    if [ "$folder" != plain ] && [ "$folder" != 'with blank' ]; then # others have blanks too
        mkdir -p "$parent/book/steps/01_naive/exercises"
        cp -r "$root/steps/01_naive/exercises/naive1_turn" "$_"
        cp "$_/naive1_turn/solution.cu" "$_/naive1_turn/answer.cu"
        expect 0 "$parent/book/run_all.sh" --exercises naive1
    fi
    cd "$parent/book/steps/01_first" || exit 1
    CDPATH=$parent/elsewhere expect 0 ../../shared/cpucc/cpucc "-I$parent/book/shared" \
        '-DTEXT="it'\''s $(false)"' first.cu -o "it's a program"
    expect 0 "./it's a program" --tsv "$work/rows"
done

# Whatever goes to its own folder does so whether or not CDPATH is exported.
while IFS= read -r file; do
    check "$file uses cd and heeds CDPATH" \
        grep -qE '^unset CDPATH|/checks\.sh"$|/workbook\.sh"$' "$file"
done < <(grep -rlE --include='*.sh' --include=cpucc --include=run 'cd (-- )?"?\$\(dirname' \
    "$root"/run_all.sh "$root"/.ci "$root"/shared "$root"/plots)
finish
