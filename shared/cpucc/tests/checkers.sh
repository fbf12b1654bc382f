#!/bin/bash
# Tests CPUCC_CHECKS: each checker off, each level, the profile `bounds`, and wrong values. usage: checkers.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$work" || exit 1
cat >program.cu <<'END'
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <sys/resource.h>
__global__ void races(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        s[0] = 1;
    if (threadIdx.x >= 32)
        p[threadIdx.x + 64] = s[0];
}
__global__ void initialised(int *p) { p[0] = p[threadIdx.x + 500]; }
__global__ void async(int *p)
{
    __shared__ int s[64];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(s + threadIdx.x)),
                 "l"(p + threadIdx.x));
    p[threadIdx.x + 64] = s[threadIdx.x];
    asm volatile("cp.async.wait_all;");
}
__global__ void early(int *p)
{
    if (threadIdx.x < 2)
        return;
    __syncthreads();
    p[threadIdx.x + 64] = p[threadIdx.x];
}
__global__ void guard(int *p)
{
    int more = 0x02000000 + threadIdx.x;
    if (p[0] < more)
        atomicMax(p, more);
}
__global__ void refused(int *p) { p[threadIdx.x] = 1; }
__global__ void unordered(volatile int *p) { p[0] = blockIdx.x; }
__global__ void bounds(int *p) { p[threadIdx.x + 1000] = 1; }
__global__ void lines(volatile int *p) { p[(blockIdx.x * 64 + threadIdx.x) * 32] = 1; }

/* Prints the megabytes that the process has taken after a kernel has reached 48 MB of memory. */
static int memory()
{
    int *p;
    cudaMalloc(&p, 48 << 20);
    lines<<<6144, 64>>>(p);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("%ld\n", used.ru_maxrss >> 10);
    return cudaDeviceSynchronize();
}

/* Prints how many bytes are left, then allocates one byte too many, twice. */
static int room()
{
    size_t left, all;
    char *p;
    cudaMemGetInfo(&left, &all);
    printf("%zu\n", left);
    return cudaMalloc(&p, left + 1) != cudaErrorMemoryAllocation || cudaMalloc(&p, left + 1) != cudaErrorMemoryAllocation;
}

int main(int, char **argument)
{
    const char *what = argument[1];
    int *p;
    if (!strcmp(what, "memory"))
        return memory();
    if (!strcmp(what, "room"))
        return room();
    puts("begins");
    cudaMalloc(&p, 4096);
    cudaMemset(p, 1, 1024);
    if (!strcmp(what, "races"))
        races<<<1, 64>>>(p);
    if (!strcmp(what, "initialised"))
        initialised<<<1, 1>>>(p);
    if (!strcmp(what, "async"))
        async<<<1, 64>>>(p);
    if (!strcmp(what, "early"))
        early<<<1, 64>>>(p);
    if (!strcmp(what, "guard"))
        guard<<<1, 64>>>(p);
    if (!strcmp(what, "refused"))
        refused<<<1, 2048>>>(p);
    if (!strcmp(what, "volatile"))
        unordered<<<2, 1>>>(p);
    if (!strcmp(what, "bounds"))
        bounds<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    if (!strcmp(what, "host"))
        p[0] = 1;
}
END
expect 0 "$shared/cpucc/cpucc" program.cu -o program
export CPUCC_REPORT=off CPUCC_FAULTS_FILE=$work/faults

# levels PROGRAM CHECKS: runs the program; sets `levels` to its faults and remarks as `level kind`.
levels() {
    CPUCC_CHECKS=$2 timeout 60 ./program "$1" >out 2>err
    status=$?
    levels=$(cut -f 1,2 faults | tail -n +2 | sort -u | tr '\t\n' ' ,')
}

while read -r program checker kinds; do
    levels "$program" ''
    check "$program: $levels instead of $kinds" [ "$levels" = "fault $kinds," ]
    check "$program: status $status instead of 1" [ $status = 1 ]
    levels "$program" "$checker:remark"
    check "$program with remarks: $levels" [ "$levels" = "remark $kinds," ]
    check "$program: a remark gives status $status" [ $status = 0 ]
    for off in "$checker:off" "host:fault,$checker:off"; do
        levels "$program" "$off"
        check "$program without $checker: $levels" [ "$levels" = '' ]
        check "$program without $checker: status $status" [ $status = 0 ]
    done
    levels "$program" bounds
    check "$program with bounds alone: $levels" [ "$levels" = '' ]
    check "$program with bounds alone: status $status" [ $status = 0 ]
    # Another checker that is off hides nothing.
    for other in races initialised async host; do
        [ "$other" != "$checker" ] || continue
        levels "$program" "$other:off"
        check "$program without $other: $levels" [ "$levels" = "fault $kinds," ]
    done
done <<'END'
races races race_read_after_write
initialised initialised uninitialised
async async copy_not_waited
END
levels host ''
check "host: $levels" [ "$levels" = 'fault host_access,' ]
levels host host:off
check "host without its checker: $levels, status $status" [ "$levels$status" = 0 ]
levels early ''
check "early: $levels" [ "$levels$status" = 'remark early_return,0' ]
levels early early_return:fault
check "early as a fault: $levels" [ "$levels$status" = 'fault early_return,1' ]
levels early launch:fault,early_return:off
check "early without the remark: $levels" [ "$levels$status" = 0 ]
# CPUCC_STRICT makes a doubt a fault, but no remark of another kind; CPUCC_CHECKS comes before it.
for strict in 0 1; do
    export CPUCC_STRICT=$strict
    level=$([ $strict = 1 ] && echo fault || echo remark)
    for program in guard refused volatile; do
        levels $program ''
        check "$program with CPUCC_STRICT=$strict: $levels, status $status" \
            grep -q "^$level [a-z_]*,$strict\$" <<<"$levels$status"
        levels $program races:remark,launch:remark
        check "$program with CPUCC_STRICT=$strict and remarks: $levels" grep -q '^remark [a-z_]*,0$' <<<"$levels$status"
    done
    levels early ''
    check "early with CPUCC_STRICT=$strict: $levels" [ "$levels$status" = 'remark early_return,0' ]
done
unset CPUCC_STRICT
for checks in bounds initialised:off,races:off,async:off,host:off; do
    levels bounds "$checks"
    check "bounds with CPUCC_CHECKS=$checks: $levels" [ "$levels$status" = 'fault out_of_bounds,1' ]
done

# Memory: up to nine bytes for one, with bounds alone one, at most 70 % of what is free.
CPUCC_CHECKS=bounds expect 0 ./program memory
check "with bounds alone 48 MB take $(cat out) MB" [ "$(cat out)" -lt 96 ]
expect 0 ./program memory
check "48 MB take only $(cat out) MB" [ "$(cat out)" -gt 400 ]
free=$(($(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo) * 768)) # 75 %, in bytes
for checks in '' bounds; do
    CPUCC_CHECKS=$checks expect 0 ./program room
    check "$(cat out) bytes with CPUCC_CHECKS=$checks do not fit into $free" \
        [ $(($(cat out) * $([ "$checks" ] && echo 1 || echo 9))) -le "$free" ]
    check "what it says: $(cat err)" [ "$(grep -c '^cpucc: no room here .*a smaller size.* CPUCC_MEMORY=BYTES' err)" = 1 ]
    check "it names bounds" [ "$(grep -c CPUCC_CHECKS=bounds err)" = "$([ "$checks" ] && echo 0 || echo 1)" ]
done

# Without checkers the counts are the same.
for program in races initialised async early; do
    for checks in '' bounds races:off,async:off,host:off; do
        CPUCC_CHECKS=$checks CPUCC_REPORT=tsv CPUCC_REPORT_FILE=counts."$checks" ./program $program >out 2>err
        check "$program with CPUCC_CHECKS=$checks has other counts" cmp -s counts. counts."$checks"
    done
done

# A wrong value ends the program with one line, before main().
while read -r checks what; do
    CPUCC_CHECKS=$checks expect 2 ./program early
    says "^CPUCC_CHECKS=$checks: $what"
    check "CPUCC_CHECKS=$checks: more than a line" [ "$(cat out err | wc -l)" = 1 ]
done <<'END'
races 'races' must be KIND:fault
races: 'races:' must be KIND:fault
races:on 'races:on' must be KIND:fault
bounds,races:off 'bounds' must be KIND:fault
thing:off 'thing:off' is no kind of fault and no checker
races:off,,host:off '' must be KIND:fault
races:off, '' must be KIND:fault
, '' must be KIND:fault
out_of_bounds:off 'out_of_bounds:off' cannot be off
bounds:off 'bounds:off' cannot be off
launch:off 'launch:off' cannot be off
END
finish
