/*
 * Vector clocks. A vector clock has a bound for each thread of a launch: the thread's accesses with
 * lower clocks come before the access in question. In a NULL clock all bounds are 0.
 *
 * A clock is a tree over blocks, warps and lanes. Clocks share subtrees and copy them on write, so
 * passing a clock on is cheap. One number per block covers a barrier of the whole block.
 *
 * Besides its threads a block has agents, which make asynchronous copies. Their numbers start at VC_AGENT.
 */
#ifndef CPUCC_VECTOR_CLOCK_H
#define CPUCC_VECTOR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include "../core/launch_state.h"

struct vclock;

/* Prepares for a launch of this size (threads: per block). All earlier clocks become invalid. */
void vc_start(uint32_t blocks, uint32_t threads);

bool vc_any(void); /* false if no clock has been made since vc_start */

struct vclock *vc_share(struct vclock *v); /* adds a reference and returns v */
void vc_drop(struct vclock *v);            /* removes a reference; frees v with the last one */

/* vc_join to vc_forget take over the caller's reference to `v` and return its replacement. */

/* Returns the larger bound of v and `other` for each thread. */
struct vclock *vc_join(struct vclock *v, struct vclock *other);

/* Raise the bounds of one thread (or agent), one warp, or all threads of a block to `bound`. */
struct vclock *vc_raise(struct vclock *v, uint32_t block, uint32_t thread, uint32_t bound);
struct vclock *vc_raise_warp(struct vclock *v, uint32_t block, uint32_t warp, uint32_t bound);
struct vclock *vc_raise_block(struct vclock *v, uint32_t block, uint32_t bound);

/* Sets the bounds of the block's threads to 0, because the block's barrier_clock covers them. */
struct vclock *vc_forget(struct vclock *v, uint32_t block);

/* Returns the bound of a thread or agent. */
uint32_t vc_bound(const struct vclock *v, uint32_t block, uint32_t thread);

/* Returns those of the given lanes of a warp whose bound is at most `clock`. */
uint32_t vc_unknown(const struct vclock *v, uint32_t block, uint32_t warp, uint32_t lanes,
                    uint32_t clock);

#endif
