#!/usr/bin/env python3
"""Generates small kernels, runs each under cpucc, and compares its results with the same code run on the host as C++.

usage: fuzz_kernels.py [--nvcc] [FIRST [COUNT]]

Kernel N of COUNT (default 12 from 0) is the same each time. Kernels have numbers of all kinds, vectors, structs, unions,
templates, local, shared and global arrays, pointers into them, volatile, loops, macros, and nothing that C++ leaves
undefined. A kernel fails if cpucc does not compile it, if it reports a fault, or if a result of its 64 threads differs.
With --nvcc, nvcc must compile the program too, and its host's results must be cpucc's. Prints the first five failing kernels.
"""
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CPUCC = os.path.join(os.path.dirname(HERE), "cpucc")
AT_ONCE = 12  # kernels per program
INTEGERS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long",
            "unsigned long long", "bool", "size_t"]
VECTORS = {"int2": "xy", "int4": "xyzw", "uint4": "xyzw", "short2": "xy", "uchar4": "xyzw", "longlong2": "xy", "uint3": "xyz",
           "char3": "xyz", "ushort4": "xyzw", "uchar2": "xy", "int1": "x", "ulonglong2": "xy"}
FORMS = ["(A + A)", "(A - A)", "(A * A)", "(A & A)", "(A ^ A)", "(A >> (A & 31))", "(A / (A | 1u))", "(A % (A | 1u))", "(unsigned)(A < A)",
         "(A > A ? A : A)", "mix(A, A)", "fall(A & 1023)", "(unsigned)(TYPE)(A)", "(unsigned)((float)(A & 255) * (float)(A & 255) + 3.0f)",
         "(unsigned)(long long)((double)(int)A * 0.5)", "popcount(A)", "(unsigned)((int)A >> (A & 31))", "min(A, A)", "(A << (A & 31))",
         "(unsigned)((unsigned long long)A * A >> 32)", "(unsigned)abs((int)(A & 65535) - (int)(A & 65535))", "half_of(A)", "add_all(A, A, A)",
         "(unsigned)((int)A / (int)(A % 9 + 1))", "(unsigned)(Bits{A, A, A}.b)", "(unsigned)(A && A)", "(A, A)", "twice(A, A)",
         "pick((const unsigned *)in + (A & 127), A)", "~A", "(unsigned)(short)(unsigned char)A", "sum_of<N>(in, A)",
         "([&](unsigned q) { return q * 3u + A; }(A))", "(unsigned)max((TYPE)A, (TYPE)A)", "SWAPPED(A)", "at<TYPE>(in, A)", "FUNCTION(A & 1)(A, A)"]
# One line each. A: an unsigned value. V: the statement's own name. TYPE, VECTOR, N: drawn. XY: a member of the vector. What stands behind
# "=>" can be read later on.
STATEMENTS = """
r ^= A; r += A; r -= A; r |= A;
TYPE V = (TYPE)A; => V
volatile TYPE V = (TYPE)A; => V
const TYPE V = (TYPE)A; const TYPE &wV = V; => wV
VECTOR V = ((const VECTOR *)in)[A & 15]; V.XY ^= A; for (unsigned kV = 0; kV < A % 6u; kV++) V.XY += kV; => V.XY
VECTOR V; for (unsigned kV = 0; kV < A % 9u; kV++) { VECTOR q = ((const VECTOR *)in)[kV]; r += (unsigned)q.XY; } V = ((const VECTOR *)in)[A & 7]; => V.XY
VECTOR V[N]; for (int kV = 0; kV < N; kV++) V[kV] = ((const VECTOR *)in)[kV]; V[A % N].XY = A; r += (unsigned)V[A % N].XY; => V[0].XY
TYPE V[N]; for (unsigned kV = 0; kV < N; kV++) V[kV] = (TYPE)A; => V[A % N]
volatile TYPE V[N]; UNROLL for (unsigned kV = 0; kV < N; kV++) V[kV] = (TYPE)A; => V[A % N]
TYPE V[2][N] = {}; for (int kV = 0; kV < 2 * N; kV++) V[kV % 2][kV / 2] = (TYPE)A; => V[A & 1][A % N]
unsigned V[4] = {A, 2, A, 4}; unsigned *pV = &V[A & 3]; *pV += A; bump(pV, A); r += pick(V, A); => V[2]
unsigned V = A, *pV = &V, **qV = &pV; **qV ^= A; volatile unsigned *wV = pV; *wV += A; => V
Pair V = {(int)A, (unsigned char)A, {1, 2, 3}}; V.c[A % 3u] = (short)A; Pair qV = V; if (A > A) V = changed(qV, A); r += qV.a; => V.b => V.c[1]
Pair V[3]; for (int kV = 0; kV < 3; kV++) V[kV] = Pair{(int)A, 1, {2, 3, (short)A}}; Pair *pV = V + A % 3u; pV->c[A % 3u]++; r += V[A % 3u].a; => pV->c[0]
Deep V; V.v = make_uint2(A, A); V.p[1].a = V.p[0].a = (int)A; V.f = V.g = (float)(A & 1023); Deep qV = V; r += qV.p[A & 1].a; => qV.v.y => qV.f
Both V; V.u = A; V.c[A & 3] = (unsigned char)A; => V.u
Bits V = {A, A, A}; V.b += A; V.c ^= 1; => V.a => V.b => V.c
Box<TYPE, N> V; for (int kV = 0; kV < N; kV++) V[kV] = (TYPE)A; V[A % N] = V[A % N]; r += (unsigned)V.total(); => V[A % N]
__align__(16) float V[2][4]; for (int k = 0; k < 8; k++) V[k / 4][k % 4] = (float)((A + k) & 255); float4 fV = *(float4 *)&V[A & 1][0]; Four gV; *(float4 *)gV.f = fV; r ^= (unsigned)gV.f[A & 3]; => fV.y
float V[N]; for (int kV = 0; kV < N; kV++) V[kV] = (float)(A & 4095); float sV = 0.0f; UNROLL for (int kV = 0; kV < N; kV++) sV += V[kV] * 2.0f; => sV
double V = (double)A; V = V * 0.25 + (double)(A & 15); V = floor(V); => (long long)V
__half V = __float2half((float)(A & 511)); V = 0; if (A > A) V = (__half)(float)(A & 63); => __half2float(V)
unsigned *V = own + A % 12u; V[0] = A; V[A & 3] += A; r += *V; => V[0]
Pair *V = (Pair *)own; V->a = (int)A; V->b = (unsigned char)A; V->c[A % 3u] = (short)A; r += V->b; => V->a
uint4 *V = (uint4 *)own + A % 4u; uint4 cV = *V; cV.XY ^= A; *V = cV; V->y += A; => V->XY
volatile unsigned *V = own; V[A & 15] = A; V[A & 15]++; => V[A & 15]
unsigned char *V = (unsigned char *)own; V[A & 63] = (unsigned char)A; ((short *)own)[A & 31] ^= 5; => V[A & 63]
unsigned V = 0; do { V += A; } while (V < 100u && V); => V
unsigned V = 0; againV: V++; if (V < N && A > A) goto againV; r ^= V;
auto V = [=](unsigned q) mutable { r += q; return r ^ A; }; r += V(A);
static const int V[] = {3, 1, 4, 1, 5, 9, 2, 6}; => V[A & 7] => TABLE(A & 7)
enum V_ { one_V = 1, two_V, N_V = N }; V_ V = A & 1 ? one_V : N_V; => V
Point V = Point{(int)(A & 255), 2} + Point{1, (int)(A & 255)}; V += V; => V.x => V[A & 1]
__int128 V = (__int128)(long long)A * (int)A << 9; V += A; => V >> 31
unsigned (*V)(unsigned, unsigned) = A & 1 ? mix : twist; r += V(A, A);
Shape *V; Square sV; Round tV; sV.side = A & 255; tV.r = A & 63; if (A > 100u) V = &sV; else V = &tV; => V->area(A & 7)
const char *V = A & 1 ? "kernel" : "thread"; for (const char *c = V; *c; c++) r = r * 3 + *c; => V[A % 6u]
unsigned V = A; float fV; memcpy(&fV, &V, 4); V ^= 5; memcpy(&V, &fV, sizeof V); ((unsigned char *)&V)[A & 3] ^= (unsigned char)A; => V
struct { unsigned a; VECTOR v[2]; unsigned char c; } V = {A}; V.v[A & 1].XY = A; V.v[0].XY++; V.c = (unsigned char)A; auto qV = V; r += qV.c; => V.v[0].XY => V.a
unsigned V[N][3]; unsigned (*pV)[3] = V; for (int kV = 0; kV < N; kV++, pV++) for (unsigned &w : *pV) w = A; => (unsigned)(pV - V) => V[A % N][A % 3u]
unsigned V[8] = {1, 2, 3}; quicksort(V, 0, N - 1); exchange(V[A & 7], V[A & 7]); for (unsigned *pV = V + 8; pV-- != V;) r += *pV; => V[A & 7]
unsigned V[5], *pV = V; *pV++ = A; do { unsigned t = *--pV; r += t; if (t & 1) *pV++ = t >> 2; if (t & 2) *pV++ = t >> 3; } while (pV > V && pV < V + 4);
volatile Pair V; V.a = (int)A; V.c[A % 3u] = (short)A; V.a = V.a + 1; => V.a
int V[N], wV = 0; if (A & 1) wV = N; for (int kV = 0; kV < wV; kV++) V[kV] = (int)A; if (wV) r += V[A % N];
auto V = [](auto self, unsigned n) -> unsigned { return n < 2 ? n : self(self, n - 1) + self(self, n - 2); }; => V(V, A & 7)
signed char V = (signed char)A; V += 3; V <<= 1; V = -V; short wV = V; wV *= V; => V => wV => (unsigned char)V / 3
long long V = (long long)(int)A * (int)A; V /= (int)(A & 7) + 1; V %= 1000003; V >>= A & 7; => V => (float)(V & 1023) => V < 0
if (A > A) { BLOCK } else { BLOCK }
switch ((long long)A * A >> 30) { case 0: r++; break; case 1: case 7: { BLOCK } break; case 3000000000: r--; default: { BLOCK } }
if (A & 1) { BLOCK }
for (unsigned V = 0; V < A % 9u; V++) { BLOCK LEAVE r += V; }
for (unsigned V = N; V--;) { BLOCK LEAVE r += V; }
UNROLL for (int V = 0; V < N; V++) { BLOCK r += V * A; }
for (unsigned long long V = A % 1000u; V; V >>= 1) { LEAVE BLOCK r ^= (unsigned)V; }
switch (A % 5u) { case 0: { BLOCK } case 2: r += 7; break; case 3: { BLOCK } break; default: r ^= 5; }
""".strip().split("\n")
# Between the threads of a block, outside of branches; E reads nothing but the input and the thread's number.
TOGETHER = ["PASS(V, E, N)", "EXCHANGE(TYPE, V, E, N)", "SWAP4(V, E, E, N)", "SHIFT(V, E, N)", "TOTAL(V, E)", "SHUFFLE(V, E, N)", "BALLOT(V, E)"]
HEAD = """#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>
#define BOTH __host__ __device__
#define SWAPPED(a) (((a) >> 16) | ((a) << 16))
#define UNROLL _Pragma("unroll")
struct Pair { int a; unsigned char b; short c[3]; };
struct Deep { uint2 v; Pair p[2]; float f; double g; };
struct __align__(16) Four { float f[4]; };
struct Bits { unsigned a : 5, b : 11, c : 1; BOTH Bits(unsigned x, unsigned y, unsigned z) : a(x), b(y), c(z) {} };
struct __align__(16) Holes { char tag; double weight; short code; Pair v; };
union Both { unsigned u; unsigned char c[4]; };
struct Point { int x, y; BOTH Point operator+(const Point &o) const { return {x + o.x, y + o.y}; }
    BOTH Point &operator+=(Point o) { x += o.x; y -= o.y; return *this; } BOTH int operator[](int n) const { return n ? y : x; } };
template <class T, int N> struct Box { T v[N]; BOTH T &operator[](unsigned n) { return v[n]; }
    BOTH T total() const { unsigned long long t = 0; for (T w : v) t += w; return (T)t; } };
template <class T> BOTH T pick(const T *p, unsigned i) { return p[i & 3]; }
template <class T> BOTH unsigned at(const unsigned *in, unsigned i) { return (unsigned)((const T *)in)[i & 31]; }
template <> BOTH unsigned at<bool>(const unsigned *in, unsigned i) { return in[i & 31] != 0; }
template <int N> BOTH unsigned sum_of(const unsigned *in, unsigned n) { unsigned s = 0; UNROLL for (int i = 0; i < N; i++) s += in[(n & 127) + i]; return s; }
BOTH __noinline__ unsigned mix(unsigned a, unsigned b) { return a * 31u + (b ^ a >> 3); }
BOTH __noinline__ void bump(unsigned *p, unsigned n) { for (unsigned i = 0; i < n % 5; i++) *p += i; }
BOTH __noinline__ Pair changed(Pair p, unsigned n) { p.c[n % 3] = 7; p.a ^= n; return p; }
BOTH __noinline__ unsigned twist(unsigned a, unsigned b) { return a ^ b * 7u; }
struct Shape { int colour; BOTH virtual unsigned area(unsigned) const = 0; };
struct Square : Shape { unsigned side; BOTH unsigned area(unsigned n) const override { return side * side + n; } };
struct Round final : Shape { unsigned r; BOTH unsigned area(unsigned n) const override { return 3 * r * r - n; } };
template <class T> BOTH void exchange(T &a, T &b) { T c = a; a = b; b = c; }
BOTH inline void quicksort(unsigned *a, int low, int high)
{
    int i = low, j = high;
    for (unsigned pivot = low < high ? a[(low + high) / 2] : 0; low < high && i <= j;) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) exchange(a[i++], a[j--]);
    }
    if (low < high) quicksort(a, low, j), quicksort(a, i, high);
}
BOTH static unsigned fall(unsigned n) { return n < 2 ? n : fall(n / 2) + (n & 1); }
BOTH inline unsigned twice(unsigned a, unsigned b = 3) { return a + 2u * b; }
BOTH inline unsigned popcount(unsigned a) { int n = 0; for (; a; a &= a - 1) n++; return n; }
BOTH inline unsigned half_of(unsigned a) { __half h = __float2half((float)(a & 2047)); return (unsigned)__half2float(h); }
BOTH inline unsigned add_all() { return 0; }
template <class... R> BOTH unsigned add_all(unsigned a, R... r) { return a + add_all(r...); }
__constant__ int d_table[8] = {2, 7, 1, 8, 2, 8, 1, 8};
static const int h_table[8] = {2, 7, 1, 8, 2, 8, 1, 8};
typedef unsigned (*Function)(unsigned, unsigned);
__device__ Function d_functions[] = {mix, twist};
static const Function h_functions[] = {mix, twist};
#define D_TABLE(n) d_table[n]
#define H_TABLE(n) h_table[n]
#define D_FUNCTION(n) d_functions[n]
#define H_FUNCTION(n) h_functions[n]
#define D_EXCHANGE(T, n, e, m) __shared__ T n[32]; n[i & 31] = (T)(e); __syncthreads(); r += (unsigned)n[(i ^ (m)) & 31]; __syncthreads();
#define H_EXCHANGE(T, n, e, m) { unsigned t##n = i; T n; { unsigned i = (t##n & ~31u) | ((t##n ^ (m)) & 31); n = (T)(e); } r += (unsigned)n; }
#define D_PASS(n, e, m) __shared__ Holes n[32]; { Holes w; w.tag = (char)(e); w.v.a = w.code = (short)(e); w.weight = (double)(e); n[i & 31] = w; } \
    __syncthreads(); { Holes w = n[(i ^ (m)) & 31]; r += (unsigned)w.tag + w.code + w.v.a + (unsigned)w.weight; } __syncthreads();
#define H_PASS(n, e, m) { unsigned n = i ^ (m); { unsigned i = n; r += (unsigned)(char)(e) + 2 * (short)(e) + (e); } }
#define D_SWAP4(n, e, f, m) __shared__ uint4 n[8][4]; ((unsigned *)n)[i & 31] = e; __syncthreads(); \
    if (i % 32 < 4) n[0][i % 4].w ^= f; __syncthreads(); r += ((unsigned *)n)[(i ^ (m)) & 31]; __syncthreads();
#define H_SWAP4(n, e, f, m) { unsigned t##n = i & ~31u, u##n = (i ^ (m)) & 31; { unsigned i = t##n + u##n, n = e; if (i % 4 == 3 && i % 32 < 16) { i = t##n + i % 32 / 4; n ^= f; } r += n; } }
#define D_SHIFT(n, e, m) { long long n = __shfl_down_sync(~0u, (long long)(e) << 7, m); double w = __shfl_sync(~0u, (double)(e), m); r += (unsigned)(n >> 3) + (unsigned)w; }
#define H_SHIFT(n, e, m) { unsigned t##n = i; { unsigned i = t##n % 32 + (m) > 31 ? t##n : t##n + (m); r += (unsigned)(((long long)(e) << 7) >> 3); } { unsigned i = (t##n & ~31u) + (m); r += (e); } }
#define D_TOTAL(n, e) __shared__ unsigned n; if (i % 32 == 0) n = 0; __syncthreads(); atomicAdd(&n, e); __syncthreads(); r += n;
#define H_TOTAL(n, e) { unsigned n = 0, t##n = i & ~31u; for (unsigned i = t##n; i < t##n + 32; i++) n += (e); r += n; }
#define D_SHUFFLE(n, e, m) r += __shfl_xor_sync(~0u, e, m);
#define H_SHUFFLE(n, e, m) { unsigned t##n = i ^ (m); { unsigned i = t##n; r += (e); } }
#define D_BALLOT(n, e) r ^= __ballot_sync(~0u, (e) & 2);
#define H_BALLOT(n, e) { unsigned n = 0, t##n = i & ~31u; for (unsigned i = t##n; i < t##n + 32; i++) n |= ((e) & 2 ? 1u : 0u) << (i & 31); r ^= n; }
"""
TAIL = """
int main()
{
    static __align__(16) unsigned in[256], own[64 * 16], wanted[64], got[64];
    unsigned *d_in, *d_own, *d_out;
    for (unsigned i = 0; i < 256; i++)
        in[i] = i * 2654435761u >> (i % 7);
    cudaMalloc(&d_in, sizeof in), cudaMalloc(&d_own, sizeof own), cudaMalloc(&d_out, sizeof got);
    bool device = cudaGetLastError() == cudaSuccess; /* nvcc's program has none */
    for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        memset(own, 7, sizeof own);
        if (device) {
            cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
            cudaMemcpy(d_own, own, sizeof own, cudaMemcpyHostToDevice);
            kernels[k]<<<2, 32>>>(d_in, d_own, d_out);
            cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost);
        }
        for (unsigned i = 0; i < 64; i++) {
            hosts[k](in, own + 16 * i, wanted, i);
            printf("%x ", wanted[i]);
            if (device && got[i] != wanted[i])
                return printf("\\nthread %d: %x instead of %x\\n", i, got[i], wanted[i]), 3;
        }
    }
}
"""


class Kernel:
    """The body of a kernel: statements that change `unsigned r`, from `in`, 64 own bytes and the thread's number i."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.names, self.count, self.depth = ["r", "i"], 0, 0
        self.text = "".join(self.statement() for _ in range(self.draw.randint(4, 8)))

    def value(self, names, depth=1):
        """An unsigned expression of the names."""
        d = self.draw
        if depth > 3 or d.random() < 0.35:
            return d.choice([str(d.randint(0, 300)) + "u", "in[%s & 255]" % d.choice(names), d.choice(names)])
        return self.filled(d.choice(FORMS), names, depth + 1)

    def filled(self, text, names, depth=1):
        """The text, each of its capital words replaced."""
        d = self.draw
        vector = "uint4" if "uint4" in text else d.choice(sorted(VECTORS))
        same = {"TYPE": d.choice(INTEGERS), "VECTOR": vector, "N": str(d.randint(1, 8)), "XY": d.choice(VECTORS[vector]),
                "UNROLL": d.choice(["", "UNROLL"])}
        each = {"A": lambda: self.value(names, depth), "E": lambda: self.value(["i"]), "BLOCK": self.block,
                "LEAVE": lambda: d.choice(["", "if (%s > 9u) break;", "if (%s & 4) continue;"]).replace("%s", self.value(names))}
        return re.sub("|".join(r"\b%s\b" % w for w in [*same, *each]), lambda m: same.get(m[0]) or (each[m[0]]() if m[0] in each else ""), text)

    def block(self):
        self.depth += 1
        known = list(self.names)
        text = "".join(self.statement() for _ in range(self.draw.randint(1, 3)))
        self.names = known
        self.depth -= 1
        return "\n" + text + "   "

    def statement(self):
        d = self.draw
        form = d.choice(STATEMENTS if d.randint(0, 8) or self.depth else TOGETHER)
        while self.depth > 1 and "BLOCK" in form:
            form = d.choice(STATEMENTS)
        self.count += 1
        text, *fresh = re.sub(r"V(?![A-Za-z])", "v%d" % self.count, form).split(" => ")
        whole = self.filled(" => ".join([text] + fresh), self.names).split(" => ")
        self.names = self.names + ["(unsigned)(%s)" % f for f in whole[1:]]
        return "    %s\n" % whole[0]


def failure(kernels, work, compilers):
    """Builds and runs kernels in one program; returns what went wrong, or ""."""
    text = HEAD
    for n, k in enumerate(kernels):
        for head, index, side in (("__global__ void k%d(const unsigned *in, unsigned *own, unsigned *out)", "blockIdx.x * 32 + threadIdx.x", "D"),
                                  ("static void h%d(const unsigned *in, unsigned *own, unsigned *out, unsigned t)", "t", "H")):
            body = re.sub("(%s)\\(" % "|".join(w.split("(")[0] for w in TOGETHER + ["TABLE(", "FUNCTION("]), side + r"_\1(", k.text)
            text += (head % n) + "\n{\n    unsigned i = %s, r = i;\n%s%s    out[i] = r;\n}\n" % (
                index, "    own += 16 * i;\n" if side == "D" else "", body)
    for kind, name, more in (("void (*kernels[])(const unsigned *, unsigned *, unsigned *)", "k", ""),
                             ("void (*hosts[])(const unsigned *, unsigned *, unsigned *, unsigned)", "h", "")):
        text += "static %s = {%s};\n" % (kind, ", ".join(name + str(n) for n in range(len(kernels))) + more)
    source, program = os.path.join(work, "fuzz.cu"), os.path.join(work, "fuzz")
    with open(source, "w") as file:
        file.write(text + TAIL)
    said = []
    for compiler in compilers:
        for command in (compiler + ["-w", "-Xcompiler", "-fno-strict-aliasing", source, "-o", program], [program]):
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                                  timeout=600, env=dict(os.environ, CPUCC_REPORT="off"))
            if done.returncode:
                return "%s ends with status %d: %s" % (command[0], done.returncode, done.stdout[-1500:])
        said.append(done.stdout)
    return "" if said[0] == said[-1] else "the host's results are others than nvcc's"


def main(words):
    compilers = [[CPUCC]] + [["nvcc", "-std=c++17", "-arch=sm_90"]] * ("--nvcc" in words)
    numbers = [int(w) for w in words if w.isdigit()]
    first, count = numbers + [0, 12][len(numbers):]
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        for start in range(first, first + count, AT_ONCE):
            seeds = range(start, min(start + AT_ONCE, first + count))
            if not failure([Kernel(s) for s in seeds], work, compilers):
                continue
            for seed in seeds:
                why = failure([Kernel(seed)], work, compilers)
                failed += why != ""
                if why and failed <= 5:
                    print("kernel %d: %s\n%s" % (seed, why, Kernel(seed).text), flush=True)
    print("%d of %d kernels failed" % (failed, count))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
