/* Declares what schedule.c, blocks.c and deferred_access.c share. */
#ifndef CPUCC_SCHEDULE_H
#define CPUCC_SCHEDULE_H

#include "execution.h"

enum {
    TURN = 4096,             /* requests before another warp may run */
    UNCHANGED_TURN = 256,    /* requests that repeat addresses before another warp may run */
    REVISITS_BLOCK = 200000, /* requests within earlier ranges before other blocks start */
    UNCHANGED_BLOCK = 20000, /* requests without a new address before other blocks start */
    UNCHANGED_AGAIN = 1000,  /* the same once a block of the launch has waited for others so */
    PATIENCE = 1024, /* requests of a block that repeat addresses before fewer of them end a turn */
    HASTE = 16       /* so many times fewer */
};

static inline int cpucc_haste(const struct block *b) { return b->repeats < PATIENCE ? 1 : HASTE; }

/* Switches to the lane that runs next; returns false if none can, else when lanes have run. */
bool cpucc_run_next_lane(struct warp *warp);
void cpucc_end_lane(struct lane *lane); /* ends a lane whose kernel function has returned */

#endif
