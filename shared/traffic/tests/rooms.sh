#!/bin/bash
# shared/traffic uses no other room, and only it says what a request costs. usage: rooms.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
grep -h '^ *# *include' "$root"/shared/traffic/*.[ch] |
    grep -vxE '#include ("traffic.h"|<std(bool|int).h>|<string.h>)' >"$work/others"
check "traffic includes itself and C only, not $(cat "$work/others")" [ ! -s "$work/others" ]
for user in layout/layout_banks.c cpucc/count.c; do
    check "$user asks shared/traffic" grep -q 'traffic_cost(' "$root/shared/$user"
done
expect 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Wpedantic -c -o "$work/traffic.o" "$root/shared/traffic/traffic.c"
finish
