/*
 * Vector clocks: for each thread of a launch, up to which point of its own clock its accesses are
 * known to come before. NULL knows nothing.
 *
 * A clock is a tree over blocks, warps and lanes whose parts are shared between clocks and copied
 * when one of them changes, so that passing on what another thread knows costs little, and what a
 * barrier of a whole block orders is one number for that block.
 *
 * Beside its threads a block has agents, which stand for copies that run on their own: numbers from
 * VC_AGENT on. A number that a clock holds is exclusive: accesses stamped below it come before.
 */
#ifndef CPUCC_VECTOR_CLOCK_H
#define CPUCC_VECTOR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { VC_AGENT = 1024, VC_AGENTS = 128 };

struct vclock;

/* Before a launch of that many blocks and threads a block; ends all clocks of the launch before. */
void vc_start(uint32_t blocks, uint32_t threads);

struct vclock *vc_share(struct vclock *v);
void vc_drop(struct vclock *v);

/* The rest takes over `v` and returns what is to be used in its place. */

/* v, and what `other` knows. */
struct vclock *vc_join(struct vclock *v, struct vclock *other);

/* v, and one thread (or agent), one warp or a whole block (without its agents) up to `bound`. */
struct vclock *vc_raise(struct vclock *v, uint32_t block, uint32_t thread, uint32_t bound);
struct vclock *vc_raise_warp(struct vclock *v, uint32_t block, uint32_t warp, uint32_t bound);
struct vclock *vc_raise_block(struct vclock *v, uint32_t block, uint32_t bound);

/* v without what it knows of that block's threads: something else tells it now. */
struct vclock *vc_forget(struct vclock *v, uint32_t block);

/* The bound of a thread or agent, 0 for none. */
uint32_t vc_bound(const struct vclock *v, uint32_t block, uint32_t thread);

/* Those of these lanes of a warp whose bound is not above `clock`. */
uint32_t vc_unknown(const struct vclock *v, uint32_t block, uint32_t warp, uint32_t lanes,
                    uint32_t clock);

#endif
