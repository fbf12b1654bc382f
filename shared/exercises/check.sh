#!/bin/bash
# Starts the exercises' checker, and builds it first if its sources have changed. run_all.sh passes its
# options on; checker/main.c lists them.
set -u
unset CDPATH
home=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$home/../.." && pwd)
[ "${1:-}" != --handout ] || exec "$home/handout.sh" "$@"

fail() {
    echo "run_all.sh: $1" >&2
    exit "${2:-1}"
}

export EXERCISES_HOME=$root LC_ALL=C
out=${EXERCISES_OUT:-$root/out/exercises}
mkdir -p "$out" 2>/dev/null || fail "cannot write to $out"
state=$({ cat "$home"/*.h "$home"/allowed_calls "$home"/checker/* "$home"/sandbox/* "$root"/shared/harness/*.h &&
    find "$root/shared/cpucc" "$root"/shared/layout/*.[ch] "$root"/shared/traffic/*.[ch] -type f -not -path "*/tests/*" \
        -print0 | sort -z | xargs -0 cat; } | cksum | tr ' ' '-')
export TOOLS=$out/tools-$state

build() { # into the folder $TOOLS.part
    local cc part=$TOOLS.part source
    read -ra cc <<<"${CC:-cc}"
    "${cc[@]}" -std=c11 -O1 "$home"/checker/*.c "$home/sandbox/protocol.c" "$root/shared/cpucc/reports/escape.c" -o "$part/checker" -lm &&
        "${cc[@]}" -std=c11 -O1 "$root"/shared/layout/*.c "$root"/shared/traffic/*.c -o "$part/layout" || return
    for source in "$home"/sandbox/*.c; do
        "${cc[@]}" -std=gnu11 -O1 -c "$source" -o "$part/$(basename "$source" .c).o" || return
    done
    grep -rohE '[A-Za-z_][A-Za-z0-9_]*' "$root/shared/cpucc/include" | LC_ALL=C sort -u >"$part/device_names" &&
        echo 'int main() { return 0; }' >"$part/ready.cu" && # cpucc builds its own tools
        "$root/shared/cpucc/cpucc" --keep "$part/ready" "$part/ready.cu" -o "$part/ready.out" &&
        link_words "$part/ready" >"$part/link" && rm -r "$part"/ready*
}

# Prints the linker's command that makes "program" of "objects.o", one word per line. Each check links twice,
# and calling the linker directly takes half as long as through the compiler. If the command fails, cpucc links.
link_words() { # FOLDER, where cpucc wrote the file `link`
    local words line
    mapfile -t words <"$1/link" && : >"$1/objects.o" && cd "$1" &&
        line=$("${words[0]}" objects.o "${words[@]:1}" -o program -\#\#\# 2>&1 | tail -n 1) &&
        eval "words=($line)" && printf '%s\n' "${words[@]}" | grep -vxe -lstdc++ # no exercise needs it
}
if [ ! -x "$TOOLS/checker" ]; then
    # shellcheck source=shared/run_all/programs.sh
    . "$root/shared/run_all/programs.sh"
    exec {lock}>"$out/tools.lock" || fail "cannot write to $out"
    flock "$lock"
    if [ ! -x "$TOOLS/checker" ]; then # else another run has just built them
        rm -rf "$out"/tools-* "$out"/kept
        mkdir -p "$TOOLS.part"
        echo "preparing the checker ..." >&2
        ended() {
            exec 2>/dev/null
            stop_child
            rm -rf "$TOOLS.part"
            exit "$1"
        }
        trap 'ended 130' INT
        trap 'ended 143' TERM
        trap 'ended 129' HUP
        TMPDIR=$TOOLS.part run build
        built=$?
        trap - INT TERM HUP
        rm -rf "$TOOLS.part"/cpucc.* "$TOOLS.part"/*.s
        if [ $built -ne 0 ] || ! mv "$TOOLS.part" "$TOOLS"; then
            rm -rf "$TOOLS.part"
            fail "the checker cannot be built: it needs a C compiler, clang, binutils, and room in $out (./run_all.sh --install)" 2
        fi
    fi
    close_lock
fi
find "$out" -name '*.part' -type f -mmin +10 -delete # half-written files of checkers that were killed
exec "$TOOLS/checker" "$@"
