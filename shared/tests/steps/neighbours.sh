#!/bin/bash
# The diff between neighbouring steps is the lesson: 02 and 03 differ by the pitch alone, 03 and 04's
# first variant by the offset alone. Comments and names of steps and variants do not count.
# usage: neighbours.sh REPOSITORY. Exit status: 0, or 1 if more differs.
cd "$1/steps" || exit 1
passed=0
failed=0

# lines FILE LAST: the code up to the line that matches LAST.
lines() {
    sed -e '/^\/\*.*\*\/$/d' -e '/^\/\*/,/\*\//d' "$1" | sed "/$2/q"
}

# differ NAME EXPECTED FILE FILE LAST: the lines that differ are exactly the expected ones.
differ() {
    local found
    found=$(diff <(lines "$3" "$5") <(lines "$4" "$5") | grep '^[<>]')
    if [ "$found" = "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1 differ by:"
        echo "$found"
    fi
}

differ '02 and 03' '< constexpr int PITCH = TILE;
> constexpr int PITCH = TILE + 1;' 02_smem/smem.cu 03_padding/padding.cu '^static void launch'
differ '03 and 04' '< constexpr int PITCH = TILE + 1;
> constexpr int PITCH = TILE;
<     return row_major(PITCH, row, col);
>     return swizzle(5, 0, 5, row_major(PITCH, row, col));' \
    03_padding/padding.cu 04_swizzle_5_0_5/swizzle.cu '^static void launch'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
