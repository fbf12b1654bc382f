/*
 * Why the counts of a source line may differ from the hardware's. One list, for the front end, which
 * finds such lines, and for the reports.
 *
 * CPUCC_DOUBT(name, word, text): `word` stands in machine-readable reports and does not change; `text`
 * is what a reader sees. Each is a bit; the bits of an access are the discriminator of its place in the
 * program's line table, as DWARF calls a number that tells places of one line apart.
 */
#ifndef CPUCC_DOUBTS_H
#define CPUCC_DOUBTS_H

#define CPUCC_DOUBTS(DOUBT)                                                                        \
    DOUBT(IN_UNROLLING, "unrolling", "nvcc may unroll this loop otherwise: it is near a limit")    \
    DOUBT(IN_LANES, "lanes",                                                                       \
          "lanes leave this unrolled loop at different rounds: on the hardware some stand at "     \
          "other copies of the access")                                                            \
    DOUBT(IN_NEIGHBOURS, "neighbours", "nvcc may make one access of this one and its neighbours")  \
    DOUBT(IN_SUM, "sum", "nvcc may store this sum in other rounds of its loop")                    \
    DOUBT(IN_ATOMICS, "atomics", "the address depends on the order of atomics")                    \
    DOUBT(IN_LIBRARY, "library", "libcu++ keeps its state here by code of its own")                \
    DOUBT(IN_PROFILER, "profiler",                                                                 \
          "Nsight Compute miscounts a 16-byte cp.async under a condition")                         \
    DOUBT(IN_ENDED, "ended", "a fault ended the launch")

#define CPUCC_DOUBT_NAME(name, word, text) name,
enum cpucc_doubt { CPUCC_DOUBTS(CPUCC_DOUBT_NAME) CPUCC_DOUBT_COUNT };
#undef CPUCC_DOUBT_NAME

#endif
