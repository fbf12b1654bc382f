#!/bin/bash
# Tests that the precompiled header only saves time: cpucc does not use it if options or files differ from
# those it was made with, and several first compilations may run at once.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
. "$(dirname "$0")/ready_tools.sh"
cd "$work" || exit 1
cp -r "$shared/cpucc" "$shared/traffic" . # the test changes a header of the copy
cpucc=$work/cpucc/cpucc
export CPUCC_CACHE=$work/cache CPUCC_REPORT=off
compiler_of_ready "$work/cc" "$(command -v "$("$shared/cpucc/find_clang.sh")")"
export CC="$work/cc --driver-mode=gcc"

cat >prints.cu <<'END'
#include <cstdio>
#ifndef PRINTED
#define PRINTED 1
#endif
__global__ void kernel(int *p) { *p = PRINTED; }
int main()
{
    int *p, value;
    cudaMalloc(&p, 4);
    kernel<<<1, 1>>>(p);
    cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
    printf("%d %s\n", value, HEADER_SAYS);
}
END
echo '#define HEADER_SAYS "ours"' >cpucc/include/says.h
sed -i '/#include "cpucc_host.h"/a #include <says.h>' cpucc/include/cuda_runtime.h

# Three first compilations at once, with an empty cache.
for i in 1 2 3; do
    "$cpucc" -DPRINTED=$i prints.cu -o "p$i" &
done
wait
for i in 1 2 3; do
    expect 0 "./p$i"
    says "^$i ours$"
done
folders() { find cache -name 'header-*' -type d | wc -l; }
check 'one header was precompiled' test "$(folders)" = 1
check 'nothing half made is left' test -z "$(find cache -name 'new.*')"

# used OPTIONS...: succeeds if cpucc uses the precompiled header.
used() { bash -x "$cpucc" "$@" prints.cu -o p 2>&1 | grep -q -e '-cuda-host-only.*-include-pch'; }
check 'plainly' used
check 'with a macro that no header knows' used -DPRINTED=3 -D SPECIAL -UNOBODY
check 'not with one that a header knows' not used -DNDEBUG
check 'not with one, in two words' not used -D __CPUCC__=2
mkdir empty hides
check 'with a folder that hides nothing' used -Iempty -I empty
echo '#define HEADER_SAYS "hidden"' >hides/says.h
check 'not with a folder that hides a header' not used -Ihides
expect 0 "$cpucc" -I hides prints.cu -o p
expect 0 ./p
says '^1 hidden$'
check 'another standard has its own' used -std=c++20
check 'they are two' test "$(folders)" = 2

# A header beside cpucc that a source includes first is precompiled too, for each set of macros.
mkdir harness
first_says() { printf '#ifndef FIRST\n#define FIRST\ninline const char *first() { return "%s"; }\n#endif\n' "$1"; }
first_says first >harness/first.h
cat >first.cu <<'CODE'
/* A comment of
 * two lines. */
// Another one.
#include "harness/first.h"
#include <cstdio>
int main() { puts(first()); }
CODE
above() { bash -x "$cpucc" "$@" -o p 2>&1 | grep -e '+ start .*-cuda-host-only' | tail -n 1 | grep -q -e '-include-pch [^ ]*/header-[0-9-]*\.[0-9-]*/\(host\|shared\)\.pch'; }
check 'a header of the folder around' above -I. first.cu
check 'under another name of that folder' above -I "$work" first.cu
check 'they share it' test "$(find cache -name 'header-*.*' -type d | wc -l)" = 1
check 'with a macro' above -I. -DFOURTH first.cu
check 'that has its own' test "$(find cache -name 'header-*.*' -type d | wc -l)" = 2
check 'not for a rule that names headers' not above -I. -MD -MF p.d first.cu
check 'not behind a header of the command line' not above -I. -include math.h first.cu
says_first() { # WORD SOURCE OPTION...: the program of SOURCE prints WORD.
    expect 0 "$cpucc" "${@:3}" "$2" -o p
    expect 0 ./p
    says "^$1\$"
}
says_first first first.cu -I.
fraction=0
for changed in first other third; do # clang would not notice: one size, one second
    first_says "$changed" >harness/first.h
    touch -d "2026-01-01 00:00:00.$((fraction += 1))" harness/first.h
    says_first "$changed" first.cu -I.
    check "$changed is precompiled" above -I. first.cu
done
mkdir -p source/harness
first_says own >source/harness/first.h
cp first.cu source
says_first own source/first.cu -I.
mkdir -p hides/harness elsewhere
cp first.cu elsewhere
first_says before >hides/harness/first.h
says_first before elsewhere/first.cu -I hides -I.
says_first third elsewhere/first.cu -I. -I hides
echo '/* no code */' >comment.cu
expect 0 "$cpucc" -c comment.cu
for line in '#define SECOND /*' 'int before; /*' '/* */ int before; /*' '/* a */ int before; /* b'; do
    printf '%s\n' "$line" '*/' '#include "harness/first.h"' 'int main() {}' >later.cu
    expect 0 "$cpucc" -I. later.cu -o p
    check "not behind $line" not above -I. later.cu
done

# The header's own functions are compiled once: the program gets them, their variables and their kernels.
cat >harness/counts.h <<'CODE'
#ifndef COUNTS
#define COUNTS
#include <cstdio>
#include <new>
#define SQUARE(x) ((x) * (x))
static int counted;
const int HALF = 21; /* '}' " */
struct Pair { static int sum(int a, int b) { return a + b; } int a, b; };
static __host__ __device__ int twice(int x) { return 2 * x; }
static constexpr int thrice(int x) { return 3 * x; }
template <int N> static int times(int x) { counted++; return N * x; }
static __global__ void fill(int *p, int value) { p[threadIdx.x] = twice(value); }
static inline int count(void)
{
#define INSIDE 5
    static int calls = 10;
    const char *text = "{ \" }";
    return text[0] == '{' ? calls += ++counted : 0;
}
static void launch(int *p) { fill<<<1, 32>>>(p, HALF); }
#endif
CODE
cat >counts.cu <<'CODE'
#include "harness/counts.h"
__global__ void add(int *p) { p[threadIdx.x] += twice(threadIdx.x); }
int second();
int main()
{
    int *p, value[32];
    cudaMalloc(&p, sizeof value);
    launch(p);
    add<<<1, 32>>>(p);
    cudaMemcpy(value, p, sizeof value, cudaMemcpyDeviceToHost);
    fill<<<1, 32>>>(p, 1);
    cudaMemcpy(value + 1, p, sizeof(int), cudaMemcpyDeviceToHost);
    static_assert(thrice(INSIDE) == 15, "");
    int calls = count();
    printf("%d %d %d %d %d %d %d\n", value[31], value[1], calls, counted, times<3>(4), counted, SQUARE(Pair::sum(1, 1)));
#ifdef SECOND
    printf("%d %d\n", second(), counted);
#endif
}
CODE
printf '#include "harness/counts.h"\nint second() { count(); return count(); }\n' >second.cu
# Reads all that cpucc says, else it would end early.
shared() { bash -x "$cpucc" "$@" -o p 2>&1 | grep -e '+ start .*-include-pch [^ ]*/shared\.pch' >lines; }
check 'functions of a header, once' shared -I. counts.cu
expect 0 env CPUCC_REPORT=tsv CPUCC_REPORT_FILE=shared.tsv ./p
says '^104 2 11 1 12 2 4$'
expect 0 env CPUCC_PRECOMPILED=off "$cpucc" -I. counts.cu -o p
expect 0 env CPUCC_REPORT=tsv CPUCC_REPORT_FILE=own.tsv ./p
says '^104 2 11 1 12 2 4$'
check 'the same counts' cmp shared.tsv own.tsv
check 'not for several sources' not shared -I. -DSECOND counts.cu second.cu
expect 0 ./p
says '^104 2 11 1 12 2 4$'
says '^13 2$'
check 'not for objects' not shared -I. -c counts.cu
for state in '__device__ int state;' 'static int state = std::printf("");'; do
    sed "/^#include <new>/a $state" harness/counts.h >harness/state.h
    sed 's/counts\.h/state.h/' counts.cu >state.cu
    check "not with $state" not shared -I. state.cu
    expect 0 ./p
    says '^104 2 11 1 12 2 4$'
done

# clang reads no function of a precompiled header that a program does not call.
echo 'inline int function() { return 1; }' >once.h
echo 'int main() {}' >nothing.cu
half=("$("$shared/cpucc/find_clang.sh")" --driver-mode=g++ -x cuda -nocudainc -nocudalib --cuda-path=/ --cuda-host-only
    -Wno-unknown-cuda-version)
"${half[@]}" -Xclang -emit-pch -S -emit-llvm once.h -o once.pch
reads() { "${half[@]}" -include-pch once.pch -Xclang -dump-deserialized-decls -fsyntax-only nothing.cu 2>&1 | grep 'function$' >lines; }
check 'clang reads it' reads
"$(find cache -name pch | head -n 1)" once.pch
check 'clang does not read it' not reads
check 'but the header is whole' "${half[@]}" -include-pch once.pch -fsyntax-only -x cuda - <<<'int main() { return function(); }'

# A changed header: the precompiled one is not used.
sed -i 's/ours/changed/' cpucc/include/says.h
expect 0 "$cpucc" prints.cu -o p
expect 0 ./p
says '^1 changed$'
check 'it is precompiled again' used

# Another compilation replaces the precompiled header at this moment, before or after its list is read.
mkdir shims
for program in cksum stat; do
    real=$(command -v $program)
    printf '#!/bin/bash\n%s "$@"\nstatus=$?\nrm -f %s/cache/*/header-*/{files,state,host.pch}\nexit $status\n' \
        "$real" "$work" >shims/$program
    chmod +x shims/$program
    expect 0 env "PATH=$work/shims:$PATH" "$cpucc" prints.cu -o p
    check "$program: nothing is said: $(cat "$work/err")" test ! -s "$work/err"
    expect 0 ./p
    says '^1 changed$'
    rm shims/$program
done
expect 0 "$cpucc" prints.cu -o p

echo 'int main() { return undeclared; }' >wrong.cu
check 'a wrong name is found at once' test "$(bash -x "$cpucc" wrong.cu 2>&1 | grep -c '^+ start .*-cuda-host-only')" = 1

# A damaged precompiled header; and error messages name the program's own lines.
for file in cache/*/header-*/*.pch; do
    echo garbage >"$file"
done
expect 0 "$cpucc" prints.cu -o p
expect 1 "$cpucc" wrong.cu -o p
says '^wrong\.cu:1:.*undeclared'
check 'once' test "$(grep -c undeclared "$work/err")" = 1
finish
