#!/bin/bash
# Tests nvcc's options in all spellings: options with an effect, options that need a value, unknown ones.
# Also tests foreign.sh on a program of its own. usage: options.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cpucc=$shared/cpucc/cpucc
export CPUCC_REPORT=off
mkdir "$work/in" "$work/head"
echo '#define OTHER 4' >"$work/head/other.h"
cat >"$work/in/a.cu" <<'END'
#include <other.h>
#include <stdio.h>
int main()
{
    printf("%d %d\n", VALUE, OTHER);
}
END
cd "$work/in" || exit 1

expect 0 "$cpucc" -arch=sm_90 -gencode arch=compute_80,code=sm_80 --gpu-architecture sm_75 -O3 \
    --expt-relaxed-constexpr --extended-lambda -lineinfo -use_fast_math --use_fast_math -std c++14 \
    -Xcompiler -Wall,-Wextra -Xptxas=-v --ptxas-options -O2 -maxrregcount=32 -rdc=true \
    --define-macro VALUE=3 --include-path="$work/head" -G -g -m64 --threads 2 -lcublas -lm \
    a.cu --output-file=a
check "it says: $(cat "$work/err")" [ ! -s "$work/err" ]
expect 0 ./a
says '^3 4$'
expect 0 "$cpucc" -DVALUE=5 -I"$work/head" -Xcompiler '-DUNUSED -fopenmp' -dc a.cu -o a.o
expect 0 "$cpucc" a.o -o b
expect 0 ./b
says '^5 4$'
expect 0 "$cpucc" -DVALUE=1 -I"$work/head" --frobnicate a.cu -o a
says 'cpucc: warning: unknown option --frobnicate has no effect'
expect 2 "$cpucc" a.cu -o
says '-o: needs a value'
expect 2 "$cpucc" a.cu -gencode
says '-gencode: needs a value'
expect 2 "$cpucc" -ptx a.cu
says '-ptx is not supported'
expect 2 "$cpucc" a.cu -lcufft -o a
says '-lcufft is not supported'

# foreign.sh: a clean program, a refused one, and one that does not end as the list says
cat >"$work/in/c.cu" <<'END'
#include <cufft.h>
int main() {}
END
header='repository\tcommit\tfolder\tfiles\tflags\targuments\tedit\texpected\treason'
first="some/in\t1\t.\ta.cu\t-DVALUE=7 -I$work/head\t\ts/VALUE, /VALUE + 1, /\tclean\t"
second='some/in\t1\t.\tc.cu\t\t\t\trefused\tcuFFT'
printf '%b\n' "$header" "$first" "$second" >"$work/list.tsv"
expect 0 "$shared/cpucc/tests/foreign.sh" "$work/list.tsv" "$work/in"
says 'a.cu	clean	clean'
says 'c.cu	refused	refused'
printf '%b\n' "$header" "${second/refused/clean}" >"$work/list.tsv"
expect 1 "$shared/cpucc/tests/foreign.sh" "$work/list.tsv" "$work/in"
says '1 programs, 1 not as expected'
finish
