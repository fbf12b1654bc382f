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
echo '__global__ void k() {}' >openmp.cu # with the precompiled header, which clang 14 cannot use here
expect 0 "$cpucc" -Xcompiler -fopenmp -c openmp.cu
expect 0 ./b
says '^5 4$'
expect 0 "$cpucc" -DVALUE=1 -I"$work/head" --frobnicate a.cu -o a
says 'cpucc: warning: unknown option --frobnicate has no effect'
expect 2 "$cpucc" a.cu -o
says '-o: needs a value'
expect 2 "$cpucc" a.cu -gencode
says '-gencode: needs a value'
# A program may define any word that the toolkit's own headers leave free.
for word in {A..Z} a_ b_ aa ab at best bits block blocks body box buf cell channel chunk cluster col cols \
    column dims direction edge edges elements factor full global grid group groups heads high how imax \
    imin in_ iterations lane lanes last levels ll local low map members memory middle mine my nblocks nearest \
    negative nthreads number nx ny odd old one out_ own pending phase piece pixel place point pool queue \
    radius real ref rest room rounded rows same saturation scale score seed shadow shared sms stages steps \
    stored stride strides sum sums text there thread threads tiles token top uchar ull up valid vec which \
    word words workers yes zeros LEN SIZE MAX_N MIN_N BLOCK BLOCK_SIZE TILE TILE_DIM WIDTH HEIGHT ROWS COLS \
    STEPS RADIUS BITS GROUP STAGES THREADS ALIGN role component empty; do
    case $word in T | U) ;; *) defined+=("-D$word=@") ;; esac
done
for header in cooperative_groups.h cooperative_groups/{reduce,scan,memcpy_async}.h cuda/{barrier,pipeline,atomic} \
    cuda_{fp16,bf16,fp8,pipeline}.h cublas_v2.h cublasLt.h cuComplex.h mma.h cuda.h cudaTypedefs.h nvtx3/nvToolsExt.h; do
    echo "#include <$header>"
done >all.cu
expect 0 "$cpucc" "${defined[@]}" -c all.cu -o all.o

# refused WORDS OPTION...: cpucc refuses the options with status 2 and one line.
refused() {
    expect 2 "$cpucc" a.cu "${@:2}"
    says "$1"
    check "${*:2}: one line" [ "$(wc -l <"$work/err")" = 1 ]
}
refused "no architecture 'sm_999'" -arch=sm_999
refused "no architecture 'compute_9'" -gencode arch=compute_9,code=sm_90
refused "no architecture 'sm_'" -gencode 'arch=compute_80,code=[sm_80,sm_]'
refused '-std=c++99: there is no such' -std=c++99
refused '-std=c11: there is no such' -std c11
refused '-x foo: the language must be' -x foo

# An expression that is too deep for the compiler's stack, and numbers in the environment that are none.
{ echo 'int main(int n, char **) { return'; yes 'n +' | head -n 50000; echo '0; }'; } >deep.cu
(ulimit -s 1024; expect 1 "$cpucc" deep.cu -o deep; cp "$work/err" "$work/said")
check 'a deep expression: one line' [ "$(wc -l <"$work/said")" = 1 ]
check 'a deep expression' grep -q '^deep.cu: error: cpucc: clang.* was ended by signal' "$work/said"
echo 'int main() { return cudaFree(0) != cudaSuccess; }' >free.cu
expect 0 "$cpucc" free.cu -o free
for word in SMS=x MEMORY=10GB L2=-5 STACK=0 SHARED_PER_SM=1e9 PATIENCE=1.5 DEVICES=0 DEVICES=9; do
    expect 2 env "CPUCC_$word" ./free
    says "^CPUCC_$word: must be a whole number from 1 to"
done
echo '__global__ void k() {}
int main() { k<<<1000000000, 1>>>(); return cudaDeviceSynchronize() != cudaErrorLaunchTimeout; }' >many.cu
expect 0 "$cpucc" many.cu -o many
expect 1 env CPUCC_PATIENCE=6 ./many
says 'kernel k: [0-9]* of 1000000000 blocks after 5 seconds'
says 'has taken 8 seconds .*of its 1000000000 blocks have ended'
expect 0 env CPUCC_SMS=0x10 CPUCC_MEMORY= ./free
expect 2 "$cpucc" -ptx a.cu
says '-ptx is not supported'

# A project of CMake with a library of each kind, and what make and CMake use: rules, preprocessing, files of options.
mkdir "$work/project"
cd "$work/project" || exit 1
echo 'void add(int *), twice(int *); int devices();' >parts.h
echo '#include "parts.h"
__global__ void number(int *p) { p[threadIdx.x] = threadIdx.x + N; }
void add(int *p) { number<<<1, 32>>>(p); cudaDeviceSynchronize(); }' >add.cu
echo '#include "parts.h"
__device__ int factor = 2;
__global__ void times(int *p) { p[threadIdx.x] *= factor; }
void twice(int *p) { times<<<1, 32>>>(p); cudaDeviceSynchronize(); }' >twice.cu
echo '#include "parts.h"
#include <cuda_runtime.h>
int devices() { int n = 0; return cudaGetDeviceCount(&n) == cudaSuccess ? n : -1; }' >devices.cpp
echo '#include "parts.h"
int main() { int *p; cudaMallocManaged(&p, 128); add(p); twice(p); return p[5] != 138 || devices() != 1; }' >main.cu
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(parts LANGUAGES C CXX CUDA) # CMake then sets CC, here to gcc
find_package(CUDAToolkit REQUIRED)
enable_testing()
add_library(add STATIC add.cu)
target_compile_definitions(add PRIVATE N=64)
add_library(twice SHARED twice.cu)
add_executable(program main.cu devices.cpp)
set_target_properties(program PROPERTIES LINKER_LANGUAGE CUDA)
target_link_libraries(program PRIVATE add twice CUDA::cudart)
add_test(NAME program COMMAND program)
END
expect 0 cmake -S . -B build "-DCMAKE_CUDA_COMPILER=$cpucc"
expect 0 cmake --build build
(cd build && expect 0 ctest)
echo 'int *more; int main() { twice(more); }' >>parts.h
touch -d '+1 hour' parts.h
expect 2 cmake --build build # it knows which sources read parts.h
rm -rf build
echo 'void add(int *), twice(int *); int devices();' >parts.h
expect 0 "$cpucc" -M main.cu
says '^main.o: main.cu '
expect 0 "$cpucc" -E -DN=64 add.cu
says 'threadIdx.x + 64'
echo "-DN=64 -I." >words
expect 0 "$cpucc" --options-file words -MD -c add.cu -o add.o
check 'a rule' grep -q 'parts.h' add.d
expect 0 "$cpucc" -lib add.o -o libadd.a
expect 0 "$cpucc" -shared -Xcompiler -fPIC twice.cu -o libtwice.so
expect 0 "$cpucc" main.cu devices.cpp libtwice.so -L. -ladd -o program
expect 0 ./program
# Vectors pass between objects of g++, without a warning, and those of an archive of cpucc's.
echo '#include <cuda_runtime.h>
float4 turned(float4 v, int2 n, uchar4 c, double4 d, float3 f);' >vectors.h
echo '#include "vectors.h"
__global__ void k(float4 *p, float4 v, int2 n) { *p = make_float4(v.w, v.z, v.y + n.x, v.x + n.y); }
float4 turned(float4 v, int2 n, uchar4 c, double4 d, float3 f)
{
    float4 *p, r;
    cudaMallocManaged(&p, sizeof r);
    k<<<1, 1>>>(p, v, n);
    cudaDeviceSynchronize();
    r = *p;
    return make_float4(r.x + c.w, r.y + d.z, r.z + f.y, r.w);
}' >turned.cu
echo '#include "vectors.h"
int main()
{
    float4 r = turned({1, 2, 3, 4}, {10, 20}, {1, 2, 3, 4}, {5, 6, 7, 8}, {1, 2, 3});
    return r.x != 8 || r.y != 10 || r.z != 14 || r.w != 21;
}' >vectors.cpp
for object in "g++ -Wall -Wextra -Werror -O2 -I$shared/cpucc/include" "$cpucc"; do
    # shellcheck disable=SC2086 # a command and its options
    expect 0 $object -c vectors.cpp -o vectors.o
    expect 0 "$cpucc" -lib turned.cu add.cu -DN=1 -o libturned.a
    expect 0 "$cpucc" vectors.o -L. -lturned -o vectors
    expect 0 ./vectors
done
cd "$work/in" || exit 1
expect 2 "$cpucc" a.cu -lcufft -o a
says '-lcufft is not supported'

# The next cpucc removes the folder of one that was killed.
mkdir "$work/tmp"
TMPDIR=$work/tmp "$cpucc" deep.cu -o deep >/dev/null 2>&1 &
killed=$!
until compgen -G "$work/tmp/cpucc.*/owner" >/dev/null; do sleep 0.02; done
kill -KILL $killed
wait $killed 2>/dev/null
check 'it left nothing' [ -n "$(ls "$work/tmp")" ]
expect 0 env TMPDIR="$work/tmp" "$cpucc" free.cu -o free
check "left: $(ls "$work/tmp")" [ -z "$(compgen -G "$work/tmp/cpucc.*")" ]

# A signal to cpucc alone ends compiler and program at once.
echo 'int main() { for (volatile int i = 0;;) i = i + 1; }' >endless.cu
runs() { [ -n "$(find /proc/[0-9]*/exe -lname "$work/tmp/*/endless" 2>/dev/null)" ]; }
begins() { compgen -G "$work/tmp/cpucc.*" >/dev/null; }
compiles() { grep -qsaF "$work/tmp/cpucc." /proc/[0-9]*/cmdline; }
for event in begins compiles runs; do
    source=deep
    [ $event != runs ] || source=endless
    TMPDIR=$work/tmp "$cpucc" run $source.cu >/dev/null 2>&1 &
    end=$((SECONDS + 30))
    until $event || [ $SECONDS -gt $end ]; do :; done
    kill -TERM $!
    wait $!
    check "TERM while it $event: status" [ $? -eq 143 ]
    sleep 0.2
    check "after TERM while it $event: something goes on" not $event
    check "after TERM while it $event: left" [ -z "$(ls "$work/tmp")" ]
done

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
