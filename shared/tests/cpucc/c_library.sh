#!/bin/bash
# A C library may declare functions with the names of device functions, before cpucc's headers or
# after them: both compile, and calls reach cpucc's. The list is taken from cpucc's own headers. The
# C++ library's headers compile too. usage: c_library.sh
. "$(dirname "$0")/../checks.sh"
cpucc=$root/shared/cpucc/cpucc

# Each device function, once, as a C library would declare it: no such function exists to link with.
declarations() {
    grep -hE '^CPUCC_(FN|OURS) ' "$root/shared/cpucc/include/cpucc_device.h" | grep -vE '\<(T|cpucc_[a-z_]*\()' |
        sed -E 's/CPUCC_(FN|OURS|SYNC) //g; s/^constexpr //; s/ = [^,)]*//g; s/\).*/) noexcept;/' |
        awk 'match($0, /[A-Za-z_0-9]+\(/) && !seen[substr($0, RSTART, RLENGTH)]++'
}
mkdir "$work/include"
{
    printf '#pragma once\n#include <stddef.h>\n#include <stdint.h>\nextern "C" {\n'
    declarations
    echo '}'
} >"$work/include/declared.h"
check "$(grep -c noexcept "$work/include/declared.h") declarations were found" \
    [ "$(grep -c noexcept "$work/include/declared.h")" -ge 70 ]
check 'sinpif is among them' grep -q 'sinpif(float a) noexcept' "$work/include/declared.h"
check '__syncthreads is among them' grep -q '__syncthreads(void) noexcept' "$work/include/declared.h"
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
    return !(out[3] == 7);
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

cat >"$work/library.cu" <<'END'
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <regex>
#include <thread>
#include <unordered_map>
__device__ __noinline__ int two(int a) { return a * 2; }
__noinline__ __device__ int three(int a) { return a * 3; }
int main() { return *std::make_shared<int>(std::min(two(3), three(2))) - 6; }
END
expect 0 "$cpucc" "$work/library.cu" -o "$work/library"
expect 0 "$work/library"
finish
