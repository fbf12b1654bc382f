#!/bin/bash
# The harness stands alone: its headers include each other, CUDA's and C's only, and neither they nor
# the exercises' say which machine they run on. usage: rooms.sh
set -u
# shellcheck source=../../traffic/tests/checks.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"

# stands_alone FOLDER: every .h of it.
stands_alone() {
    local header included bad=0
    for header in "$1"/*.h; do
        while read -r included; do
            case $included in
            '"'*) [ -f "$1/$(echo "$included" | tr -d '"')" ] && continue ;;
            '<harness_hooks.h>') # only where one is found
                grep -B1 -F "#include $included" "$header" |
                    grep -qF "#if __has_include($included)" && continue ;;
            '<cuda.h>' | '<cuda_runtime.h>' | '<sys/stat.h>') continue ;;
            *) [[ $included =~ ^'<'[a-z]+'.h>'$ ]] && continue ;;
            esac
            echo "$header includes $included"
            bad=1
        done < <(sed -n 's/^ *# *include *\(["<][^">]*[">]\).*/\1/p' "$header")
        if grep -niE 'cpucc|(\.\.|shared)/|(traffic|layout|exercises|peers|profile|book)/' "$header"; then
            echo "$header names another room"
            bad=1
        fi
    done
    return $bad
}
check "the harness stands alone" stands_alone "$root/shared/harness"

guarded() { grep -rl --include='*.h' --include='*.cu' --include='*.cuh' __CPUCC__ \
    "$root/shared/harness" "$root/shared/exercises" "$root/shared/peers" "$root"/steps/[0-9]*_*/; }
check "no code asks for __CPUCC__: $(guarded)" [ -z "$(guarded)" ]

# The check above can fail.
mkdir "$work/room"
for bad in '#include "cpucc/cpucc.h"' '#ifdef __CPUCC__' '#include <harness_hooks.h>' \
    '#include "../layout/layout.h"' '#include <layout/layout.h>'; do
    cp "$root"/shared/harness/*.h "$work/room"
    echo "$bad" >>"$work/room/timing.h"
    if stands_alone "$work/room" >/dev/null; then fail "passed: $bad"; else pass; fi
done
finish
