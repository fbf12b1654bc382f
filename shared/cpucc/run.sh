#!/bin/bash
# cpucc run: builds a program and runs it.
#
#   cpucc run [options] file.cu [argument ...]
#   cpucc run [options] file.cu [more files] -- [argument ...]
#   cpucc ncu ...        prints its counts as `ncu --csv` does, under Nsight Compute's names of metrics
#
# Options and files are cpucc's. Exit status: the program's (1 if that is 0 but there were faults,
# 128 + N if signal N ended the program); 1 the program does not compile; 2 a usage error. With
# CPUCC_REPORT=junit and CPUCC_REPORT_FILE it writes a report even if the program wrote none.
set -u
unset CDPATH
home=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "cpucc run: $1" >&2
    exit 2
}

# shellcheck source=shared/cpucc/options.sh
. "$home/options.sh"
takes_value() { # OPTION
    local word=${1#-}
    [ "$1" = --keep ] || knows "$with_value$no_effect_value" "${word#-}"
}

# Words for the compiler: all before --; without --, all up to the first source file.
words=() arguments=() source='' divided=''
for word in "$@"; do [ "$word" != -- ] || divided=1; done
while [ $# -gt 0 ]; do
    case $1 in
    --) shift; arguments=("$@"); break ;;
    -o | -o?* | -c) fail "$1: the program is built, run and removed" ;;
    -I?* | -D?* | -U?* | -L?* | -l?* | -O* | -*=*) words+=("$1") ;;
    -*)
        words+=("$1")
        if takes_value "$1" && [ $# -gt 1 ]; then
            shift
            words+=("$1")
        fi
        ;;
    *)
        words+=("$1")
        [ -n "$source" ] || source=$1
        if [ -z "$divided" ]; then
            shift
            arguments=("$@")
            break
        fi
        ;;
    esac
    shift
done
[ -n "$source" ] || fail "no source file (see cpucc --help)"

# The shell obeys a signal only while it waits, so compiler and program run in the background.
ended() { # SIGNAL STATUS
    exec 2>/dev/null
    # shellcheck disable=SC2046 # one number, or none yet
    kill "-$1" $(jobs -p) && wait
    exit "$2"
}
trap 'ended INT 130' INT
trap 'ended TERM 143' TERM HUP
work=''
trap '[ -z "$work" ] || rm -rf "$work"' EXIT
work=$(mktemp -d "${TMPDIR:-/tmp}/cpucc.XXXXXX") || exit 2
echo "${HOSTNAME:-} $$" >"$work/owner" # cpucc removes the folder if this process is killed
name=$(basename "$source")
name=${name%.*}

# junit TYPE MESSAGE: writes the report of a program that wrote none.
junit() {
    [ "${CPUCC_REPORT:-}" = junit ] && [ -n "${CPUCC_REPORT_FILE:-}" ] || return 0
    local text
    text=$(sed 's/&/\&#38;/g; s/</\&#60;/g; s/"/\&#34;/g' <<<"$name|$2")
    cat >"$CPUCC_REPORT_FILE" <<END
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="cpucc: ${text%%|*}" tests="1" failures="0" errors="1">
  <testcase classname="${text%%|*}" name="${text%%|*}">
    <error type="$1" message="${text#*|}"/>
  </testcase>
</testsuite>
END
}

(trap - INT && exec "$home/cpucc" ${words[@]+"${words[@]}"} -o "$work/$name" 2>"$work/messages") &
wait $!
status=$?
cat "$work/messages" >&2
if [ $status -ne 0 ]; then
    junit compile "$(head -n 1 "$work/messages")"
    exit $status
fi
[ "${CPUCC_REPORT:-}" != junit ] || [ -z "${CPUCC_REPORT_FILE:-}" ] || rm -f "$CPUCC_REPORT_FILE"
# An HTML report beside the program would be removed with the program.
[ "${CPUCC_REPORT:-}" != html ] || export CPUCC_REPORT_FILE=${CPUCC_REPORT_FILE:-$name.html}
# The program keeps this shell's input, and obeys SIGINT.
(trap - INT && exec -a "$name" "$work/$name" ${arguments[@]+"${arguments[@]}"}) <&0 &
{ wait $!; } 2>/dev/null
status=$?
if [ "${CPUCC_REPORT:-}" = html ] && [ -s "$CPUCC_REPORT_FILE" ]; then
    echo "cpucc: $CPUCC_REPORT_FILE shows what the kernels did" >&2
fi
if [ $status -gt 128 ]; then
    signal=$(kill -l $((status - 128)) 2>/dev/null || echo $((status - 128)))
    echo "cpucc run: $name was ended by signal $signal" >&2
    [ -s "${CPUCC_REPORT_FILE:-/dev/null}" ] || junit signal "ended by signal $signal"
elif [ $status -ne 0 ]; then
    [ -s "${CPUCC_REPORT_FILE:-/dev/null}" ] || junit exit "ended with status $status"
fi
exit $status
