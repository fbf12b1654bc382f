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

/*
 * The opcodes: for each its enumerator, the beginnings of its instructions' names, which blanks separate (the longest
 * that matches counts, # is a digit), the function that runs it (cpucc_ptx_arithmetic and so on), its operands, and
 * what it computes.
 *
 * Operands, a letter for each: = a result, n a value, m an address [a], of shared memory if the name says .shared,
 * s an address of shared memory, g one of any memory. Those behind a ? are optional; a * stands before one that is
 * there as often as the vector has elements. | stands for a second result that the first may have, d|p, & for one
 * that it must have, ~ for any operands, h for halves (f16, bf16), which the instruction takes.
 *
 * What it computes is in C, from the operands' values V(k), as unsigned U(k), int I(k) or pointer P(k), counted from 0.
 * The results are r[0], r[1] and so on, and r[SECOND]. Arithmetic is an expression for r[0], in which a and b are
 * the first two inputs as integers of the type t. PTX_NUMBERS has another one for floating-point types, of x, y, z.
 */
/* clang-format off */
#define PTX_NUMBERS(X)                                                                             \
    X(ADD, "add", arithmetic, "h=nn", a + b, x + y)                                                \
    X(SUB, "sub", arithmetic, "h=nn", a - b, x - y)                                                \
    X(MUL, "mul", arithmetic, "h=nn", product(n, a, b), x * y)                                     \
    X(MAD, "mad", arithmetic, "=nnn", product(n, a, b) + V(3), fused(t, x, y, z))                  \
    X(FMA, "fma", arithmetic, "h=nnn", LACKING, fused(t, x, y, z))                                 \
    X(DIV, "div", arithmetic, "=nn", b ? a / b : -1, x / y)                                        \
    X(MIN, "min", arithmetic, "h=nn", a < b ? a : b, fmin(x, y))                                   \
    X(MAX, "max", arithmetic, "h=nn", a < b ? b : a, fmax(x, y))                                   \
    X(ABS, "abs", arithmetic, "h=n", a < 0 ? -a : a, fabs(x))                                      \
    X(NEG, "neg", arithmetic, "h=n", -a, -x)                                                       \
    X(SQRT, "sqrt", arithmetic, "=n", LACKING, sqrt(x))                                            \
    X(RSQRT, "rsqrt", arithmetic, "=n", LACKING, 1 / sqrt(x))                                      \
    X(RCP, "rcp", arithmetic, "=n", LACKING, 1 / x)                                                \
    X(EX2, "ex2", arithmetic, "h=n", LACKING, exp2(x))                                             \
    X(LG2, "lg2", arithmetic, "=n", LACKING, log2(x))                                              \
    X(SIN, "sin", arithmetic, "=n", LACKING, sin(x))                                               \
    X(COS, "cos", arithmetic, "=n", LACKING, cos(x))                                               \
    X(TANH, "tanh", arithmetic, "h=n", LACKING, tanh(x))                                           \
    X(COPYSIGN, "copysign", arithmetic, "=nn", LACKING, copysign(y, x))
#define PTX_BITS(X)                                                                                \
    X(MOV, "mov", arithmetic, "=n?nnnnnnn", move(n, t, v, r))                                      \
    X(MUL24, "mul24", arithmetic, "=nn", low_24(t, V(1)) * low_24(t, V(2)))                        \
    X(REM, "rem", arithmetic, "=nn", b ? a % b : -1)                                               \
    X(AND, "and", arithmetic, "=nn", a & b)                                                        \
    X(OR, "or", arithmetic, "=nn", a | b)                                                          \
    X(XOR, "xor", arithmetic, "=nn", a ^ b)                                                        \
    X(NOT, "not", arithmetic, "=n", ~a)                                                            \
    X(SHL, "shl", arithmetic, "=nn", U(2) < 64 ? (uint64_t)a << U(2) : 0)                          \
    X(SHR, "shr", arithmetic, "=nn", a >> (U(2) < 64 ? U(2) : 64))                                 \
    X(POPC, "popc", arithmetic, "=n", __builtin_popcountll((uint64_t)a))                           \
    X(CLZ, "clz", arithmetic, "=n", a ? __builtin_clzll((uint64_t)a) - (64 - t.bits) : t.bits)     \
    X(BREV, "brev", arithmetic, "=n", reversed((uint64_t)a, t.bits))                               \
    X(BFE, "bfe", arithmetic, "=nnn", extract(t, a, U(2) & 0xff, U(3) & 0xff))                     \
    X(BFI, "bfi", arithmetic, "=nnnn", insert(t, V(1), V(2), U(3) & 0xff, U(4) & 0xff))            \
    X(BFIND, "bfind", arithmetic, "=n", highest((uint64_t)(a < 0 ? ~a : a)))                       \
    X(PRMT, "prmt", arithmetic, "=nnn", permute(U(1), U(2), U(3)))                                 \
    X(LOP3, "lop3", arithmetic, "=nnnn", truth_table(V(1), V(2), V(3), U(4)))                      \
    X(SHF_L, "shf.l", arithmetic, "=nnn", (V(2) << 32 | U(1)) << limited(n, U(3)) >> 32)           \
    X(SHF_R, "shf.r", arithmetic, "=nnn", (V(2) << 32 | U(1)) >> limited(n, U(3)))                 \
    X(SAD, "sad", arithmetic, "=nnn", V(3) + (a < b ? b - a : a - b))                              \
    X(SETP, "setp", arithmetic, "h=|nn?n", compare(n, v, r))                                       \
    X(SELP, "selp", arithmetic, "=nnn", V(3) & 1 ? a : b)                                          \
    X(CVT, "cvt", arithmetic, "h=n?n", convert_all(n, v))                                          \
    X(CVTA, "cvta", arithmetic, "=n", n->shared ? (uintptr_t)cpucc_shared_pointer(U(1)) : V(1))    \
    X(CVTA_TO, "cvta.to", arithmetic, "=n", n->shared ? cpucc_shared_offset(P(1)) : V(1))          \
    X(MAPA, "mapa", arithmetic, "=nn", map(n, V(1), U(2)))                                         \
    X(GETCTARANK, "getctarank", arithmetic, "=n", rank_of(n, V(1)))                                \
    X(ISSPACEP, "isspacep", arithmetic, "=n", is_in_space(n, P(1)))                                \
    X(BMSK, "bmsk", arithmetic, "=nn", low_bits(~0ull, limited(n, U(2))) << limited(n, U(1)))      \
    X(DP4A, "dp4a", arithmetic, "=nnn", dot_product(n, V(1), V(2), 8) + V(3))                      \
    X(DP2A, "dp2a", arithmetic, "=nnn",                                                            \
      dot_product(n, V(1), has(n, ".hi") ? V(2) >> 16 : V(2), 16) + V(3))
#define PTX_MEMORY(X)                                                                              \
    X(LD, "ld ldu", memory, "*=m", load(n, t, P(n->vector), r))                                    \
    X(ST, "st", memory, "m*n", store(n, t, P(0), v + 1))                                           \
    X(ATOM, "atom", memory, "=mn?n", r[0] = atomic(n, t, P(1), V(2), V(3)))                        \
    X(RED, "red", memory, "mn", atomic(n, t, P(0), V(1), 0))                                       \
    X(PREFETCH, "prefetch prefetchu", memory, "m", cpucc_prefetch(P(0)))
#define PTX_TOGETHER(X)                                                                            \
    X(BAR_SYNC, "bar.sync bar.cta.sync barrier.sync barrier.cta.sync", together, "n?n",            \
      wait_at(n, barrier(n, U(0)), I(1)))                                                          \
    X(BAR_ARRIVE, "bar.arrive bar.cta.arrive barrier.arrive barrier.cta.arrive", together, "nn",   \
      cpucc_barrier_arrive(barrier(n, U(0)), I(1)))                                                \
    X(BAR_RED, "bar.red bar.cta.red barrier.red barrier.cta.red", together, "=nn",                 \
      r[0] = count_at_barrier(n, V(2) & 1))                                                        \
    X(BAR_WARP_SYNC, "bar.warp.sync", together, "n", cpucc_syncwarp(U(0)))                         \
    X(MEMBAR, "membar", together, "", cpucc_fence(scope_of(n)))                                    \
    X(FENCE, "fence", together, "", cpucc_fence(scope_of(n)))                                      \
    X(FENCE_INIT, "fence.mbarrier_init", together, "", cpucc_fence_mbarrier_init())                \
    X(FENCE_PROXY, "fence.proxy.async", together, "",                                              \
      if (!has(n, ".global")) cpucc_fence_proxy_async())                                           \
    X(ACTIVEMASK, "activemask", together, "=", r[0] = cpucc_activemask())                          \
    X(VOTE_ALL, "vote.sync.all vote.all.sync", together, "=nn",                                    \
      r[0] = !cpucc_vote(U(2), !(V(1) & 1), 0))                                                    \
    X(VOTE_ANY, "vote.sync.any vote.any.sync", together, "=nn",                                    \
      r[0] = cpucc_vote(U(2), V(1) & 1, 0) != 0)                                                   \
    X(VOTE_BALLOT, "vote.sync.ballot vote.ballot.sync", together, "=nn",                           \
      r[0] = cpucc_vote(U(2), V(1) & 1, 0))                                                        \
    X(SHFL_IDX, "shfl.sync.idx", together, "=|nnnn", shuffle(v, r, 0))                             \
    X(SHFL_UP, "shfl.sync.up", together, "=|nnnn", shuffle(v, r, 1))                               \
    X(SHFL_DOWN, "shfl.sync.down", together, "=|nnnn", shuffle(v, r, 2))                           \
    X(SHFL_BFLY, "shfl.sync.bfly", together, "=|nnnn", shuffle(v, r, 3))                           \
    X(REDUX, "redux.sync", together, "=nn", r[0] = redux(n, U(2), U(1)))                           \
    X(MATCH_ANY, "match.any.sync", together, "=nn", r[0] = cpucc_vote(U(2), V(1), 1))              \
    X(MATCH_ALL, "match.all.sync", together, "=|nn",                                               \
      r[SECOND] = (r[0] = cpucc_vote(U(2), V(1), 2)) != 0)                                         \
    X(ELECT, "elect.sync", together, "=&n", elect(U(1), r))                                        \
    X(NANOSLEEP, "nanosleep", together, "n", cpucc_wait_a_while(U(0)))                             \
    X(TRAP, "trap brkpt", together, "", cpucc_trap())                                              \
    X(EXIT, "exit", together, "", cpucc_exit())                                                    \
    X(CLUSTER_ARRIVE, "barrier.cluster.arrive", together, "", cpucc_cluster_arrive())              \
    X(CLUSTER_WAIT, "barrier.cluster.wait", together, "", cpucc_cluster_wait())
#define PTX_MATRIX(X)                                                                              \
    X(MMA, "mma.sync.aligned", matrix, "h=~", multiply(n, v, r))                                   \
    X(LDMATRIX, "ldmatrix.sync.aligned", matrix, "*=m",                                            \
      cpucc_ldmatrix(P(n->vector), n->vector, has(n, ".trans"), r))                                \
    X(STMATRIX, "stmatrix.sync.aligned", matrix, "m*n",                                            \
      cpucc_stmatrix(P(0), n->vector, has(n, ".trans"), v + 1))                                    \
    X(MOVMATRIX, "movmatrix.sync.aligned", matrix, "=n", r[0] = cpucc_movmatrix(V(1)))
#define PTX_COPIES(X)                                                                              \
    X(CREATEPOLICY, "createpolicy", copies, "=?nnn", r[0] = 0)                                     \
    X(MB_INIT, "mbarrier.init", copies, "mn", cpucc_mbarrier_init(P(0), I(1)))                     \
    X(MB_INVAL, "mbarrier.inval", copies, "m", cpucc_mbarrier_end(P(0)))                           \
    X(MB_ARRIVE, "mbarrier.arrive", copies, "=m?n",                                                \
      r[0] = cpucc_mbarrier_arrive(P(1), n->operands > 2 ? I(2) : 1, 0))                           \
    X(MB_ARRIVE_TX, "mbarrier.arrive.expect_tx", copies, "=mn",                                    \
      r[0] = cpucc_mbarrier_arrive(P(1), 1, I(2)))                                                 \
    X(MB_EXPECT_TX, "mbarrier.expect_tx", copies, "mn", cpucc_mbarrier_expect(P(0), I(1)))         \
    X(MB_TRY, "mbarrier.try_wait", copies, "=mn?n", r[0] = wait_for(n, P(1), V(2)))                \
    X(MB_TEST, "mbarrier.test_wait", copies, "=mn", r[0] = wait_for(n, P(1), V(2)))                \
    X(CP_CA, "cp.async.ca", copies, "sgn?n", cpucc_cp_async_ca(P(0), P(1), I(2), zeros(n, v)))     \
    X(CP_CG, "cp.async.cg", copies, "sgn?n", cpucc_cp_async(P(0), P(1), I(2), zeros(n, v)))        \
    X(CP_COMMIT, "cp.async.commit_group", copies, "", cpucc_cp_async_commit())                     \
    X(CP_WAIT, "cp.async.wait_group", copies, "n", cpucc_cp_async_wait(I(0)))                      \
    X(CP_WAIT_ALL, "cp.async.wait_all", copies, "",                                                \
      cpucc_cp_async_commit(), cpucc_cp_async_wait(0))                                             \
    X(CP_ARRIVE, "cp.async.mbarrier.arrive", copies, "m",                                          \
      cpucc_cp_async_arrive(P(0), !has(n, ".noinc")))                                              \
    X(BULK_LOAD, "cp.async.bulk.shared::cluster.global cp.async.bulk.shared::cta.global",          \
      copies, "sgns?n", multicast(n, U(4)), cpucc_bulk_load(P(0), P(1), I(2), P(3)))               \
    X(BULK_PEER, "cp.async.bulk.shared::cluster.shared::cta", copies, "ssns",                      \
      cpucc_bulk_peer(P(0), P(1), I(2), P(3)))                                                     \
    X(BULK_STORE, "cp.async.bulk.global.shared::cta", copies, "gsn",                               \
      cpucc_bulk_store(P(0), P(1), I(2)))                                                          \
    X(BULK_REDUCE, "cp.reduce.async.bulk.global.shared::cta", copies, "hgsn",                      \
      reduce(n, P(0), P(1), I(2)))                                                                 \
    X(BULK_COMMIT, "cp.async.bulk.commit_group", copies, "", cpucc_bulk_commit())                  \
    X(BULK_WAIT, "cp.async.bulk.wait_group", copies, "n", cpucc_bulk_wait(I(0), has(n, ".read")))  \
    X(TENSOR_LOAD, "cp.async.bulk.tensor.#d.shared::cluster.global "                               \
      "cp.async.bulk.tensor.#d.shared::cta.global", copies, "sg*ns?n", load_tensor(n, v))          \
    X(TENSOR_STORE, "cp.async.bulk.tensor.#d.global.shared::cta", copies, "g*ns",                  \
      store_tensor(n, v))
#define PTX_NOTHING(X)                                                                             \
    X(BRA, "bra", nothing, "n")                                                                    \
    X(NOTHING, ".pragma setmaxnreg discard applypriority griddepcontrol cp.async.bulk.prefetch "   \
      "prefetch.tensormap fence.proxy.tensormap fence.proxy.alias", nothing, "~")
#define PTX_OPCODES(X)                                                                             \
    PTX_NUMBERS(X) PTX_BITS(X) PTX_MEMORY(X) PTX_TOGETHER(X) PTX_MATRIX(X) PTX_COPIES(X)           \
    PTX_NOTHING(X)
/* clang-format on */

enum ptx_code {
#define X(code, name, who, ...) PTX_##code,
    PTX_OPCODES(X)
#undef X
        PTX_CODES
};

enum ptx_operand_kind {
    PTX_SINK,     /* _, or none */
    PTX_ARGUMENT, /* operand number `index` of the asm statement, outputs first */
    PTX_REGISTER, /* register number `index` of those declared in the statement */
    PTX_NUMBER,   /* the constant `value` */
    PTX_SPECIAL,  /* number `index` of PTX_SPECIALS */
    PTX_LABEL,    /* jump target: instruction number `index` of the program */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    int index;
    int group;      /* number of the { } that contains it, 0 for none */
    bool negated;   /* written !p */
    bool predicate; /* a register declared as .pred */
    bool address;   /* between [ and ] */
    char place;     /* of an address: 's' if it may be an offset in shared memory, else 'g' */
    uint64_t value; /* of a number; of a decimal fraction a float's or double's bits */
    int64_t offset; /* of an address [a+offset] */
};

enum { PTX_OPERANDS = 24, PTX_REGISTERS = 512, SECOND = PTX_OPERANDS };

/* A type in an instruction's name. */
struct ptx_type {
    char kind; /* b, u, s, f, p (predicate), h (f16), e (bf16), t (tf32); 0: none */
    int bits;  /* 32 for the pairs f16x2 (kind h) and bf16x2 (kind e) */
};

struct ptx_instruction {
    enum ptx_code code;
    char *name;            /* "mbarrier.init.shared::cta.b64" */
    const char *modifiers; /* the rest of it, ".shared::cta.b64" */
    const char *form;      /* the letters of its operands */
    struct ptx_type type[2];
    int types;  /* number of types */
    int vector; /* elements: 1, or 2, 4, 8 with .v2, .x4 and so on; coordinates of a tensor */
    bool waits; /* a try_wait that the statement repeats until it succeeds */
    /* What the name says of a memory access. strong: it has an order or is volatile; strength: ACQUIRES and so on
     * (core/site.h); cluster: of that scope; shared, local, global: the memory that it names; hinted: its last
     * operand is a cache policy. */
    bool strong, cluster, shared, local, global, hinted;
    unsigned strength;
    struct ptx_operand guard;                         /* @p: runs only if it holds */
    struct ptx_operand operand[PTX_OPERANDS], second; /* second: the q of p|q */
    int operands, results; /* results: how many of them, from the first on */
    bool has_second, takes_address;
    int least, most; /* operands with the second result that there may be */
    char *target;    /* of a jump: the label */
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
