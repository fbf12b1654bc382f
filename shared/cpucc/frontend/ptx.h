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

/* Every opcode: its enumerator, the beginning of its instructions' names, and the function that
 * runs it (cpucc_ptx_arithmetic and so on). The longest matching name counts. */
/* clang-format off */
#define PTX_OPCODES(X)                                                                             \
    X(MOV, "mov", arithmetic) X(ADD, "add", arithmetic) X(SUB, "sub", arithmetic)                  \
    X(MUL, "mul", arithmetic) X(MUL24, "mul24", arithmetic) X(MAD, "mad", arithmetic)              \
    X(FMA, "fma", arithmetic) X(DIV, "div", arithmetic) X(REM, "rem", arithmetic)                  \
    X(MIN, "min", arithmetic) X(MAX, "max", arithmetic) X(ABS, "abs", arithmetic)                  \
    X(NEG, "neg", arithmetic) X(AND, "and", arithmetic) X(OR, "or", arithmetic)                    \
    X(XOR, "xor", arithmetic) X(NOT, "not", arithmetic) X(SHL, "shl", arithmetic)                  \
    X(SHR, "shr", arithmetic) X(POPC, "popc", arithmetic) X(CLZ, "clz", arithmetic)                \
    X(BREV, "brev", arithmetic) X(BFE, "bfe", arithmetic) X(BFI, "bfi", arithmetic)                \
    X(BFIND, "bfind", arithmetic) X(PRMT, "prmt", arithmetic) X(LOP3, "lop3", arithmetic)          \
    X(SHF_L, "shf.l", arithmetic) X(SHF_R, "shf.r", arithmetic) X(SAD, "sad", arithmetic)          \
    X(SETP, "setp", arithmetic) X(SELP, "selp", arithmetic) X(CVT, "cvt", arithmetic)              \
    X(SQRT, "sqrt", arithmetic) X(RSQRT, "rsqrt", arithmetic) X(RCP, "rcp", arithmetic)            \
    X(EX2, "ex2", arithmetic) X(LG2, "lg2", arithmetic) X(SIN, "sin", arithmetic)                  \
    X(COS, "cos", arithmetic) X(TANH, "tanh", arithmetic) X(COPYSIGN, "copysign", arithmetic)      \
    X(CVTA, "cvta", arithmetic) X(CVTA_TO, "cvta.to", arithmetic)                                  \
    X(MAPA, "mapa", arithmetic) X(GETCTARANK, "getctarank", arithmetic)                            \
    X(ISSPACEP, "isspacep", arithmetic) X(BMSK, "bmsk", arithmetic)                                \
    X(DP4A, "dp4a", arithmetic) X(DP2A, "dp2a", arithmetic)                                        \
    X(LD, "ld", memory) X(LDU, "ldu", memory) X(ST, "st", memory) X(ATOM, "atom", memory)          \
    X(RED, "red", memory) X(PREFETCH, "prefetch", memory) X(PREFETCHU, "prefetchu", memory)        \
    X(BAR_SYNC, "bar.sync", together) X(BAR_CTA_SYNC, "bar.cta.sync", together)                    \
    X(BARRIER_SYNC, "barrier.sync", together) X(BARRIER_CTA_SYNC, "barrier.cta.sync", together)    \
    X(BAR_WARP_SYNC, "bar.warp.sync", together) X(MEMBAR, "membar", together)                      \
    X(FENCE, "fence", together) X(FENCE_INIT, "fence.mbarrier_init", together)                     \
    X(FENCE_PROXY, "fence.proxy.async", together)                                                  \
    X(ACTIVEMASK, "activemask", together) X(VOTE_ALL, "vote.sync.all", together)                   \
    X(VOTE_ANY, "vote.sync.any", together) X(VOTE_BALLOT, "vote.sync.ballot", together)            \
    X(VOTE_ALL_OLD, "vote.all.sync", together) X(VOTE_ANY_OLD, "vote.any.sync", together)          \
    X(VOTE_BALLOT_OLD, "vote.ballot.sync", together) X(EXIT, "exit", together)                     \
    X(SHFL_UP, "shfl.sync.up", together) X(SHFL_DOWN, "shfl.sync.down", together)                  \
    X(SHFL_BFLY, "shfl.sync.bfly", together) X(SHFL_IDX, "shfl.sync.idx", together)                \
    X(REDUX, "redux.sync", together) X(MATCH_ANY, "match.any.sync", together)                      \
    X(MATCH_ALL, "match.all.sync", together)                                                       \
    X(ELECT, "elect.sync", together) X(NANOSLEEP, "nanosleep", together)                           \
    X(TRAP, "trap", together) X(BRKPT, "brkpt", together)                                          \
    X(CLUSTER_ARRIVE, "barrier.cluster.arrive", together)                                          \
    X(CLUSTER_WAIT, "barrier.cluster.wait", together)                                              \
    X(BAR_ARRIVE, "bar.arrive", together) X(BAR_CTA_ARRIVE, "bar.cta.arrive", together)            \
    X(BARRIER_ARRIVE, "barrier.arrive", together)                                                  \
    X(BARRIER_CTA_ARRIVE, "barrier.cta.arrive", together)                                          \
    X(BAR_RED, "bar.red", together) X(BAR_CTA_RED, "bar.cta.red", together)                        \
    X(BARRIER_RED, "barrier.red", together) X(BARRIER_CTA_RED, "barrier.cta.red", together)        \
    X(MMA, "mma.sync.aligned", matrix) X(LDMATRIX, "ldmatrix.sync.aligned", matrix)                \
    X(STMATRIX, "stmatrix.sync.aligned", matrix) X(MOVMATRIX, "movmatrix.sync.aligned", matrix)    \
    X(CREATEPOLICY, "createpolicy", copies) X(NOTHING_PRAGMA, ".pragma", nothing)                  \
    X(NOTHING_SETMAXNREG, "setmaxnreg", nothing) X(NOTHING_DISCARD, "discard", nothing)            \
    X(NOTHING_PRIORITY, "applypriority", nothing)                                                  \
    X(NOTHING_LAUNCH, "griddepcontrol", nothing)                                                   \
    X(NOTHING_PREFETCH, "cp.async.bulk.prefetch", nothing)                                         \
    X(NOTHING_TENSORMAP, "prefetch.tensormap", nothing)                                            \
    X(NOTHING_PROXY_MAP, "fence.proxy.tensormap", nothing)                                         \
    X(NOTHING_ALIAS, "fence.proxy.alias", nothing)                                                 \
    X(MB_INIT, "mbarrier.init", copies) X(MB_INVAL, "mbarrier.inval", copies)                      \
    X(MB_ARRIVE, "mbarrier.arrive", copies)                                                        \
    X(MB_ARRIVE_TX, "mbarrier.arrive.expect_tx", copies)                                           \
    X(MB_EXPECT_TX, "mbarrier.expect_tx", copies) X(MB_TRY, "mbarrier.try_wait", copies)           \
    X(MB_TRY_PARITY, "mbarrier.try_wait.parity", copies)                                           \
    X(MB_TEST, "mbarrier.test_wait", copies)                                                       \
    X(MB_TEST_PARITY, "mbarrier.test_wait.parity", copies)                                         \
    X(CP_CA, "cp.async.ca", copies) X(CP_CG, "cp.async.cg", copies)                                \
    X(CP_COMMIT, "cp.async.commit_group", copies) X(CP_WAIT, "cp.async.wait_group", copies)        \
    X(CP_WAIT_ALL, "cp.async.wait_all", copies)                                                    \
    X(CP_ARRIVE, "cp.async.mbarrier.arrive", copies)                                                    \
    X(BULK_LOAD, "cp.async.bulk.shared::cluster.global", copies)                                   \
    X(BULK_LOAD_CTA, "cp.async.bulk.shared::cta.global", copies)                                   \
    X(BULK_PEER, "cp.async.bulk.shared::cluster.shared::cta", copies)                              \
    X(BULK_STORE, "cp.async.bulk.global.shared::cta", copies)                                      \
    X(BULK_REDUCE, "cp.reduce.async.bulk.global.shared::cta", copies)                              \
    X(BULK_COMMIT, "cp.async.bulk.commit_group", copies)                                           \
    X(BULK_WAIT, "cp.async.bulk.wait_group", copies)                                               \
    X(TENSOR, "cp.async.bulk.tensor", copies) X(BRA, "bra", nothing) X(BRA_UNI, "bra.uni", nothing)
/* clang-format on */

extern const char *const ptx_names[]; /* by ptx_code */

enum ptx_code {
#define X(code, name, who) PTX_##code,
    PTX_OPCODES(X)
#undef X
        PTX_CODES
};

enum ptx_operand_kind {
    PTX_ARGUMENT, /* operand number `index` of the asm statement, outputs first */
    PTX_REGISTER, /* register number `index` of those declared in the statement */
    PTX_NUMBER,   /* the constant `value` */
    PTX_SPECIAL,  /* the special register ptx_specials[index] */
    PTX_LABEL,    /* jump target: instruction number `index` of the program */
    PTX_SINK      /* _ */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    int index;
    int group;      /* number of the { } that contains it, 0 for none */
    bool negated;   /* written !p */
    bool second;    /* the q of p|q */
    bool address;   /* between [ and ] */
    uint64_t value; /* of a number; a decimal fraction is held as a double's bits */
    int64_t offset; /* of an address [a+offset]; of a number: 1 if it is a decimal fraction */
};

enum { PTX_OPERANDS = 24, PTX_REGISTERS = 128 };

/* A type in an instruction's name. */
struct ptx_type {
    char kind; /* b, u, s, f, p (predicate), h (f16), e (bf16), t (tf32); 0: none */
    int bits;  /* 32 for the pairs f16x2 (kind h) and bf16x2 (kind e) */
};

struct ptx_instruction {
    enum ptx_code code;
    char *modifiers; /* the rest of its name, ".shared::cta.b64" */
    struct ptx_type type[2];
    int types;  /* number of types */
    int vector; /* elements: 1, or 2, 4, 8 with .v2, .v4, .v8 */
    bool waits; /* a try_wait that the statement repeats until it succeeds */
    /* What the name says of a memory access. strong: it has an order or is volatile; strength: ACQUIRES and so on
     * (core/site.h); shared: in shared memory; hinted: its last operand is a cache policy. */
    bool strong, shared, hinted;
    unsigned strength;
    int guard; /* 1: runs only if guard_operand holds (@p); -1: always runs */
    struct ptx_operand guard_operand;
    struct ptx_operand operand[PTX_OPERANDS];
    int operands;
};

struct ptx_program {
    struct ptx_instruction *list;
    int count, registers;
    char unknown[64];   /* the first instruction that is not in the table, or "" */
    char malformed[96]; /* what is no PTX, or "" */
};

extern const char *const ptx_specials[]; /* "%tid.x", ...; NULL at the end */
enum ptx_special {
    PTX_TID_X,
    PTX_TID_Y,
    PTX_TID_Z,
    PTX_NTID_X,
    PTX_NTID_Y,
    PTX_NTID_Z,
    PTX_CTAID_X,
    PTX_CTAID_Y,
    PTX_CTAID_Z,
    PTX_NCTAID_X,
    PTX_NCTAID_Y,
    PTX_NCTAID_Z,
    PTX_LANEID,
    PTX_WARPID,
    PTX_SMID,
    PTX_NSMID,
    PTX_CLOCK,
    PTX_CLOCK64,
    PTX_GLOBALTIMER,
    PTX_GLOBALTIMER_LO,
    PTX_LANEMASK_EQ,
    PTX_LANEMASK_LT,
    PTX_LANEMASK_LE,
    PTX_LANEMASK_GT,
    PTX_LANEMASK_GE,
    PTX_DYNAMIC_SMEM,
    PTX_CLUSTER_RANK,
    PTX_CLUSTER_SIZE
};

/* Parses a statement in LLVM's form ($0 for the first operand, $$ for a dollar). Never NULL. */
struct ptx_program *ptx_parse(const char *text);
void ptx_free(struct ptx_program *program);

/* Returns whether `part`, such as ".x4", is one of an instruction's modifiers. */
bool ptx_has(const char *modifiers, const char *part);

/* ptx_check.c: true if the instruction is no PTX; writes the reason. `outputs`: operands of the asm
 * statement that are outputs. */
bool ptx_wrong(const struct ptx_instruction *n, int outputs, char *why, size_t capacity);

#endif
