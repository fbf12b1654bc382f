#!/bin/bash
# Tests that a C library may declare functions with the names of device functions, before or after
# cpucc's headers: both compile, and calls reach cpucc's functions. The names are taken from cpucc's
# headers. (constructs/libraries.cu tests the C++ library's headers.) usage: c_library.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cpucc=$shared/cpucc/cpucc

# Declares each device function once, as a C library would; none of them is defined. Left out are
# functions that the installed C library declares, __syncthreads (clang's builtin), and functions with
# CUDA's vector types.
declared_already() {
    local name=$1
    [ "$name" = __syncthreads ] && return
    grep -qw "$name" "$work/library"
}
declarations() {
    grep -hE '^CPUCC_(FN|OURS) ' "$shared/cpucc/include/"cpucc_{device,math}.h |
        grep -vE '\<(T|cpucc_[a-z_]*\()|\<u?(char|short|int|long|longlong|float|double)[1-4]\>' |
        sed -E 's/CPUCC_(FN|OURS|SYNC) //g; s/^constexpr //; s/ = [^,)]*//g; s/\).*/) noexcept;/' |
        sed -nE 's/^[^(]*\<([A-Za-z_0-9]+)\(/\1 &/p' | sort -suk 1,1 | cut -d ' ' -f 2-
}
echo '#include <math.h>' |
    "$("$shared/cpucc/find_clang.sh")" -x c -D_GNU_SOURCE -E - >"$work/library"
mkdir "$work/include"
{
    printf '#pragma once\n#include <stddef.h>\n#include <stdint.h>\nextern "C" {\n'
    declarations | while IFS= read -r line; do
        name=${line%%(*} name=${name##*[ *]}
        declared_already "$name" || echo "$line"
    done
    echo '}'
} >"$work/include/declared.h"
check "$(grep -c noexcept "$work/include/declared.h") declarations were found" \
    [ "$(grep -c noexcept "$work/include/declared.h")" -ge 50 ]
check '__popc is among them' grep -q '__popc(unsigned v) noexcept' "$work/include/declared.h"
check 'sinpif is neither there nor among them' \
    grep -qw sinpif "$work/include/declared.h" "$work/library"
check 'rcbrtf is among them' grep -q 'rcbrtf(float a) noexcept' "$work/include/declared.h"
check '__activemask is among them' grep -q '__activemask(void) noexcept' "$work/include/declared.h"
printf '#include_next <math.h>\n#include "declared.h"\n' >"$work/include/math.h"

cat >"$work/use.cu" <<'END'
__global__ void use(float *out)
{
    __shared__ float s[32];
    s[threadIdx.x] = sinpif(0.5f) + rsqrtf(4.0f) + __popc(3u) + __ffs(1);
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x] + min(1, 2) + (float)rsqrt(4.0) + __expf(0.0f);
}
int main()
{
    float *out;
    cudaMalloc(&out, 128);
    use<<<1, 32>>>(out);
    float third;
    cudaMemcpy(&third, out + 3, sizeof third, cudaMemcpyDeviceToHost);
    return !(third == 7);
}
END
export CPUCC_REPORT=off
expect 0 "$cpucc" "$work/use.cu" -o "$work/plain"
expect 0 "$work/plain"
for program in "$work/use.cu" "$(dirname "$0")/language.cu"; do
    expect 0 "$cpucc" -I"$work/include" "$program" -o "$work/before"
    expect 0 "$work/before"
    expect 0 "$cpucc" -include "$work/include/declared.h" "$program" -o "$work/after"
    expect 0 "$work/after"
done
finish
