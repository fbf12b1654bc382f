#!/bin/bash
# Run the commands of a README again and compare what they print with what it shows.
#
# usage: test_readme.sh PROGRAM README [--update]
#
# In its ```console blocks a line `$ COMMAND` is run by bash, with the program's folder in PATH,
# and the lines up to the next `$` or the end of the block are what it must print, standard output
# and error together. A ```c block is compiled with the library and must print what the ```text
# block after it shows. --update writes what they print into the README instead.
program=$(realpath "$1") readme=$(realpath "$2") update=$3
layout=$(dirname "$readme")
. "$(dirname "$0")/../../traffic/tests/checks.sh"
PATH=$(dirname "$program"):$PATH
block='' example=''
cd "$work" || exit 1
: >expected && : >new && : >ours

# Compare what the last command printed with what was shown, and write it down.
settle() {
    [ -n "$command" ] || return
    if cmp -s expected actual; then
        pass
    else
        fail "\$ $command"
        [ -n "$update" ] || diff expected actual
    fi
    cat actual >>new
    command=''
}

command=''
while IFS= read -r line; do
    case $block:$line in
    console:'```' | text:'```')
        settle
        block=''
        printf '%s\n' "$line" >>new
        ;;
    'console:$ '*)
        settle
        command=${line#\$ }
        bash -c "$command" >actual 2>&1
        : >expected
        printf '%s\n' "$line" >>new
        ;;
    console:* | text:*)
        printf '%s\n' "$line" >>expected
        ;;
    'c:```')
        block='' command="the C example" example=1
        printf '%s\n' "$line" >>new
        ${CC:-cc} -std=c11 -Wall -Wextra -Werror -Wpedantic -I"$layout/.." -o example ours.c \
            "$layout"/layout.c "$layout"/layout_text.c "$layout"/layout_algebra.c \
            "$layout"/layout_tile.c >actual 2>&1 && ./example >actual 2>&1
        ;;
    c:*)
        printf '%s\n' "$line" | tee -a ours.c >>new
        ;;
    ':```console')
        block=console
        printf '%s\n' "$line" >>new
        ;;
    ':```c')
        block=c
        printf '%s\n' "$line" >>new
        ;;
    ':```text')
        # After a C example it shows what that prints.
        block=${example:+text} example=''
        : >expected
        printf '%s\n' "$line" >>new
        ;;
    *)
        printf '%s\n' "$line" >>new
        ;;
    esac
done <"$readme"

if [ -n "$update" ]; then
    cp new "$readme"
    echo "README: $failed outputs rewritten"
    exit 0
fi
check "$readme has no commands" [ $((passed + failed)) -gt 0 ]
finish
