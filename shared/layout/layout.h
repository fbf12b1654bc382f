/*
 * Implements CuTe's layout algebra in plain C.
 *
 * A layout is a function from coordinates to offsets, given by a shape and a stride of the same
 * nesting: (4,8):(8,1) takes (row, col) to 8 * row + col. Layouts can be evaluated, composed,
 * inverted, divided into tiles and multiplied into larger ones. A swizzle, an exclusive-or of offset
 * bits, can follow a layout. Names and results are those of NVIDIA's CuTe (CUTLASS 3 and 4); README.md
 * lists where CuTe's result would be wrong and this library refuses.
 *
 * Structs are plain values, copied by assignment: nothing is allocated, nothing is global. An output
 * may be the same object as an input.
 *
 * Units: shapes, strides, coordinates and offsets all count elements, never bytes.
 *
 * Errors: a function that can fail returns false, leaves its outputs unchanged, and fills
 * *error (which may be NULL).
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAYOUT_MAX_NODES 64               /* integers plus pairs of parentheses in a shape */
#define LAYOUT_MAX_DEPTH 16               /* parentheses within parentheses */
#define LAYOUT_MAX_INT (INT64_C(1) << 62) /* bound on every integer, size and cosize */
#define LAYOUT_TEXT 4096                  /* bytes that hold any printed layout */

struct layout_error {
    char message[240];
    int offset;  /* parse errors: the index of the wrong byte; otherwise -1 */
    int operand; /* operations: the index of the wrong argument, from 0; otherwise -1 */
    int node;    /* operations: the wrong node of that argument's shape, or -1 */
};

/*
 * An integer, or a tuple of int_tuples, stored in preorder. Node 0 is the root. A node with rank r > 0
 * is a tuple whose r elements follow it; a node with rank 0 is the integer `value`. For (2,(3,4)), rank
 * is 2 0 2 0 0 and value is . 2 . 3 4. Empty tuples do not exist.
 */
struct int_tuple {
    int nodes;
    int rank[LAYOUT_MAX_NODES];
    int64_t value[LAYOUT_MAX_NODES];
};

#define LAYOUT_ALL (-1) /* the coordinate `_`: all of a mode */

/* Swizzle<bits, base, shift>: XORs `bits` bits of an offset, from bit base + shift up, into the
 * bits from base up; with a negative shift, the bits from base up into those from base - shift up.
 * |shift| >= bits. If bits == 0, it changes nothing, and base and shift are 0. */
struct swizzle {
    int bits, base, shift;
};

/*
 * The function c -> swizzle(offset + sum of coordinate * stride). Shape and stride have the same
 * ranks node by node; shapes are at least 1, strides at least 0. If bits and offset are 0, CuTe calls
 * it a Layout, otherwise a ComposedLayout, printed Sw<bits,base,shift> o offset o layout.
 */
struct layout {
    struct swizzle swizzle;
    int64_t offset;
    struct int_tuple shape, stride;
};

/* The right operand of a division or product: a layout, or a list with a tiler for each mode.
 * kind is indexed like the nodes of layout.shape. */
enum tiler_kind { TILER_LAYOUT, TILER_BY_MODE, TILER_SKIP };
struct tiler {
    struct layout layout;
    unsigned char kind[LAYOUT_MAX_NODES];
};

/* ---- int_tuples -------------------------------------------------------------------------- */

int int_tuple_rank(const struct int_tuple *tuple);  /* elements at the top; 1 for an integer */
int int_tuple_depth(const struct int_tuple *tuple); /* 0 for an integer */

/* ---- construction and properties --------------------------------------------------------- */

/* Makes the layout shape:stride. Refused: different nesting, a shape below 1, a stride below 0, nesting
 * or node count over the limits, a size or cosize over LAYOUT_MAX_INT. */
bool layout_make(const struct int_tuple *shape, const struct int_tuple *stride,
                 struct layout *result, struct layout_error *error);

/* Make the layout of a shape with compact strides. Column-major: the first mode is fastest (CuTe's
 * LayoutLeft, its default); row-major: the last mode (LayoutRight). Nested modes count as if
 * flattened. */
bool layout_column_major(const struct int_tuple *shape, struct layout *result,
                         struct layout_error *error);
bool layout_row_major(const struct int_tuple *shape, struct layout *result,
                      struct layout_error *error);

int layout_rank(const struct layout *layout);
int layout_depth(const struct layout *layout);
int64_t layout_size(const struct layout *layout); /* coordinates in the domain */

/* Returns one more than the largest offset before any swizzle (as CuTe). Offsets after a swizzle can be
 * larger, unless the cosize is a multiple of the power of two that covers the swizzle's bits. */
int64_t layout_cosize(const struct layout *layout);

/* Makes a layout of mode `mode` alone, 0 <= mode < rank (an integer is its own mode 0), without
 * swizzle and offset. */
bool layout_mode(const struct layout *layout, int mode, struct layout *result,
                 struct layout_error *error);

/* ---- layouts as functions ---------------------------------------------------------------- */

/* Returns the offset at a 1-D coordinate, counted with the first mode fastest. Past the size the last
 * mode continues, as in CuTe. Returns -1 if index is negative or the offset exceeds LAYOUT_MAX_INT. */
int64_t layout_at(const struct layout *layout, int64_t index);

/* Sets *offset to the offset at a coordinate: an integer, or a tuple with a coordinate for each mode.
 * Refused: a wrong rank, a coordinate outside the shape, a `_`. */
bool layout_map(const struct layout *layout, const struct int_tuple *coordinate, int64_t *offset,
                struct layout_error *error);

/* Sets *coordinate, nested like the shape, to the equivalent of the 1-D coordinate 0 <= index <
 * size. */
bool layout_coordinate(const struct layout *layout, int64_t index, struct int_tuple *coordinate,
                       struct layout_error *error);

/* Makes the layout of the modes where the coordinate has `_`, with the other modes fixed. Sets
 * *offset to the slice's first offset. If the layout has a swizzle, *offset is 0 and the start is in
 * result->offset, because it must be added before the swizzle. Refused: as layout_map, and a
 * coordinate without a `_`. */
bool layout_slice(const struct layout *layout, const struct int_tuple *coordinate,
                  struct layout *result, int64_t *offset, struct layout_error *error);

/* Sets *equal to true if a and b are the same function of a 1-D coordinate (same size, same
 * offsets); otherwise sets *index to the first index at which they differ (the smaller size if one
 * continues the other). If their swizzles differ, compares offset by offset, and refuses more than
 * 2^26 equal offsets. */
bool layout_equal(const struct layout *a, const struct layout *b, bool *equal, int64_t *index,
                  struct layout_error *error);

int64_t swizzle_apply(struct swizzle swizzle, int64_t offset); /* 0 <= offset < LAYOUT_MAX_INT */

/* Makes the layout followed by the swizzle. Refused: |shift| < bits, a negative bits or base, bits
 * beyond bit 61, and a layout that has a swizzle or an offset already. */
bool layout_swizzle(struct swizzle swizzle, const struct layout *layout, struct layout *result,
                    struct layout_error *error);

/* ---- the algebra (layout_algebra.c) ------------------------------------------------------ */

/* Makes the layout with the fewest modes that is the same function of a 1-D coordinate. */
bool layout_coalesce(const struct layout *a, struct layout *result, struct layout_error *error);
/* Coalesces each top-level mode by itself. */
bool layout_coalesce_modes(const struct layout *a, struct layout *result,
                           struct layout_error *error);

/* Composes a after b: result(c) = a(b(c)), with b's shape (a mode of b can split). Refused, with the
 * reason: if no layout is that function, or CuTe's divisibility conditions fail; a swizzled b, unless
 * a is n:1. */
bool layout_compose(const struct layout *a, const struct layout *b, struct layout *result,
                    struct layout_error *error);

/* Composes `a` after a tiler. By mode, modes of `a` beyond the tiler's are dropped; `_` keeps a
 * mode. */
bool layout_compose_tiler(const struct layout *a, const struct tiler *tiler, struct layout *result,
                          struct layout_error *error);

/* Makes the layout of shifts by which copies of `a` are disjoint and fill an extent, in increasing
 * order. Holes into which no copy fits (padding) stay holes. If the extent is no multiple of the
 * span of `a` and its copies, the last copies exceed it. extent >= 1; extent 0 stands for cosize(a).
 * Refused: a swizzled `a`, and modes of `a` that overlap or interleave (modes of stride 0 excepted). */
bool layout_complement(const struct layout *a, int64_t extent, struct layout *result,
                       struct layout_error *error);

/* Makes the largest layout with a(result(i)) == i for every i < size(result). Refused: swizzled layouts
 * other than a swizzle of n:1. */
bool layout_right_inverse(const struct layout *a, struct layout *result,
                          struct layout_error *error);
/* Makes a layout with result(a(i)) == i for every i < size(a). Refused: swizzled layouts other than a
 * swizzle of n:1; an `a` that is not injective, or has holes that no complement fills. */
bool layout_left_inverse(const struct layout *a, struct layout *result, struct layout_error *error);

/* ---- division and product (layout_tile.c) ------------------------------------------------- */

/*
 * A division is a after (tiler, complement of tiler in size(a)): the first mode is the position within
 * a tile, the second the tile's number. By mode with tiler <t0,t1> of a rank-3 layout, where a/t is the
 * tile's number:
 *   logical ((t0,a0/t0),(t1,a1/t1),a2)      zipped ((t0,t1),(a0/t0,a1/t1,a2))
 *   tiled   ((t0,t1),a0/t0,a1/t1,a2)        flat   (t0,t1,a0/t0,a1/t1,a2)
 * A product is (block, complement of block after tiler): it repeats the block at the tiler's positions.
 *   blocked: each copy of the block stays together; raked: the copies interleave.
 */
enum layout_form {
    LAYOUT_LOGICAL,
    LAYOUT_ZIPPED,
    LAYOUT_TILED,
    LAYOUT_FLAT,
    LAYOUT_BLOCKED,
    LAYOUT_RAKED
};
/* Divides `a` into tiles. form: logical, zipped, tiled or flat. */
bool layout_divide(const struct layout *a, const struct tiler *tiler, enum layout_form form,
                   struct layout *result, struct layout_error *error);
/* Repeats a block. form: any; blocked and raked take a layout as tiler, not a tiler by mode. */
bool layout_product(const struct layout *block, const struct tiler *tiler, enum layout_form form,
                    struct layout *result, struct layout_error *error);

/* CuTe's local_tile: makes the layout of the tile at `coordinate` of the zipped division; `_` keeps
 * a mode of tiles. Sets *offset as layout_slice does. */
bool layout_local_tile(const struct layout *a, const struct tiler *tiler,
                       const struct int_tuple *coordinate, struct layout *result, int64_t *offset,
                       struct layout_error *error);

/* CuTe's local_partition: makes the layout of the elements of `a` that thread `index` owns if the
 * threads' shape tiles `a`. `threads` maps coordinates to thread numbers; refused if it has no
 * thread `index`. Sets *offset as layout_slice does. */
bool layout_local_partition(const struct layout *a, const struct layout *threads, int64_t index,
                            struct layout *result, int64_t *offset, struct layout_error *error);

/* Makes a tiled copy as CuTe's make_tiled_copy does. *owner maps a tile coordinate to thread number +
 * size(threads) * value number; *thread_value maps (thread, value) to a 1-D coordinate of the tile.
 * Refused: layouts that do not number the threads or values 0, 1, 2, ... */
bool layout_tiled_copy(const struct layout *threads, const struct layout *values,
                       struct layout *owner, struct layout *thread_value,
                       struct layout_error *error);

/* ---- text (layout_text.c) ---------------------------------------------------------------- */

/*
 * CuTe's notation. Blanks may stand between any two symbols.
 *   tuple  = integer | "(" tuple { "," tuple } ")"        integer: 8, or as CuTe prints it, _8
 *   plain  = tuple [ ":" tuple ]                           without strides: column-major
 *   layout = plain | swizzle "o" integer "o" plain
 *   swizzle = ("Sw" | "Swizzle") "<" bits "," base "," shift ">"
 *   tiler  = "_" | plain | "<" tiler { "," tiler } ">"     a bare tuple is by mode: (2,4) = <2,4>
 *   coordinate = tuple, with "_" where all of a mode is meant
 * error->offset is the byte of the first error.
 */
bool layout_parse(const char *text, struct layout *result, struct layout_error *error);
bool layout_parse_tiler(const char *text, struct tiler *result, struct layout_error *error);
bool layout_parse_coordinate(const char *text, struct int_tuple *result,
                             struct layout_error *error);
bool layout_parse_swizzle(const char *text, struct swizzle *result, struct layout_error *error);

/* Print into text[size] like snprintf: truncate to fit, always terminate, return the length of the
 * whole text. The text parses back to the same layout or tuple. */
int layout_print(const struct layout *layout, char *text, size_t size);
int int_tuple_print(const struct int_tuple *tuple, char *text, size_t size);

/* Makes the tiler that consists of this plain layout. */
void layout_as_tiler(const struct layout *layout, struct tiler *result);

#endif
