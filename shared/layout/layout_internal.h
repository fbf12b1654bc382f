/* Declares what only the library's own files use: errors, checked arithmetic, building of layouts. */
#ifndef LAYOUT_INTERNAL_H
#define LAYOUT_INTERNAL_H

#include "layout.h"

#ifdef __GNUC__
#define LAYOUT_FORMAT(string, first) __attribute__((format(printf, string, first)))
#else
#define LAYOUT_FORMAT(string, first)
#endif

/* Fills *error and returns false. `operand` and `node` are those of struct layout_error. */
bool layout_fail(struct layout_error *error, int operand, int node, const char *format, ...)
    LAYOUT_FORMAT(4, 5);

/* Set *result to a * b or a + b of integers in [0, LAYOUT_MAX_INT]; false if the result exceeds the
 * range. */
bool layout_multiply(int64_t a, int64_t b, int64_t *result);
bool layout_add(int64_t a, int64_t b, int64_t *result);

static inline int64_t layout_ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/* A list of modes without nesting. */
struct flat {
    int count;
    int64_t shape[LAYOUT_MAX_NODES], stride[LAYOUT_MAX_NODES];
};
void layout_flatten(const struct layout *layout, struct flat *flat);

/* Returns the node after the subtree at `node`. */
int layout_skip(const struct int_tuple *tuple, int node);

/* Makes an empty layout. The layout_put functions append nodes to it in preorder, and fail only if
 * it has no nodes left. */
void layout_begin(struct layout *layout);
/* Appends the node of a tuple of `rank` modes; the modes follow. */
bool layout_put_tuple(struct layout *layout, int rank, struct layout_error *error);
/* Appends an integer mode. */
bool layout_put_mode(struct layout *layout, int64_t shape, int64_t stride,
                     struct layout_error *error);
/* Appends a copy of the subtree of `from` at `node`. */
bool layout_put_tree(struct layout *layout, const struct layout *from, int node,
                     struct layout_error *error);
/* Appends a list of modes, as a tuple; a single mode as an integer. */
bool layout_put_flat(struct layout *layout, const struct flat *flat, struct layout_error *error);
/* Checks the finished layout as layout_make does; false if it is not valid. */
bool layout_finish(const struct layout *layout, struct layout_error *error);

/* Sets *result to the subtree of `from` at `node`, without swizzle and offset. */
void layout_subtree(const struct layout *from, int node, struct layout *result);

/* True if the layout has no swizzle and no offset; otherwise fills *error. */
bool layout_need_plain(const struct layout *layout, int operand, struct layout_error *error);

/* Lists the modes of `a` with a size above 1 and a stride above 0, coalesced and sorted by stride;
 * the list can be empty. place[i] is mode i's stride in the domain, the product of the sizes before
 * it. */
void layout_sorted_modes(const struct layout *a, struct flat *flat, int64_t *place);

static inline bool layout_is_plain(const struct layout *layout)
{
    return layout->swizzle.bits == 0 && layout->offset == 0;
}

#endif
