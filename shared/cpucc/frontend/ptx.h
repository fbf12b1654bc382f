/*
 * Declares the PTX opcodes that cpucc supports and the parsed form of an asm statement. ptx_parse.c
 * is linked into the compiler's tools, which refuse other opcodes, and into the run time, whose
 * ptx.c runs the statements. Names and operands: PTX ISA, chapter "Instruction Set".
 */
#ifndef CPUCC_PTX_H
#define CPUCC_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every opcode: its enumerator, the beginnings of its instructions' names, which blanks separate, the function that
 * runs it (cpucc_ptx_arithmetic and so on), and its operands: the least and the most number, whether the first
 * one is written, and whether one is an address [a]; or ANY. The elements of a vector are not counted,
 * and cache hints not in the most number. The longest matching name counts. */
/* clang-format off */
#define PTX_OPCODES(X)                                                                             \
    X(MOV, "mov", arithmetic, 2, 9, 1, 0) X(ADD, "add", arithmetic, 3, 3, 1, 0)                    \
    X(SUB, "sub", arithmetic, 3, 3, 1, 0) X(MUL, "mul", arithmetic, 3, 3, 1, 0)                    \
    X(MUL24, "mul24", arithmetic, 3, 3, 1, 0) X(MAD, "mad", arithmetic, 4, 4, 1, 0)                \
    X(FMA, "fma", arithmetic, 4, 4, 1, 0) X(DIV, "div", arithmetic, 3, 3, 1, 0)                    \
    X(REM, "rem", arithmetic, 3, 3, 1, 0) X(MIN, "min", arithmetic, 3, 3, 1, 0)                    \
    X(MAX, "max", arithmetic, 3, 3, 1, 0) X(ABS, "abs", arithmetic, 2, 2, 1, 0)                    \
    X(NEG, "neg", arithmetic, 2, 2, 1, 0) X(AND, "and", arithmetic, 3, 3, 1, 0)                    \
    X(OR, "or", arithmetic, 3, 3, 1, 0) X(XOR, "xor", arithmetic, 3, 3, 1, 0)                      \
    X(NOT, "not", arithmetic, 2, 2, 1, 0) X(SHL, "shl", arithmetic, 3, 3, 1, 0)                    \
    X(SHR, "shr", arithmetic, 3, 3, 1, 0) X(POPC, "popc", arithmetic, 2, 2, 1, 0)                  \
    X(CLZ, "clz", arithmetic, 2, 2, 1, 0) X(BREV, "brev", arithmetic, 2, 2, 1, 0)                  \
    X(BFE, "bfe", arithmetic, 4, 4, 1, 0) X(BFI, "bfi", arithmetic, 5, 5, 1, 0)                    \
    X(BFIND, "bfind", arithmetic, 2, 2, 1, 0) X(PRMT, "prmt", arithmetic, 4, 4, 1, 0)              \
    X(LOP3, "lop3", arithmetic, 5, 5, 1, 0) X(SHF_L, "shf.l", arithmetic, 4, 4, 1, 0)              \
    X(SHF_R, "shf.r", arithmetic, 4, 4, 1, 0) X(SAD, "sad", arithmetic, 4, 4, 1, 0)                \
    X(SETP, "setp", arithmetic, 3, 5, 1, 0) X(SELP, "selp", arithmetic, 4, 4, 1, 0)                \
    X(CVT, "cvt", arithmetic, 2, 3, 1, 0) X(SQRT, "sqrt", arithmetic, 2, 2, 1, 0)                  \
    X(RSQRT, "rsqrt", arithmetic, 2, 2, 1, 0) X(RCP, "rcp", arithmetic, 2, 2, 1, 0)                \
    X(EX2, "ex2", arithmetic, 2, 2, 1, 0) X(LG2, "lg2", arithmetic, 2, 2, 1, 0)                    \
    X(SIN, "sin", arithmetic, 2, 2, 1, 0) X(COS, "cos", arithmetic, 2, 2, 1, 0)                    \
    X(TANH, "tanh", arithmetic, 2, 2, 1, 0) X(COPYSIGN, "copysign", arithmetic, 3, 3, 1, 0)        \
    X(CVTA, "cvta", arithmetic, 2, 2, 1, 0) X(CVTA_TO, "cvta.to", arithmetic, 2, 2, 1, 0)          \
    X(MAPA, "mapa", arithmetic, 3, 3, 1, 0) X(GETCTARANK, "getctarank", arithmetic, 2, 2, 1, 0)    \
    X(ISSPACEP, "isspacep", arithmetic, 2, 2, 1, 0) X(BMSK, "bmsk", arithmetic, 3, 3, 1, 0)        \
    X(DP4A, "dp4a", arithmetic, 4, 4, 1, 0) X(DP2A, "dp2a", arithmetic, 4, 4, 1, 0)                \
    X(LD, "ld ldu", memory, 2, 2, 1, 1) X(ST, "st", memory, 2, 2, 0, 1)                            \
    X(ATOM, "atom", memory, 3, 4, 1, 1) X(RED, "red", memory, 2, 2, 0, 1)                          \
    X(PREFETCH, "prefetch prefetchu", memory, 1, 1, 0, 1)                                          \
    X(BAR_SYNC, "bar.sync bar.cta.sync barrier.sync barrier.cta.sync", together, 1, 2, 0, 0)       \
    X(BAR_WARP_SYNC, "bar.warp.sync", together, 1, 1, 0, 0)                                        \
    X(MEMBAR, "membar", together, 0, 0, 0, 0) X(FENCE, "fence", together, 0, 0, 0, 0)              \
    X(FENCE_INIT, "fence.mbarrier_init", together, 0, 0, 0, 0)                                     \
    X(FENCE_PROXY, "fence.proxy.async", together, 0, 0, 0, 0)                                      \
    X(ACTIVEMASK, "activemask", together, 1, 1, 1, 0)                                              \
    X(VOTE_ALL, "vote.sync.all", together, 3, 3, 1, 0)                                             \
    X(VOTE_ANY, "vote.sync.any", together, 3, 3, 1, 0)                                             \
    X(VOTE_BALLOT, "vote.sync.ballot", together, 3, 3, 1, 0)                                       \
    X(SHFL_UP, "shfl.sync.up", together, 5, 6, 1, 0)                                               \
    X(SHFL_DOWN, "shfl.sync.down", together, 5, 6, 1, 0)                                           \
    X(SHFL_BFLY, "shfl.sync.bfly", together, 5, 6, 1, 0)                                           \
    X(SHFL_IDX, "shfl.sync.idx", together, 5, 6, 1, 0)                                             \
    X(REDUX, "redux.sync", together, 3, 3, 1, 0)                                                   \
    X(MATCH_ANY, "match.any.sync", together, 3, 3, 1, 0)                                           \
    X(MATCH_ALL, "match.all.sync", together, 3, 4, 1, 0)                                           \
    X(ELECT, "elect.sync", together, 3, 3, 1, 0) X(NANOSLEEP, "nanosleep", together, 1, 1, 0, 0)   \
    X(TRAP, "trap brkpt", together, 0, 0, 0, 0)                                                    \
    X(CLUSTER_ARRIVE, "barrier.cluster.arrive", together, 0, 0, 0, 0)                              \
    X(CLUSTER_WAIT, "barrier.cluster.wait", together, 0, 0, 0, 0)                                  \
    X(BAR_ARRIVE, "bar.arrive bar.cta.arrive barrier.arrive barrier.cta.arrive", together,         \
      2, 2, 0, 0)                                                                                  \
    X(BAR_RED, "bar.red bar.cta.red barrier.red barrier.cta.red", together, ANY)                   \
    X(MMA, "mma.sync.aligned", matrix, ANY)                                                        \
    X(LDMATRIX, "ldmatrix.sync.aligned", matrix, 2, 2, 1, 1)                                       \
    X(STMATRIX, "stmatrix.sync.aligned", matrix, 2, 2, 0, 1)                                       \
    X(MOVMATRIX, "movmatrix.sync.aligned", matrix, 2, 2, 1, 0)                                     \
    X(CREATEPOLICY, "createpolicy", copies, 1, 4, 1, 0)                                            \
    X(NOTHING, ".pragma setmaxnreg discard applypriority griddepcontrol cp.async.bulk.prefetch "   \
      "prefetch.tensormap fence.proxy.tensormap fence.proxy.alias", nothing, ANY)                  \
    X(MB_INIT, "mbarrier.init", copies, 2, 2, 0, 1)                                                \
    X(MB_INVAL, "mbarrier.inval", copies, 1, 1, 0, 1)                                              \
    X(MB_ARRIVE, "mbarrier.arrive", copies, 2, 3, 1, 1)                                            \
    X(MB_ARRIVE_TX, "mbarrier.arrive.expect_tx", copies, 3, 3, 1, 1)                               \
    X(MB_EXPECT_TX, "mbarrier.expect_tx", copies, 2, 2, 0, 1)                                      \
    X(MB_TRY, "mbarrier.try_wait", copies, 3, 4, 1, 1)                                             \
    X(MB_TRY_PARITY, "mbarrier.try_wait.parity", copies, 3, 4, 1, 1)                               \
    X(MB_TEST, "mbarrier.test_wait", copies, 3, 3, 1, 1)                                           \
    X(MB_TEST_PARITY, "mbarrier.test_wait.parity", copies, 3, 3, 1, 1)                             \
    X(CP_CA, "cp.async.ca", copies, 3, 4, 0, 1) X(CP_CG, "cp.async.cg", copies, 3, 4, 0, 1)        \
    X(CP_COMMIT, "cp.async.commit_group", copies, 0, 0, 0, 0)                                      \
    X(CP_WAIT, "cp.async.wait_group", copies, 1, 1, 0, 0)                                          \
    X(CP_WAIT_ALL, "cp.async.wait_all", copies, 0, 0, 0, 0)                                        \
    X(CP_ARRIVE, "cp.async.mbarrier.arrive", copies, 1, 1, 0, 1)                                   \
    X(BULK_LOAD, "cp.async.bulk.shared::cluster.global", copies, 4, 5, 0, 1)                       \
    X(BULK_LOAD_CTA, "cp.async.bulk.shared::cta.global", copies, 4, 4, 0, 1)                       \
    X(BULK_PEER, "cp.async.bulk.shared::cluster.shared::cta", copies, 4, 4, 0, 1)                  \
    X(BULK_STORE, "cp.async.bulk.global.shared::cta", copies, 3, 3, 0, 1)                          \
    X(BULK_REDUCE, "cp.reduce.async.bulk.global.shared::cta", copies, 3, 3, 0, 1)                  \
    X(BULK_COMMIT, "cp.async.bulk.commit_group", copies, 0, 0, 0, 0)                               \
    X(BULK_WAIT, "cp.async.bulk.wait_group", copies, 1, 1, 0, 0)                                   \
    X(TENSOR, "cp.async.bulk.tensor", copies, 3, 9, 0, 1) X(BRA, "bra", nothing, 1, 1, 0, 0)
/* clang-format on */

enum ptx_code {
#define X(code, name, who, ...) PTX_##code,
    PTX_OPCODES(X)
#undef X
        PTX_CODES
};

enum ptx_operand_kind {
    PTX_ARGUMENT, /* operand number `index` of the asm statement, outputs first */
    PTX_REGISTER, /* register number `index` of those declared in the statement */
    PTX_NUMBER,   /* the constant `value` */
    PTX_SPECIAL,  /* number `index` of PTX_SPECIALS */
    PTX_LABEL,    /* jump target: instruction number `index` of the program */
    PTX_SINK      /* _ */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    int index;
    int group;      /* number of the { } that contains it, 0 for none */
    bool negated;   /* written !p */
    bool predicate; /* a register declared as .pred */
    bool second;    /* the q of p|q */
    bool address;   /* between [ and ] */
    uint64_t value; /* of a number; a decimal fraction is held as a double's bits */
    int64_t offset; /* of an address [a+offset]; of a number: 1 if it is a decimal fraction */
};

enum { PTX_OPERANDS = 24, PTX_REGISTERS = 512 };

/* A type in an instruction's name. */
struct ptx_type {
    char kind; /* b, u, s, f, p (predicate), h (f16), e (bf16), t (tf32); 0: none */
    int bits;  /* 32 for the pairs f16x2 (kind h) and bf16x2 (kind e) */
};

struct ptx_instruction {
    enum ptx_code code;
    char *name;            /* "mbarrier.init.shared::cta.b64" */
    const char *modifiers; /* the rest of it, ".shared::cta.b64" */
    struct ptx_type type[2];
    int types;  /* number of types */
    int vector; /* elements: 1, or 2, 4, 8 with .v2, .v4, .v8 */
    bool waits; /* a try_wait that the statement repeats until it succeeds */
    /* What the name says of a memory access. strong: it has an order or is volatile; strength: ACQUIRES and so on
     * (core/site.h); cluster: of that scope; shared, local, global: the memory that it names; hinted: its last
     * operand is a cache policy. */
    bool strong, cluster, shared, local, global, hinted;
    unsigned strength;
    int guard; /* 1: runs only if guard_operand holds (@p); -1: always runs */
    struct ptx_operand guard_operand;
    struct ptx_operand operand[PTX_OPERANDS];
    int operands;
    char *target; /* of a jump: the label */
};

struct ptx_program {
    struct ptx_instruction *list;
    int count, registers;
    char wrong[160]; /* the first thing that is no PTX or not supported, or "" */
};

/* Special registers: the name behind the %, and the value when a thread reads it. */
/* clang-format off */
#define PTX_SPECIALS(X)                                                                            \
    X("tid.x", cpucc_thread_index().x) X("tid.y", cpucc_thread_index().y)                          \
    X("tid.z", cpucc_thread_index().z) X("ntid.x", cpucc_block_dim().x)                            \
    X("ntid.y", cpucc_block_dim().y) X("ntid.z", cpucc_block_dim().z)                              \
    X("ctaid.x", cpucc_block_index().x) X("ctaid.y", cpucc_block_index().y)                        \
    X("ctaid.z", cpucc_block_index().z) X("nctaid.x", cpucc_grid_dim().x)                          \
    X("nctaid.y", cpucc_grid_dim().y) X("nctaid.z", cpucc_grid_dim().z)                            \
    X("laneid", lane) X("warpid", cpucc_special(1)) X("smid", cpucc_special(0))                    \
    X("nsmid", cpucc_special(3)) X("clock", (uint32_t)cpucc_clock()) X("clock64", cpucc_clock())   \
    X("globaltimer", cpucc_timer()) X("globaltimer_lo", (uint32_t)cpucc_timer())                   \
    X("lanemask_eq", 1u << lane) X("lanemask_lt", (1u << lane) - 1)                                \
    X("lanemask_le", (2u << lane) - 1) X("lanemask_gt", ~((2u << lane) - 1))                       \
    X("lanemask_ge", ~((1u << lane) - 1)) X("dynamic_smem_size", cpucc_special(4))                 \
    X("cluster_ctarank", cpucc_cluster(0)) X("cluster_nctarank", cpucc_cluster(1))
/* clang-format on */

/* Parses a statement in LLVM's form ($0 for the first operand, $$ for a dollar). Never NULL. */
struct ptx_program *ptx_parse(const char *text);
void ptx_free(struct ptx_program *program);

/* Returns whether `part`, such as ".x4", is one of an instruction's modifiers. */
bool ptx_has(const char *modifiers, const char *part);

/* ptx_check.c: true if the instruction is no PTX; writes the reason. `outputs`: operands of the asm
 * statement that are outputs. */
bool ptx_wrong(const struct ptx_instruction *n, int outputs, char *why, size_t capacity);

#endif
