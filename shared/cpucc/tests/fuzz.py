#!/usr/bin/env python3
"""Calls the run-time API at random, with null, wild and destroyed arguments; parses random PTX.

usage: fuzz.py [FIRST [COUNT]]

For PTX, statements of this folder's tests are changed at random, parsed and checked under clang's sanitizers.
For the API: reads every function that the headers declare, writes a program that calls them, and runs it with COUNT seeds from
FIRST on (default 200 from 0). Each seed is a process that makes 100 calls and launches, in any order. A call may return
any error and report any fault; it must not end the process. Prints the failing seeds with their last call. Pointers
that CUDA itself follows without a check are never wild: results, structs, arrays with their length, functions.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CPUCC = os.path.join(os.path.dirname(HERE), "cpucc")
HEADERS = "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n#include <cuda.h>\n"
FUNCTION = re.compile(r"^(cudaError_t|cublasStatus_t|CUresult) ((?:cuda|cublas|cu)\w+)\(([^;{}]*)\);", re.M)
HANDLES = ["cudaStream_t", "cudaEvent_t", "cudaGraph_t", "cudaGraphNode_t", "cudaGraphExec_t", "cudaArray_t",
           "cudaMipmappedArray_t", "cudaMemPool_t", "cublasHandle_t", "cudaTextureObject_t", "cudaSurfaceObject_t",
           "cudaGraphConditionalHandle"]
# Ends the process, or is wrong by CUDA's own rules with what this program passes: an array's length.
LEFT_OUT = {"cudaMemPoolSetAccess", "cudaSetValidDevices"}

PROGRAM = r"""
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long long seed;
static unsigned draw(unsigned n) /* below n */
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(seed >> 33) % n;
}

enum { POOL = 8, HOST = 1 << 26 };
static char *host, *device, *freed;
static const char **called; /* shared with the parent */
static uint64_t scratch[1024];

template <class T> static T *pool()
{
    static T list[POOL];
    return list;
}
template <class T> static T handle()
{
    switch (draw(8)) {
    case 0: return (T)0;
    case 1: return (T)0x1234;
    case 2: return (T)device;
    default: return pool<T>()[draw(POOL)];
    }
}
/* A call may put a handle into the pool; destroyed ones stay there. */
template <class T> static T *handles() { return draw(8) ? &pool<T>()[draw(POOL)] : (T *)0; }

static size_t size()
{
    static const size_t some[] = {0, 1, 2, 4, 16, 100, 256, 4096, (size_t)1 << 40, ~(size_t)0, ~(size_t)0 - 4000};
    return some[draw(draw(4) ? 8 : 11)];
}
static void *memory()
{
    switch (draw(8)) {
    case 0: return 0;
    case 1: return (void *)0x10;
    case 2: return freed;
    case 3: case 4: return host + HOST / 2 + draw(64);
    default: return device + 4 * draw(256);
    }
}
static uint64_t word()
{
    switch (draw(5)) {
    case 0: return (uint64_t)memory();
    case 1: return size();
    case 2: return (uint64_t)pool<cudaArray_t>()[draw(POOL)];
    case 3: return (uint64_t)pool<cudaGraphConditionalHandle>()[draw(POOL)];
    default: return draw(40);
    }
}
static void nothing(void *) {}
static void nothing_else(cudaStream_t, cudaError_t, void *) {}
__global__ void kernel(int *p) { *p = 1; }
__global__ void fetch(cudaTextureObject_t t, float *p)
{
    *p = tex1Dfetch<float>(t, (int)threadIdx.x) + tex2D<float>(t, *p, 2.f) + tex3D<float>(t, 1, 1, 1);
}
__global__ void store(cudaSurfaceObject_t s) { surf2Dwrite(1.f, s, threadIdx.x * 4, 1); }

/* Results and parameters: NULL, or a struct of zeros or of random words. */
template <class T> static T *something()
{
    if (!draw(8))
        return 0;
    for (uint64_t &w : scratch)
        w = draw(2) ? 0 : word();
    return (T *)scratch;
}
static void *no_arguments[1];
template <> cudaKernelNodeParams *something()
{
    static cudaKernelNodeParams p;
    static void *argument, *arguments[] = {&argument};
    argument = memory();
    p = {draw(4) ? (void *)kernel : memory(), dim3(draw(3)), dim3(draw(40)), 0, draw(4) ? arguments : no_arguments, 0};
    return draw(8) ? &p : 0;
}
template <> cudaHostNodeParams *something()
{
    static cudaHostNodeParams p;
    p = {draw(4) ? nothing : 0, 0};
    return draw(8) ? &p : 0;
}
template <> cudaChannelFormatDesc *something()
{
    static cudaChannelFormatDesc p;
    p = {draw(6) ? 32 : (int)word(), 0, 0, draw(6) ? 0 : (int)word(), cudaChannelFormatKindFloat};
    return draw(8) ? &p : 0;
}
template <> cudaResourceDesc *something()
{
    static cudaResourceDesc p;
    memset(&p, 0, sizeof p);
    p.resType = (cudaResourceType)draw(5);
    if (p.resType == cudaResourceTypeMipmappedArray)
        p.res.mipmap.mipmap = handle<cudaMipmappedArray_t>();
    else if (p.resType == cudaResourceTypeArray)
        p.res.array.array = handle<cudaArray_t>();
    else
        p.res.pitch2D = {memory(), {32, 0, 0, (int)draw(2), cudaChannelFormatKindFloat}, size(), size(), size()};
    return draw(8) ? &p : 0;
}
template <> cudaTextureDesc *something()
{
    static cudaTextureDesc p;
    memset(&p, 0, sizeof p);
    for (auto &m : p.addressMode)
        m = (cudaTextureAddressMode)draw(4);
    p.filterMode = (cudaTextureFilterMode)draw(2), p.normalizedCoords = draw(2);
    return draw(8) ? &p : 0;
}
template <> size_t *something() /* also an array's capacity */
{
    scratch[0] = draw(POOL);
    return draw(8) ? (size_t *)scratch : 0;
}
struct any { /* a pointer of any type */
    void *p;
    template <class T> operator T *() const { return (T *)p; }
};
static const char *text() { return draw(4) ? "cuTensorMapEncodeTiled" : 0; }

static void launches()
{
    cudaStream_t s = handle<cudaStream_t>();
    switch (draw(4)) {
    case 0: kernel<<<draw(3), draw(40), 0, s>>>((int *)memory()); break;
    case 1: fetch<<<1, 2, 0, s>>>(handle<cudaTextureObject_t>(), (float *)device); break;
    case 2: store<<<1, 2, 0, s>>>(handle<cudaSurfaceObject_t>()); break;
    default: cudaDeviceReset();
    }
}
@CALLS@
static void run(unsigned long long n)
{
    seed = n;
    host = (char *)mmap(0, HOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cudaMalloc(&device, 4096);
    cudaMalloc(&freed, 4096);
    cudaFree(freed);
    for (int i = 0; i < 100; i++)
        if (!draw(6))
            *called = "a launch", launches();
        else
            call(draw(CALLS));
}

int main(int, char **argv)
{
    unsigned long long first = strtoull(argv[1], 0, 10), count = strtoull(argv[2], 0, 10), wrong = 0;
    called = (const char **)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (unsigned long long n = first; n < first + count; n++) {
        int status;
        pid_t child = fork();
        if (!child) {
            if (count > 1)
                freopen("/dev/null", "w", stderr);
            alarm(20);
            run(n);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (!status)
            continue;
        wrong++;
        printf("seed %llu: %s %d in %s\n", n, WIFSIGNALED(status) ? "signal" : "exit",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), *called);
        fflush(stdout);
    }
    printf("%d functions, %llu seeds, %llu failed\n", CALLS, count, wrong);
    return wrong != 0;
}
"""

PTX = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ptx.h"

int main(int count, char **argument)
{
    static char line[4096], list[1000][256], text[1024], why[128];
    int statements = 0, wrong = 0;
    while (statements < 1000 && fgets(line, sizeof line, stdin))
        snprintf(list[statements++], sizeof *list, "%.*s", (int)strcspn(line, "\n"), line);
    srand((unsigned)atoi(argument[1]));
    for (int n = atoi(argument[2]) * 100; n > 0; n--) {
        const char *other = list[rand() % statements];
        snprintf(text, sizeof text, "%s", list[rand() % statements]);
        for (int k = rand() % 4; k >= 0; k--) {
            size_t at = (size_t)rand() % (strlen(text) + 1), part = (size_t)rand() % (strlen(other) + 1);
            char rest[256];
            snprintf(rest, sizeof rest, "%s", text + at + rand() % 2 * (strlen(text + at) > 3 ? 3 : 0));
            snprintf(text + at, 512, "%.*s%s", rand() % 8, other + part, rest);
            text[600] = 0;
        }
        struct ptx_program *p = ptx_parse(text);
        for (int i = 0; i < p->count && !p->wrong[0]; i++)
            wrong += ptx_wrong(&p->list[i], 1, why, sizeof why);
        ptx_free(p);
    }
    printf("%d statements, %d wrong instructions\n", statements, wrong);
    return count != 3;
}
"""


def ptx(first, count, work):
    """Parses changed statements; returns 0 if the parser ends as it should."""
    statements = []
    for folder, _, files in os.walk(HERE):
        for name in sorted(files):
            if name.endswith(".cu"):
                with open(os.path.join(folder, name)) as file:
                    statements += re.findall(r'asm(?: volatile)?\("([^"\n]{4,200})"', file.read())
    source, program = os.path.join(work, "ptx.c"), os.path.join(work, "ptx")
    with open(source, "w") as file:
        file.write(PTX)
    frontend = os.path.join(os.path.dirname(CPUCC), "frontend")
    parts = [os.path.join(frontend, name) for name in ("ptx_parse.c", "ptx_check.c", "ptx_mma.c")]
    own_heap = ["-DCPUCC_PRIVATE_HEAP_H", "-include", "stdlib.h", "-include", "string.h"]  # not: the sanitizer's
    if subprocess.call([find_clang(), "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I" + frontend,
                        source] + own_heap + parts + ["-o", program]):
        return 1
    text = "\n".join(line.replace("%", "$").replace("$$", "%") for line in statements)
    return subprocess.run([program, first, count], input=text.encode()).returncode


def find_clang():
    path = os.path.join(os.path.dirname(CPUCC), "find_clang.sh")
    return subprocess.run([path], stdout=subprocess.PIPE, check=True).stdout.decode().split()[0]


def argument(kind, name):
    """Returns an expression that draws an argument of this type."""
    kind = {"cudaArray_const_t": "cudaArray_t", "cudaMipmappedArray_const_t": "cudaMipmappedArray_t"}.get(kind, kind)
    base = kind.rstrip("* ")
    if kind.count("*") > 1:
        return "any{something<void *>()}"
    if base + " *" == "cudaGraphNode_t *" and kind.endswith("*"):
        return "any{handles<cudaGraphNode_t>()}"
    if kind in HANDLES:
        return "handle<%s>()" % kind
    if kind.endswith("*") and base in HANDLES:
        return "handles<%s>()" % base
    if "Fn_t" in kind or "Callback_t" in kind:
        return "draw(4) ? %s : 0" % ("nothing_else" if "Callback" in kind else "nothing")
    if kind in ("void *", "float *", "double *") and (kind == "void *" or "cublas" in name):
        return "(%s)memory()" % kind
    if kind == "char *":
        return "(char *)text()" if "Get" not in name or "By" in name else "(char *)something<char>()"
    if kind.endswith("*"):
        return "something<%s>()" % base
    if base in ("size_t", "long long", "unsigned long long", "cuuint64_t"):
        return "size()"
    if kind in ("cudaExtent", "cudaPos"):
        return "%s{size(), size(), size()}" % kind
    if kind == "cudaPitchedPtr":
        return "cudaPitchedPtr{memory(), size(), size(), size()}"
    if "Handle" in kind or "Location" in kind:
        return "%s{}" % kind
    if kind in ("int", "unsigned", "unsigned int"):
        return "(%s)(draw(6) ? draw(4) : word())" % kind
    return "(%s)draw(20)" % kind  # an enumeration


def calls():
    """Returns the source of the function that makes call number n."""
    include = os.path.join(os.path.dirname(CPUCC), "include")
    source = '#include "cpucc_api.h"\n#include "cublas_api.h"\n#include "cuda.h"\n'
    text = subprocess.run([find_clang(), "-E", "-P", "-I" + include, "-x", "c", "-"], input=source.encode(),
                          stdout=subprocess.PIPE, check=True).stdout.decode()
    text = re.sub(r"\s+", " ", text).replace(";", ";\n")
    text = "\n".join(line.strip() for line in text.split("\n"))
    rows = []
    for _, name, parameters in FUNCTION.findall(text):
        if name in LEFT_OUT:
            continue
        kinds = []
        for parameter in parameters.split(","):
            # The type without the parameter's name.
            words = re.sub(r"\b(const|struct)\b", "", parameter).strip()
            base = re.match(r"unsigned long long|long long|unsigned|\w+", words).group()
            kind = (base + " " + "*" * (parameter.count("*") + parameter.count("[]"))).strip()
            if kind != "void":
                followed = "Attribute" in name or re.search(r"\b(alpha|beta|result|status)$", words)
                kinds.append("any{something<uint64_t>()}" if kind.endswith("*") and followed else argument(kind, name))
        drawn = ", ".join(kinds)
        rows.append('    case %d: *called = "%s", %s(%s); break;' % (len(rows), name, name, drawn))
    return "static void call(unsigned n)\n{\n    switch (n) {\n%s\n    }\n}\nenum { CALLS = %d };\n" % (
        "\n".join(rows), len(rows))


def main(first="0", count="200"):
    with tempfile.TemporaryDirectory() as work:
        source, program = os.path.join(work, "fuzz.cu"), os.path.join(work, "fuzz")
        with open(source, "w") as file:
            file.write(HEADERS + PROGRAM.replace("@CALLS@", calls()))
        if ptx(first, count, work) or subprocess.call([CPUCC, source, "-o", program]):
            return 1
        return subprocess.call([program, first, count], env=dict(os.environ, CPUCC_REPORT="off"))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
