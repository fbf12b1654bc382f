#!/bin/sh
# What cpucc has no counterpart for must be refused at compile time, with file, line and name.
# Prints failures and `N passed, N failed`.
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

refuse() { # LINE NAME, the program on standard input
    cat >"$work/x.cu"
    if "$here/../../cpucc/cpucc" "$work/x.cu" -o "$work/x" 2>"$work/err"; then
        echo "accepted: $2"
        failed=$((failed + 1))
    elif grep -q "x\.cu:$1:" "$work/err" && grep -q "error:.*$2" "$work/err"; then
        passed=$((passed + 1))
    else
        echo "not refused by name at line $1: $2: $(head -1 "$work/err")"
        failed=$((failed + 1))
    fi
}

refuse 3 asm <<'END'
__global__ void k(int *p)
{
    asm volatile("mov.u32 %0, %laneid;" : "=r"(*p));
}
int main() { k<<<1, 1>>>(nullptr); }
END
refuse 2 'dynamic parallelism' <<'END'
__global__ void child() {}
__global__ void k() { child<<<1, 1>>>(); }
int main() { k<<<1, 1>>>(); }
END
refuse 1 texture <<'END'
texture<float, 2> image;
int main() {}
END
refuse 1 tile <<'END'
__shared__ int tile[32];
__global__ void k() { tile[0] = 1; }
int main() { k<<<1, 1>>>(); }
END
refuse 1 cub <<'END'
#include <cub/cub.cuh>
int main() {}
END
refuse 1 mma.h <<'END'
#include <mma.h>
int main() {}
END
refuse 2 cudaGraph_t <<'END'
int main() {
    cudaGraph_t g; cudaGraphCreate(&g, 0);
}
END
refuse 1 __nv_no_such_thing <<'END'
__global__ void k(int *p) { *p = __nv_no_such_thing(3); }
int main() { k<<<1, 1>>>(nullptr); }
END
refuse 3 semaphore <<'END'
#include <cuda/barrier>
__global__ void k() {
    __shared__ cuda::semaphore barrier;
}
int main() { k<<<1, 1>>>(); }
END
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
