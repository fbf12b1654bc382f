#!/bin/bash
# Tests that find_clang.sh finds clang under any of its names, for cpucc, CMake and the workbook.
# usage: find_clang.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
workbook=$shared/run_all/tests/workbook.sh # if the whole tree is there
# shellcheck source=shared/run_all/tests/workbook.sh
[ ! -f "$workbook" ] || . "$workbook"
. "$(dirname "$0")/ready_tools.sh"
find_clang=$shared/cpucc/find_clang.sh
clang=$(command -v "$("$find_clang")")

# Links all installed programs except clang into one folder.
mkdir "$work/all"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do # of two programs with one name ln keeps the first
    find "$folder/" -maxdepth 1 ! -type d -executable ! -name 'clang*' ! -name 'c++-analyzer*' \
        -exec ln -s -t "$work/all" {} + 2>"$work/null"
done
export PATH="$work/all"
hash -r
unset CLANGXX CC
export CPUCC_CACHE=$work/cache

# named NAME VERSION: makes a clang of that name and version, which runs the installed one.
compiler_of_ready "$work/clang" "$clang"
named() {
    cat >"$work/all/$1" <<END
#!/bin/sh
[ "\$*" != --version ] || { echo "Some clang version $2.0.6 (x)"; exit; }
exec "$work/clang" "\$@"
END
    chmod +x "$work/all/$1"
}
found() { check "found $("$find_clang"), not $1" [ "$("$find_clang")" = "$1" ]; }

expect 1 "$find_clang"
expect 2 "$shared/cpucc/cpucc" --version
says '^cpucc: no clang: '
for name in clang clang++ clang-14 clang++-14 clang-15 clang++-16 clang-19 clang-21; do
    number=${name##*[!0-9]}
    named "$name" "${number:-14}"
    found "$name"
    rm "$work/all/$name"
done
named clang 13
expect 1 "$find_clang"
named clang-15 15
found clang-15
named clang-18 18
found clang-18
named clang 14
found clang
CLANGXX=clang-15 found clang-15
rm "$work/all/clang" "$work/all/clang-18"

# Only a compiler called clang-15 is there.
echo 'int main(void) { return 0; }' >"$work/nothing.cu"
expect 0 "$shared/cpucc/cpucc" "$work/nothing.cu" -o "$work/nothing"
expect 0 "$work/nothing"
if command -v cmake >/dev/null; then
    expect 0 cmake -S "$shared/cpucc" -B "$work/build"
    check 'CMake finds it' not grep -q 'no clang' "$work/out"
fi
if [ -f "$workbook" ]; then
    make_workbook "$work/book"
    export CPUCC_PRECOMPILED=off # precompiling takes longer than compiling three programs
    expect 0 run_fake
    says 'running every step on the CPU'
fi
finish
