/*
 * Matrices larger than this machine's memory, to see whether a kernel's offsets hold where they need
 * 64 bits. Their pages come into being when a kernel touches them: the input's are filled with what
 * their elements' places say, the output's with poison. Only a few blocks of a launch run, most of them
 * from the end of the grid.
 */
#ifndef VAST_H
#define VAST_H

#include "protocol.h"
#include <stdbool.h>

/* Blocks of the last launch that ran, if it was one of those. */
extern uint32_t vast_blocks_run;

/* Sets the matrices' addresses. False if there is no address space for them. */
bool vast_start(struct matrices *m);

/* Sends the pages that were touched. */
void vast_send(int to);

/* With this status the device ends when kernels touch more than a few blocks would. */
enum { VAST_TOO_MUCH = 4 };

#endif
