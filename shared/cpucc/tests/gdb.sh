#!/bin/bash
# Tests -G: counts stay, and gdb stops in a kernel, names the thread, shows arguments and variables and steps.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$work" || exit 1
cat >program.cu <<'END'
__device__ float twice(float x)
{
    return x + x;
}
__global__ void add(const float *a, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[64];
    s[63 - threadIdx.x] = a[i];
    __syncthreads();
    for (int k = 0; k < n; k++)
        c[i] += twice(s[k]);
    c[i]++;
}
int main()
{
    float *a, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&c, 512);
    cudaMemset(a, 0, 512);
    cudaMemset(c, 0, 512);
    add<<<2, 64>>>(a, c, 7);
    return cudaDeviceSynchronize();
}
END
for option in -lineinfo -g -G; do
    expect 0 "$shared/cpucc/cpucc" $option program.cu -o program
    CPUCC_REPORT=lines CPUCC_REPORT_FILE=counts$option expect 0 ./program
    check "$option changes the counts" cmp counts-lineinfo counts$option
done
command -v gdb >/dev/null || { skip 'no gdb here'; finish; }
cat >commands <<'END'
set print frame-arguments all
break program.cu:9 if cpucc_current->tid.x == 5 && cpucc_current->warp->block->index.x == 1
run
print cpucc_current->tid
print i
next
next
tbreak twice
continue
backtrace
finish
END
expect 0 timeout 120 gdb -q -batch -x commands ./program
for line in 'Breakpoint 1, add (a=0x[0-9a-f]*, c=0x[0-9a-f]*, n=7) at program.cu:9' '{x = 5, y = 0, z = 0}' \
    '= 69$' '^10.*__syncthreads' '^11.*for' 'twice (x=.*) at program.cu:3' '#1 .*add (.*) at program.cu:12' \
    '^add (.*) at program.cu:12'; do
    says "$line"
done
finish
