/*
 * Simulates matrices larger than the machine's memory, to test offsets that need 64 bits. A page gets
 * memory when a kernel first touches it. It is then filled: a page of the input with values computed
 * from its elements' positions, a page of the output with poison. Only a few blocks of each launch run,
 * most of them from the second half of the grid.
 */
#ifndef LARGE_MATRIX_H
#define LARGE_MATRIX_H

#include "protocol.h"
#include <stdbool.h>

/* The number of blocks of the last launch that ran; 0: all. */
extern uint32_t large_blocks_run;

/* Reserves the matrices and sets their addresses in *m; false if there is no address space. */
bool large_start(struct matrices *m);

/* Sends each touched page as a struct page and its bytes. */
void large_send_pages(int to);

/* The device's exit status if its kernels touch more pages than a few blocks should. */
enum { TOO_MANY_PAGES = 4 };

#endif
