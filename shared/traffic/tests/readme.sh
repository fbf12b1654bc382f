#!/bin/bash
# The examples of a README print what it shows.
#
# usage: readme.sh README [PROGRAM] [--update]
#
# In ```console blocks, a line `$ COMMAND` is run by bash with the program's folder in PATH; the lines
# up to the next `$` are its standard output and error. A ```c block is compiled with the C files
# beside the README, and the ```text block after it is its output. --update rewrites the README.
readme=$(realpath "$1") program=${2:+$(realpath "$2")} update=${3:-}
. "$(dirname "$0")/checks.sh"
[ -z "$program" ] || PATH=$(dirname "$program"):$PATH
mapfile -t sources < <(find "$(dirname "$readme")" "$shared/traffic" -maxdepth 1 -name '*.c' ! -name '*_main.c' | sort -u)
cd "$work" || exit 1
: >expected && : >new && : >example.c
block='' command='' text=no

# settle: compares what the last command printed with what the README shows.
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

while IFS= read -r line; do
    case $block:$line in
    console:'```' | text:'```')
        settle
        block=''
        ;;
    'console:$ '*)
        settle
        command=${line#\$ }
        bash -c "$command" >actual 2>&1
        : >expected
        ;;
    console:* | text:*)
        printf '%s\n' "$line" >>expected
        continue
        ;;
    'c:```')
        block='' command='the C example' text=yes
        "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Wpedantic -I"$shared" -o example example.c \
            "${sources[@]}" >actual 2>&1 && ./example >actual 2>&1
        ;;
    c:*) printf '%s\n' "$line" >>example.c ;;
    ':```console') block=console ;;
    ':```c') block=c ;;
    ':```text')
        [ $text = no ] || block=text
        text=no
        : >expected
        ;;
    esac
    printf '%s\n' "$line" >>new
done <"$readme"

if [ -n "$update" ]; then
    cp new "$readme"
    echo "$readme: $failed outputs rewritten"
    exit 0
fi
finish
