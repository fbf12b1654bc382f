/*
 * Vector clocks: for each thread of a launch, the bound below which that thread's accesses come
 * before. A NULL clock bounds nothing.
 *
 * A clock is a tree over blocks, warps and lanes. Clocks share subtrees and copy them on write, so
 * passing a clock on is cheap. One number per block covers a barrier of the whole block.
 *
 * Besides its threads a block has agents, which stand for asynchronous copies: their numbers start
 * at VC_AGENT. Bounds are exclusive: accesses stamped below a bound come before.
 */
#ifndef CPUCC_VECTOR_CLOCK_H
#define CPUCC_VECTOR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { VC_AGENT = 1024, VC_AGENTS = 128 };

struct vclock;

/* Prepares for a launch with that many blocks, and threads per block. Ends all earlier clocks. */
void vc_start(uint32_t blocks, uint32_t threads);

struct vclock *vc_share(struct vclock *v);
void vc_drop(struct vclock *v);

/* The functions below take over `v` and return its replacement. */

/* Joins `other` into v. */
struct vclock *vc_join(struct vclock *v, struct vclock *other);

/* Raises one thread (or agent), one warp, or all threads of a block to `bound`. */
struct vclock *vc_raise(struct vclock *v, uint32_t block, uint32_t thread, uint32_t bound);
struct vclock *vc_raise_warp(struct vclock *v, uint32_t block, uint32_t warp, uint32_t bound);
struct vclock *vc_raise_block(struct vclock *v, uint32_t block, uint32_t bound);

/* Drops the bounds of that block's threads, which the block's barrier_clock covers. */
struct vclock *vc_forget(struct vclock *v, uint32_t block);

/* Returns the bound of a thread or agent; 0 if there is none. */
uint32_t vc_bound(const struct vclock *v, uint32_t block, uint32_t thread);

/* Returns the given lanes of a warp whose bound is not above `clock`. */
uint32_t vc_unknown(const struct vclock *v, uint32_t block, uint32_t warp, uint32_t lanes,
                    uint32_t clock);

#endif
