/*
 * Lists the reasons why counts of a source line may differ from the hardware's. The front end finds
 * such lines, the reports name the reasons.
 *
 * MAY_DIFFER_REASONS(name, word, text): `word` appears in machine-readable reports and does not
 * change; `text` is for readers. Each reason is a bit. The front end stores the bits of an access
 * as the discriminator of its entry in the line table (DWARF's number for entries of one line).
 */
#ifndef CPUCC_MAY_DIFFER_H
#define CPUCC_MAY_DIFFER_H

#define MAY_DIFFER_REASONS(REASON)                                                                 \
    REASON(DIFFERS_BY_UNROLLING, "unrolling",                                                      \
           "nvcc may unroll this loop differently: it is near a limit")                            \
    REASON(DIFFERS_BY_LANES, "lanes",                                                              \
           "lanes leave this unrolled loop in different iterations: on the hardware some execute " \
           "other copies of the access")                                                           \
    REASON(DIFFERS_BY_NEIGHBOURS, "neighbours", "nvcc may merge this access with its neighbours")  \
    REASON(DIFFERS_BY_SUM, "sum", "nvcc may store this sum in other iterations of its loop")       \
    REASON(DIFFERS_BY_BRANCHES, "branches",                                                        \
           "nvcc may keep the stores of two branches, which are one here")                         \
    REASON(DIFFERS_BY_ATOMICS, "atomics", "the address depends on the order of atomics")           \
    REASON(DIFFERS_BY_LIBRARY, "library", "libcu++'s own code keeps its state here")               \
    REASON(DIFFERS_BY_PROFILER, "profiler",                                                        \
           "Nsight Compute miscounts a 16-byte cp.async under a condition")                        \
    REASON(DIFFERS_BY_FAULT, "ended", "a fault ended the launch")

#define MAY_DIFFER_NAME(name, word, text) name,
enum may_differ {
    MAY_DIFFER_REASONS(MAY_DIFFER_NAME) MAY_DIFFER_COUNT,
    MERGED = MAY_DIFFER_COUNT /* no reason: one access stands for several of the source */
};
#undef MAY_DIFFER_NAME

#endif
