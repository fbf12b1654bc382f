/*
 * Matrices larger than the machine's memory, which test offsets that need 64 bits. A page is made when a
 * kernel first touches it: one of the input holds values computed from its elements' positions, one of
 * the output holds poison. A few blocks of each launch run, most of them from the end of the grid.
 */
#ifndef LARGE_MATRIX_H
#define LARGE_MATRIX_H

#include "protocol.h"
#include <stdbool.h>

/* How many blocks of the last launch ran; 0: all. */
extern uint32_t large_blocks_run;

/* Reserves the matrices and sets their addresses. False if there is no address space. */
bool large_start(struct matrices *m);

/* Sends the touched pages as struct page. */
void large_send_pages(int to);

/* The exit status of a device whose kernels touch more pages than a few blocks would. */
enum { TOO_MANY_PAGES = 4 };

#endif
