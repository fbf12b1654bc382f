/*
 * NCCL, taken at run time, so that no program links it or needs its headers. The declarations follow
 * NCCL's public interface from version 2.7 on, which has ncclSend.
 *
 * The processes of a run find each other through a file: rank 0 writes NCCL's id there, the others read it.
 */
#ifndef NCCL_H
#define NCCL_H

#include "spread.h"
#include <dlfcn.h>
#include <glob.h>

typedef struct {
    char opaque[128]; /* NCCL_UNIQUE_ID_BYTES */
} NcclId;

enum { NCCL_FLOAT = 7, NCCL_MAX = 2 };

typedef struct {
    const char *path;     /* of the library, as --nccl gives it; NULL: find it */
    const char *meet;     /* the file through which processes meet; NULL: one process */
    void *comm[MAX_GPUS]; /* of each device of this process, once connected */
    int (*get_id)(NcclId *);
    int (*init_rank)(void **, int, NcclId, int);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *, size_t, int, int, void *, cudaStream_t);
    int (*receive)(void *, size_t, int, int, void *, cudaStream_t);
    int (*all_reduce)(const void *, void *, size_t, int, int, void *, cudaStream_t);
    const char *(*error_text)(int);
} Nccl;

static Nccl nccl;

static inline void nccl_check(int error, const char *call, int line)
{
    if (!error)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, nccl.error_text(error));
    exit(EXIT_FAULT);
}

#define NCCL_CHECK(call) nccl_check((call), #call, __LINE__)

/* Opens libnccl.so.2: at the path of --nccl, else where the loader or a Python package has it. */
static inline void *open_nccl(void)
{
    static const char *const folders[] = {"/usr/lib/python3*", "/usr/local/lib/python3*",
                                          "/opt/*/lib/python3*", "~/.local/lib/python3*"};
    const char *environment = first_of("VIRTUAL_ENV", "CONDA_PREFIX");
    if (nccl.path)
        return dlopen(nccl.path, RTLD_NOW | RTLD_LOCAL);
    void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    for (int f = environment ? -1 : 0; f < COUNT_OF(folders) && !library; f++) {
        char pattern[PATH_MAX];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s%s/*-packages/nvidia/nccl/lib/libnccl.so.2",
                 f < 0 ? environment : folders[f], f < 0 ? "/lib/python3*" : "");
        if (glob(pattern, GLOB_TILDE, NULL, &found) == 0)
            library = dlopen(found.gl_pathv[0], RTLD_NOW | RTLD_LOCAL);
        globfree(&found);
    }
    return library;
}

/* Loads the library. Returns NULL, or why it cannot be used. */
static inline const char *load_nccl(void)
{
    static const char *const names[] = {"ncclGetUniqueId", "ncclCommInitRank",  "ncclGroupStart",
                                        "ncclGroupEnd",    "ncclSend",          "ncclRecv",
                                        "ncclAllReduce",   "ncclGetErrorString"};
    void **const functions[] = {(void **)&nccl.get_id,      (void **)&nccl.init_rank,
                                (void **)&nccl.group_start, (void **)&nccl.group_end,
                                (void **)&nccl.send,        (void **)&nccl.receive,
                                (void **)&nccl.all_reduce,  (void **)&nccl.error_text};
    if (!HOOK_TIMES)
        return "NCCL needs GPUs";
    setenv("NCCL_NVLS_ENABLE", "0", 1); /* NVLink multicast stays off */
    void *library = open_nccl();
    if (!library)
        return nccl.path ? "--nccl names no library that can be loaded"
                         : "libnccl.so.2 is not found; --nccl PATH names it";
    for (int f = 0; f < COUNT_OF(names); f++)
        if (!(*functions[f] = dlsym(library, names[f])))
            return "this NCCL is older than 2.7";
    return NULL;
}

/* Returns the id that all ranks share. Rank 0 makes it and writes it to the file; the others wait for the
 * file for up to a minute. */
static inline NcclId common_id(int rank)
{
    NcclId id = {};
    char part[PATH_MAX + 8];
    if (rank == 0)
        NCCL_CHECK(nccl.get_id(&id));
    if (!nccl.meet)
        return id;
    snprintf(part, sizeof part, "%s.part", nccl.meet);
    if (rank == 0) {
        FILE *file = fopen(part, "wb");
        if (!file || fwrite(&id, sizeof id, 1, file) != 1 || fclose(file) != 0 ||
            rename(part, nccl.meet) != 0)
            usage_error("--meet %s: cannot be written: %s", nccl.meet, strerror(errno));
        return id;
    }
    for (int wait = 0; wait < 600; wait++) {
        FILE *file = fopen(nccl.meet, "rb");
        int read = file && fread(&id, sizeof id, 1, file) == 1;
        if (file)
            fclose(file);
        if (read)
            return id;
        usleep(100000);
    }
    usage_error("--meet %s: rank 0 has not written it within a minute", nccl.meet);
    return id;
}

/* Connects the devices at the first call. Returns NULL, or why NCCL cannot be used. */
static inline const char *connect_nccl(const Spread *s)
{
    static const char *why;
    if (why || nccl.comm[s->begin])
        return why;
    why = load_nccl();
    if (why)
        return why;
    NcclId id = common_id(s->begin);
    int error = nccl.group_start();
    for (int g = s->begin; g < s->end && !error; g++) {
        use_device(s, g);
        error = nccl.init_rank(&nccl.comm[g], s->gpus, id, g);
    }
    int end = nccl.group_end();
    if (nccl.meet && s->begin == 0)
        unlink(nccl.meet);
    if (error || end)
        why = nccl.error_text(error ? error : end);
    return why;
}

/* Returns the largest of the processes' values; each process waits for all others. */
static inline double most_of_ranks(const Spread *s, double value)
{
    if (s->end - s->begin == s->gpus)
        return value;
    float *memory, most = (float)value;
    CUDA_CHECK(cudaMalloc((void **)&memory, sizeof most));
    CUDA_CHECK(cudaMemcpy(memory, &most, sizeof most, cudaMemcpyHostToDevice));
    NCCL_CHECK(nccl.all_reduce(memory, memory, 1, NCCL_FLOAT, NCCL_MAX, nccl.comm[s->begin],
                               s->stream[s->begin]));
    CUDA_CHECK(cudaStreamSynchronize(s->stream[s->begin]));
    CUDA_CHECK(cudaMemcpy(&most, memory, sizeof most, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(memory));
    return most;
}

static inline void meet_ranks(const Spread *s) { (void)most_of_ranks(s, 0); }

#endif
