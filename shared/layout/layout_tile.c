/*
 * Divides and multiplies layouts, by mode or as a whole; gives blocks their tiles and threads their
 * elements.
 */
#include "layout_internal.h"

#include <string.h>

/* ---- by mode ----------------------------------------------------------------------------- */

typedef bool (*binary)(const struct layout *a, const struct layout *b, struct layout *result,
                       struct layout_error *error);

/* Appends operation(a, tiler) to `made`, mode by mode if the tiler is by mode. `node` is the current
 * node of `a`; *at, the tiler's node, moves past its subtree. If `keep`, modes of `a` beyond the
 * tiler's stay. */
static bool by_mode(binary operation, bool keep, const struct layout *a, int node,
                    const struct tiler *tiler, int *at, struct layout *made,
                    struct layout_error *error)
{
    int here = *at, rank = a->shape.rank[node], modes = tiler->layout.shape.rank[here];
    int end = layout_skip(&a->shape, node);

    if (tiler->kind[here] == TILER_BY_MODE) {
        if (modes > (rank ? rank : 1))
            return layout_fail(error, 1, here, "%d tilers for a layout of rank %d", modes,
                               rank ? rank : 1);
        if (rank) /* an integer is its own mode */
            ++node;
        ++*at;
        if (!layout_put_tuple(made, keep && rank ? rank : modes, error))
            return false;
        for (int i = 0; i < modes; ++i, node = layout_skip(&a->shape, node))
            if (!by_mode(operation, keep, a, node, tiler, at, made, error))
                return false;
        for (; keep && node < end; node = layout_skip(&a->shape, node))
            if (!layout_put_tree(made, a, node, error))
                return false;
        return true;
    }
    *at = layout_skip(&tiler->layout.shape, here);
    if (tiler->kind[here] == TILER_SKIP)
        return layout_put_tree(made, a, node, error);

    struct layout mode, tile, done;
    layout_subtree(a, node, &mode);
    layout_subtree(&tiler->layout, here, &tile);
    if (!operation(&mode, &tile, &done, error)) {
        if (error && error->node >= 0) /* convert the mode's node to a node of the whole operand */
            error->node += error->operand == 1 ? here : error->operand == 0 ? node : 0;
        return false;
    }
    return layout_put_tree(made, &done, 0, error);
}

static bool apply_by_mode(binary operation, bool keep, const struct layout *a,
                          const struct tiler *tiler, struct layout *result,
                          struct layout_error *error)
{
    struct layout made;
    int at = 0;

    if (!layout_need_plain(&tiler->layout, 1, error))
        return false;
    layout_begin(&made);
    made.swizzle = a->swizzle; /* a swizzle follows the layout, so it stays as it is */
    made.offset = a->offset;
    if (!by_mode(operation, keep, a, 0, tiler, &at, &made, error) || !layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

bool layout_compose_tiler(const struct layout *a, const struct tiler *tiler, struct layout *result,
                          struct layout_error *error)
{
    if (tiler->kind[0] == TILER_LAYOUT)
        return layout_compose(a, &tiler->layout, result, error);
    return apply_by_mode(layout_compose, false, a, tiler, result, error);
}

/* ---- division and product ---------------------------------------------------------------- */

static bool pair(const struct layout *first, const struct layout *second, struct layout *result,
                 struct layout_error *error)
{
    struct layout made;

    layout_begin(&made);
    if (!layout_put_tuple(&made, 2, error) || !layout_put_tree(&made, first, 0, error) ||
        !layout_put_tree(&made, second, 0, error) || !layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

/* Makes the error of an inner step, which is about a layout that the caller never wrote, point at
 * the tiler as a whole. Returns `ok`. */
static bool blame_tiler(bool ok, struct layout_error *error)
{
    if (!ok && error) {
        error->operand = 1;
        error->node = 0;
    }
    return ok;
}

static bool logical_divide(const struct layout *a, const struct layout *tiler,
                           struct layout *result, struct layout_error *error)
{
    struct layout rest, both;

    return blame_tiler(layout_complement(tiler, layout_size(a), &rest, error) &&
                           pair(tiler, &rest, &both, error) &&
                           layout_compose(a, &both, result, error),
                       error);
}

static bool logical_product(const struct layout *block, const struct layout *tiler,
                            struct layout *result, struct layout_error *error)
{
    struct layout rest, grid;
    int64_t extent;

    if (!layout_multiply(layout_size(block), layout_cosize(tiler), &extent))
        return layout_fail(error, 1, 0, "overflow: the product's extent exceeds 2^62");
    if (!layout_complement(block, extent, &rest, error))
        return false;
    /* CuTe's extent is too small for a block with holes: past its last shift the complement would
     * continue with copies that overlap the block. Use a larger extent. */
    if (layout_size(&rest) < layout_cosize(tiler) &&
        (!layout_multiply(extent / layout_size(block), layout_cosize(block), &extent) ||
         !layout_multiply(extent, 2, &extent) || !layout_complement(block, extent, &rest, NULL)))
        return layout_fail(error, 1, 0, "overflow: the product's extent exceeds 2^62");
    return blame_tiler(
        layout_compose(&rest, tiler, &grid, error) && pair(block, &grid, result, error), error);
}

/* Appends one side of a division or product by mode, ((t0,r0),(t1,r1),m2), to `made`: the tiles
 * (t0,t1) if tile_side, else the rest (r0,r1,m2). A mode that the tiler skips belongs to the rest;
 * its tile is 1:0. */
static bool unzip(const struct layout *from, int node, const struct tiler *tiler, int at,
                  bool tile_side, struct layout *made, struct layout_error *error)
{
    int end = layout_skip(&from->shape, node), first = node + 1;
    int modes = tiler->layout.shape.rank[at];

    if (tiler->kind[at] == TILER_SKIP)
        return tile_side ? layout_put_mode(made, 1, 0, error)
                         : layout_put_tree(made, from, node, error);
    if (tiler->kind[at] == TILER_LAYOUT)
        return layout_put_tree(made, from, tile_side ? first : layout_skip(&from->shape, first),
                               error);
    if (!layout_put_tuple(made, tile_side ? modes : from->shape.rank[node], error))
        return false;
    ++node, ++at;
    for (int i = 0; i < modes; ++i) {
        if (!unzip(from, node, tiler, at, tile_side, made, error))
            return false;
        node = layout_skip(&from->shape, node);
        at = layout_skip(&tiler->layout.shape, at);
    }
    for (; !tile_side && node < end; node = layout_skip(&from->shape, node))
        if (!layout_put_tree(made, from, node, error))
            return false;
    return true;
}

/* Appends the modes of the tree at `node`, without the tuple around them. */
static bool put_unpacked(struct layout *made, const struct layout *from, int node,
                         struct layout_error *error)
{
    int end = layout_skip(&from->shape, node);

    for (node += from->shape.rank[node] ? 1 : 0; node < end; node = layout_skip(&from->shape, node))
        if (!layout_put_tree(made, from, node, error))
            return false;
    return true;
}

/* Converts a logical result to another form. */
static bool rearrange(const struct layout *logical, const struct tiler *tiler,
                      enum layout_form form, struct layout *result, struct layout_error *error)
{
    struct layout tile, rest, made;
    int tile_rank, rest_rank;

    if (form == LAYOUT_LOGICAL) {
        *result = *logical;
        return true;
    }
    layout_begin(&tile);
    layout_begin(&rest);
    layout_begin(&made);
    made.swizzle = logical->swizzle;
    made.offset = logical->offset;
    if (!unzip(logical, 0, tiler, 0, true, &tile, error) ||
        !unzip(logical, 0, tiler, 0, false, &rest, error))
        return false;
    tile_rank = form == LAYOUT_FLAT ? layout_rank(&tile) : 1;
    rest_rank = form != LAYOUT_ZIPPED ? layout_rank(&rest) : 1;
    if (!layout_put_tuple(&made, tile_rank + rest_rank, error) ||
        !(form == LAYOUT_FLAT ? put_unpacked(&made, &tile, 0, error)
                              : layout_put_tree(&made, &tile, 0, error)) ||
        !(form != LAYOUT_ZIPPED ? put_unpacked(&made, &rest, 0, error)
                                : layout_put_tree(&made, &rest, 0, error)) ||
        !layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

bool layout_divide(const struct layout *a, const struct tiler *tiler, enum layout_form form,
                   struct layout *result, struct layout_error *error)
{
    struct layout logical;

    if (form == LAYOUT_BLOCKED || form == LAYOUT_RAKED)
        return layout_fail(error, -1, -1, "a division is logical, zipped, tiled or flat");
    return apply_by_mode(logical_divide, true, a, tiler, &logical, error) &&
           rearrange(&logical, tiler, form, result, error);
}

/* Makes the layout with modes 1:0 appended until it has `rank` modes. */
static bool pad(const struct layout *layout, int rank, struct layout *result,
                struct layout_error *error)
{
    struct layout made;
    int modes = layout_rank(layout);

    if (modes >= rank) {
        *result = *layout;
        return true;
    }
    layout_begin(&made);
    if (!layout_put_tuple(&made, rank, error) || !put_unpacked(&made, layout, 0, error))
        return false;
    for (; modes < rank; ++modes)
        if (!layout_put_mode(&made, 1, 0, error))
            return false;
    *result = made;
    return true;
}

/* Makes the blocked product ((b0,t0),(b1,t1)) or the raked product ((t0,b0),(t1,b1)), with each mode
 * coalesced; b is the block, t the tiler. */
static bool ranked_product(const struct layout *block, const struct layout *tiler, bool raked,
                           struct layout *result, struct layout_error *error)
{
    int rank = layout_rank(block) > layout_rank(tiler) ? layout_rank(block) : layout_rank(tiler);
    struct layout inner = *block, grid, both, made;
    int first, second;

    if (!layout_need_plain(tiler, 1, error))
        return false;
    inner.swizzle = (struct swizzle){0, 0, 0};
    inner.offset = 0;
    if (!pad(&inner, rank, &inner, error) || !pad(tiler, rank, &grid, error) ||
        !logical_product(&inner, &grid, &both, error))
        return false;
    first = 1;
    second = layout_skip(&both.shape, first);
    layout_begin(&made);
    if (rank > 1) {
        ++first, ++second; /* skip the tuples: pair their modes */
        if (!layout_put_tuple(&made, rank, error))
            return false;
    }
    for (int i = 0; i < rank; ++i) {
        if (!layout_put_tuple(&made, 2, error) ||
            !layout_put_tree(&made, &both, raked ? second : first, error) ||
            !layout_put_tree(&made, &both, raked ? first : second, error))
            return false;
        first = layout_skip(&both.shape, first);
        second = layout_skip(&both.shape, second);
    }
    made.swizzle = block->swizzle;
    made.offset = block->offset;
    if (!layout_finish(&made, error))
        return false;
    if (rank > 1)
        return layout_coalesce_modes(&made, result, error);
    /* A product of rank 1 keeps rank 1, even if its mode does not coalesce to an integer. */
    if (!layout_coalesce(&made, &both, error))
        return false;
    layout_begin(&made);
    made.swizzle = both.swizzle;
    made.offset = both.offset;
    if ((both.shape.rank[0] && !layout_put_tuple(&made, 1, error)) ||
        !layout_put_tree(&made, &both, 0, error) || !layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

bool layout_product(const struct layout *block, const struct tiler *tiler, enum layout_form form,
                    struct layout *result, struct layout_error *error)
{
    struct layout logical;

    if (form == LAYOUT_BLOCKED || form == LAYOUT_RAKED) {
        if (tiler->kind[0] != TILER_LAYOUT)
            return layout_fail(error, 1, 0,
                               "a %s product needs a layout, strides and all, not a tiler by mode",
                               form == LAYOUT_RAKED ? "raked" : "blocked");
        return ranked_product(block, &tiler->layout, form == LAYOUT_RAKED, result, error);
    }
    return apply_by_mode(logical_product, true, block, tiler, &logical, error) &&
           rearrange(&logical, tiler, form, result, error);
}

/* ---- tiles for blocks, elements for threads ---------------------------------------------- */

/* Appends `_` to a coordinate, for an integer mode (rank 0) or for each mode of a tuple. */
static bool put_all(struct int_tuple *coordinate, int rank)
{
    if (coordinate->nodes + rank + 1 > LAYOUT_MAX_NODES)
        return false;
    coordinate->rank[coordinate->nodes] = rank;
    coordinate->value[coordinate->nodes++] = rank ? 0 : LAYOUT_ALL;
    for (int i = 0; i < rank; ++i)
        coordinate->value[coordinate->nodes++] = LAYOUT_ALL;
    return true;
}

/* Appends `given`; if it is a tuple of fewer than `rank` elements, fills it up with `_`. */
static bool put_given(struct int_tuple *coordinate, const struct int_tuple *given, int rank)
{
    int first = coordinate->nodes, missing = given->rank[0] ? rank - given->rank[0] : 0;

    missing = missing < 0 ? 0 : missing;
    if (first + given->nodes + missing > LAYOUT_MAX_NODES)
        return false;
    for (int i = 0; i < given->nodes; ++i) {
        coordinate->rank[coordinate->nodes] = given->rank[i];
        coordinate->value[coordinate->nodes++] = given->value[i];
    }
    coordinate->rank[first] += missing;
    for (int i = 0; i < missing; ++i)
        coordinate->value[coordinate->nodes++] = LAYOUT_ALL;
    return true;
}

/* Slices a zipped division at the coordinate `fixed`, of the position within the tile (which = 0) or
 * of the tile (which = 1). The other mode stays whole, unpacked into its modes. */
static bool slice_zipped(const struct layout *zipped, int which, const struct int_tuple *fixed,
                         struct layout *result, int64_t *offset, struct layout_error *error)
{
    struct int_tuple coordinate;

    memset(&coordinate, 0, sizeof coordinate);
    coordinate.rank[coordinate.nodes++] = 2;
    for (int mode = 0, node = 1; mode < 2; ++mode, node = layout_skip(&zipped->shape, node)) {
        int rank = zipped->shape.rank[node];
        if (!(mode == which ? put_given(&coordinate, fixed, rank) : put_all(&coordinate, rank)))
            return layout_fail(error, 2, 0, "the coordinate has too many elements");
    }
    if (layout_slice(zipped, &coordinate, result, offset, error))
        return true;
    if (error && error->operand == 1) {
        error->operand = 2;
        error->node = 0;
    }
    return false;
}

bool layout_local_tile(const struct layout *a, const struct tiler *tiler,
                       const struct int_tuple *coordinate, struct layout *result, int64_t *offset,
                       struct layout_error *error)
{
    struct layout zipped;

    return layout_divide(a, tiler, LAYOUT_ZIPPED, &zipped, error) &&
           slice_zipped(&zipped, 1, coordinate, result, offset, error);
}

bool layout_local_partition(const struct layout *a, const struct layout *threads, int64_t index,
                            struct layout *result, int64_t *offset, struct layout_error *error)
{
    struct int_tuple coordinate;
    struct tiler tiler;
    struct layout zipped;
    int64_t reached = 0;

    if (!layout_need_plain(threads, 1, error))
        return false;
    /* The tiler gets the size of each top-level mode, and the coordinate the thread's 1-D coordinate
     * in that mode. The coordinates are the digits of the thread number, in the places given by the
     * strides. */
    memset(&tiler, 0, sizeof tiler);
    memset(&coordinate, 0, sizeof coordinate);
    if (threads->shape.rank[0]) {
        layout_put_tuple(&tiler.layout, threads->shape.rank[0], NULL);
        tiler.kind[0] = TILER_BY_MODE;
        coordinate.rank[coordinate.nodes++] = threads->shape.rank[0];
    }
    for (int node = threads->shape.rank[0] ? 1 : 0; node < threads->shape.nodes;) {
        int end = layout_skip(&threads->shape, node);
        int64_t size = 1, place = 0;
        for (; node < end; ++node) {
            int64_t shape = threads->shape.value[node], stride = threads->stride.value[node];
            if (threads->shape.rank[node])
                continue;
            if (stride > 0 && index >= 0) {
                int64_t digit = index / stride % shape;
                reached += digit * stride;
                place += digit * size;
            }
            size *= shape;
        }
        layout_put_mode(&tiler.layout, size, 1, NULL);
        coordinate.value[coordinate.nodes++] = place;
    }
    if (index < 0 || reached != index)
        return layout_fail(error, 2, 0, "the thread layout has no thread %lld", (long long)index);
    return layout_divide(a, &tiler, LAYOUT_ZIPPED, &zipped, error) &&
           slice_zipped(&zipped, 0, &coordinate, result, offset, error);
}

/* True if the layout maps to each of the offsets 0 to size - 1 once. */
static bool is_permutation(const struct layout *layout)
{
    int64_t place[LAYOUT_MAX_NODES], next = 1;
    struct flat modes;

    layout_sorted_modes(layout, &modes, place);
    for (int i = 0; i < modes.count; ++i) {
        if (modes.stride[i] != next)
            return false;
        next *= modes.shape[i];
    }
    return next == layout_size(layout);
}

bool layout_tiled_copy(const struct layout *threads, const struct layout *values,
                       struct layout *owner, struct layout *thread_value,
                       struct layout_error *error)
{
    const struct layout *operand[] = {threads, values};
    struct layout elements, numbering, table;
    struct tiler tiler;

    for (int i = 0; i < 2; ++i)
        if (!layout_need_plain(operand[i], i, error))
            return false;
        else if (!is_permutation(operand[i]))
            return layout_fail(error, i, 0, "a layout of %s must number them 0, 1, 2, ...",
                               i ? "values" : "threads");
    layout_as_tiler(values, &tiler);
    if (!layout_product(threads, &tiler, LAYOUT_RAKED, &elements, error))
        return false;
    /* The inverse maps thread + threads * value to the element; the composition gives it the two modes
     * (thread, value). */
    layout_begin(&numbering);
    layout_put_tuple(&numbering, 2, NULL);
    layout_put_mode(&numbering, layout_size(threads), 1, NULL);
    layout_put_mode(&numbering, layout_size(values), layout_size(threads), NULL);
    if (!layout_finish(&numbering, error) || !layout_right_inverse(&elements, &table, error) ||
        !layout_compose(&table, &numbering, thread_value, error))
        return false;
    *owner = elements;
    return true;
}
