/*
 * Builds, checks, evaluates, slices, compares and swizzles layouts. The algebra is in layout_algebra.c,
 * the notation in layout_text.c.
 */
#include "layout_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool layout_fail(struct layout_error *error, int operand, int node, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        error->offset = -1;
        error->operand = operand;
        error->node = node;
    }
    return false;
}

bool layout_multiply(int64_t a, int64_t b, int64_t *result)
{
    if (a != 0 && b > LAYOUT_MAX_INT / a)
        return false;
    *result = a * b;
    return true;
}

bool layout_add(int64_t a, int64_t b, int64_t *result)
{
    if (b > LAYOUT_MAX_INT - a)
        return false;
    *result = a + b;
    return true;
}

/* ---- int_tuples -------------------------------------------------------------------------- */

int int_tuple_rank(const struct int_tuple *tuple) { return tuple->rank[0] ? tuple->rank[0] : 1; }

/* Returns the depth of the subtree at *node and moves *node past it. On a malformed tree the result
 * is too deep, or *node ends past the last node; layout_finish checks both. */
static int depth_at(const struct int_tuple *tuple, int *node, int above)
{
    int elements = *node < tuple->nodes ? tuple->rank[*node] : 0;
    int deepest = 0;

    ++*node;
    if (elements && above >= LAYOUT_MAX_DEPTH)
        return LAYOUT_MAX_DEPTH + 1 - above;
    for (int i = 0; i < elements && *node < tuple->nodes; ++i) {
        int depth = depth_at(tuple, node, above + 1);
        if (depth > deepest)
            deepest = depth;
    }
    return elements ? deepest + 1 : 0;
}

int int_tuple_depth(const struct int_tuple *tuple)
{
    int node = 0;
    return depth_at(tuple, &node, 0);
}

int layout_skip(const struct int_tuple *tuple, int node)
{
    /* Each node fills one open place and opens `rank` new ones. */
    for (int places = 1; places > 0 && node < tuple->nodes; ++node)
        places += tuple->rank[node] - 1;
    return node;
}

/* ---- building ---------------------------------------------------------------------------- */

void layout_begin(struct layout *layout) { memset(layout, 0, sizeof *layout); }

static bool put(struct layout *layout, int rank, int64_t shape, int64_t stride,
                struct layout_error *error)
{
    int node = layout->shape.nodes;

    if (node == LAYOUT_MAX_NODES)
        return layout_fail(error, -1, -1,
                           "too many modes: integers and parentheses may number %d together",
                           LAYOUT_MAX_NODES);
    layout->shape.rank[node] = layout->stride.rank[node] = rank;
    layout->shape.value[node] = shape;
    layout->stride.value[node] = stride;
    layout->shape.nodes = layout->stride.nodes = node + 1;
    return true;
}

bool layout_put_tuple(struct layout *layout, int rank, struct layout_error *error)
{
    return put(layout, rank, 0, 0, error);
}

bool layout_put_mode(struct layout *layout, int64_t shape, int64_t stride,
                     struct layout_error *error)
{
    return put(layout, 0, shape, stride, error);
}

bool layout_put_tree(struct layout *layout, const struct layout *from, int node,
                     struct layout_error *error)
{
    int end = layout_skip(&from->shape, node);

    for (; node < end; ++node)
        if (!put(layout, from->shape.rank[node], from->shape.value[node], from->stride.value[node],
                 error))
            return false;
    return true;
}

bool layout_put_flat(struct layout *layout, const struct flat *flat, struct layout_error *error)
{
    if (flat->count != 1 && !layout_put_tuple(layout, flat->count, error))
        return false;
    for (int i = 0; i < flat->count; ++i)
        if (!layout_put_mode(layout, flat->shape[i], flat->stride[i], error))
            return false;
    return true;
}

bool layout_finish(const struct layout *layout, struct layout_error *error)
{
    const struct int_tuple *shape = &layout->shape, *stride = &layout->stride;
    int64_t size = 1, last = layout->offset, extent;

    if (shape->nodes < 1 || shape->nodes > LAYOUT_MAX_NODES ||
        int_tuple_depth(shape) > LAYOUT_MAX_DEPTH || layout_skip(shape, 0) != shape->nodes)
        return layout_fail(error, -1, -1,
                           "parentheses may nest %d deep and, with the integers, number %d",
                           LAYOUT_MAX_DEPTH, LAYOUT_MAX_NODES);
    /* Two different trees in preorder differ at a node that both have. */
    for (int i = 0; i < shape->nodes; ++i) {
        if (stride->rank[i] != shape->rank[i])
            return layout_fail(error, -1, i, "the stride is not nested like the shape");
        if (shape->rank[i])
            continue;
        if (shape->value[i] < 1)
            return layout_fail(error, -1, i, "a shape must be at least 1");
        if (stride->value[i] < 0)
            return layout_fail(error, -1, i, "a stride must not be negative");
        if (!layout_multiply(size, shape->value[i], &size))
            return layout_fail(error, -1, i, "overflow: the size exceeds 2^62");
        if (!layout_multiply(shape->value[i] - 1, stride->value[i], &extent) ||
            !layout_add(last, extent, &last) || last >= LAYOUT_MAX_INT ||
            stride->value[i] > LAYOUT_MAX_INT)
            return layout_fail(error, -1, i, "overflow: the largest offset exceeds 2^62 - 1");
    }
    return true;
}

bool layout_make(const struct int_tuple *shape, const struct int_tuple *stride,
                 struct layout *result, struct layout_error *error)
{
    struct layout made;

    layout_begin(&made);
    made.shape = *shape;
    made.stride = *stride;
    if (!layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

/* Makes a layout with compact strides: the first integer of the shape is fastest if `forward`, else
 * the last. */
static bool compact(const struct int_tuple *shape, bool forward, struct layout *result,
                    struct layout_error *error)
{
    struct int_tuple stride = *shape;
    int64_t next = 1;

    for (int i = 0; i < shape->nodes && i < LAYOUT_MAX_NODES; ++i) {
        int node = forward ? i : shape->nodes - 1 - i;
        if (shape->rank[node])
            continue;
        if (shape->value[node] < 1)
            return layout_fail(error, 0, node, "a shape must be at least 1");
        stride.value[node] = next;
        if (!layout_multiply(next, shape->value[node], &next))
            return layout_fail(error, 0, node, "overflow: the size exceeds 2^62");
    }
    return layout_make(shape, &stride, result, error);
}

bool layout_column_major(const struct int_tuple *shape, struct layout *result,
                         struct layout_error *error)
{
    return compact(shape, true, result, error);
}

bool layout_row_major(const struct int_tuple *shape, struct layout *result,
                      struct layout_error *error)
{
    return compact(shape, false, result, error);
}

/* ---- properties -------------------------------------------------------------------------- */

int layout_rank(const struct layout *layout) { return int_tuple_rank(&layout->shape); }

int layout_depth(const struct layout *layout) { return int_tuple_depth(&layout->shape); }

/* Returns the product of the integers under `node` of a checked shape. */
static int64_t size_at(const struct int_tuple *shape, int node)
{
    int end = layout_skip(shape, node);
    int64_t size = 1;

    for (; node < end; ++node)
        if (!shape->rank[node])
            size *= shape->value[node];
    return size;
}

int64_t layout_size(const struct layout *layout) { return size_at(&layout->shape, 0); }

int64_t layout_cosize(const struct layout *layout)
{
    int64_t last = layout->offset;

    for (int i = 0; i < layout->shape.nodes; ++i)
        if (!layout->shape.rank[i])
            last += (layout->shape.value[i] - 1) * layout->stride.value[i];
    return last + 1;
}

void layout_flatten(const struct layout *layout, struct flat *flat)
{
    flat->count = 0;
    for (int i = 0; i < layout->shape.nodes; ++i)
        if (!layout->shape.rank[i]) {
            flat->shape[flat->count] = layout->shape.value[i];
            flat->stride[flat->count++] = layout->stride.value[i];
        }
}

void layout_subtree(const struct layout *from, int node, struct layout *result)
{
    struct layout made;

    layout_begin(&made);
    layout_put_tree(&made, from, node, NULL); /* a part of a layout fits */
    *result = made;
}

bool layout_mode(const struct layout *layout, int mode, struct layout *result,
                 struct layout_error *error)
{
    int node = layout->shape.rank[0] ? 1 : 0;

    if (mode < 0 || mode >= layout_rank(layout))
        return layout_fail(error, 0, 0, "no mode %d in a layout of rank %d", mode,
                           layout_rank(layout));
    for (int i = 0; i < mode; ++i)
        node = layout_skip(&layout->shape, node);
    layout_subtree(layout, node, result);
    return true;
}

/* ---- layouts as functions ---------------------------------------------------------------- */

int64_t swizzle_apply(struct swizzle swizzle, int64_t offset)
{
    int64_t mask = ((INT64_C(1) << swizzle.bits) - 1) << swizzle.base;

    if (swizzle.shift >= 0)
        return offset ^ (offset >> swizzle.shift & mask);
    return offset ^ (offset & mask) << -swizzle.shift;
}

int64_t layout_at(const struct layout *layout, int64_t index)
{
    const struct int_tuple *shape = &layout->shape;
    int64_t offset = layout->offset, step;
    int last = shape->nodes - 1; /* the last node of a tree is an integer */

    if (index < 0)
        return -1;
    for (int i = 0; i <= last; ++i) {
        int64_t coordinate;
        if (shape->rank[i])
            continue;
        coordinate = i < last ? index % shape->value[i] : index;
        index /= shape->value[i];
        if (!layout_multiply(coordinate, layout->stride.value[i], &step) ||
            !layout_add(offset, step, &offset) || offset >= LAYOUT_MAX_INT)
            return -1;
    }
    return swizzle_apply(layout->swizzle, offset);
}

/*
 * Walks a coordinate and a shape together. If the coordinate is `_`, appends the shape's subtree to
 * `kept` (an error if `kept` is NULL) and increments *modes; otherwise adds to *offset. *node is the
 * node of the shape, *at the node of the coordinate; both move past the subtrees read.
 */
static bool walk(const struct layout *layout, int *node, const struct int_tuple *coordinate,
                 int *at, struct layout *kept, int *modes, int64_t *offset,
                 struct layout_error *error)
{
    const struct int_tuple *shape = &layout->shape;
    int end = layout_skip(shape, *node), here = *at;
    int64_t index = coordinate->value[here], size;

    if (coordinate->rank[here]) {
        if (coordinate->rank[here] != shape->rank[*node])
            return layout_fail(error, 1, here, "a coordinate of rank %d for a mode of rank %d",
                               coordinate->rank[here], shape->rank[*node] ? shape->rank[*node] : 1);
        ++*node, ++*at;
        for (int i = 0; i < coordinate->rank[here]; ++i)
            if (!walk(layout, node, coordinate, at, kept, modes, offset, error))
                return false;
        return true;
    }
    ++*at;
    if (index == LAYOUT_ALL) {
        if (!kept)
            return layout_fail(error, 1, here, "a layout cannot be evaluated at `_`");
        ++*modes;
        if (!layout_put_tree(kept, layout, *node, error))
            return false;
        *node = end;
        return true;
    }
    size = size_at(shape, *node);
    if (index < 0 || index >= size)
        return layout_fail(error, 1, here, "coordinate %lld is outside a mode of size %lld",
                           (long long)index, (long long)size);
    for (; *node < end; ++*node)
        if (!shape->rank[*node]) {
            *offset += index % shape->value[*node] * layout->stride.value[*node];
            index /= shape->value[*node];
        }
    return true;
}

bool layout_map(const struct layout *layout, const struct int_tuple *coordinate, int64_t *offset,
                struct layout_error *error)
{
    int node = 0, at = 0, modes = 0;
    int64_t sum = layout->offset;

    if (!walk(layout, &node, coordinate, &at, NULL, &modes, &sum, error))
        return false;
    *offset = swizzle_apply(layout->swizzle, sum);
    return true;
}

bool layout_coordinate(const struct layout *layout, int64_t index, struct int_tuple *coordinate,
                       struct layout_error *error)
{
    struct int_tuple made = layout->shape;

    if (index < 0 || index >= layout_size(layout))
        return layout_fail(error, 1, 0, "index %lld is outside a layout of size %lld",
                           (long long)index, (long long)layout_size(layout));
    for (int i = 0; i < made.nodes; ++i)
        if (!made.rank[i]) {
            made.value[i] = index % layout->shape.value[i];
            index /= layout->shape.value[i];
        }
    *coordinate = made;
    return true;
}

bool layout_slice(const struct layout *layout, const struct int_tuple *coordinate,
                  struct layout *result, int64_t *offset, struct layout_error *error)
{
    struct layout kept, made;
    int node = 0, at = 0, modes = 0;
    int64_t start = 0;

    layout_begin(&kept);
    if (!walk(layout, &node, coordinate, &at, &kept, &modes, &start, error))
        return false;
    if (modes == 0)
        return layout_fail(error, 1, 0, "a slice needs a `_` for the modes to keep");
    /* As in CuTe, the kept modes form one tuple, whatever their depth was. The coordinate `_` alone
     * keeps the layout as it is. */
    layout_begin(&made);
    if (coordinate->rank[0] && !layout_put_tuple(&made, modes, error))
        return false;
    for (int i = 0, from = 0; i < modes; ++i, from = layout_skip(&kept.shape, from))
        if (!layout_put_tree(&made, &kept, from, error))
            return false;
    made.swizzle = layout->swizzle;
    made.offset = layout->offset;
    if (layout->swizzle.bits)
        made.offset += start, start = 0;
    if (!layout_finish(&made, error))
        return false;
    *result = made;
    *offset = start;
    return true;
}

/* Returns the first index at which two coalesced layouts with equal swizzles and offsets differ (the
 * smaller size if one continues the other); -1 if they are equal. */
static int64_t first_difference(const struct flat *a, const struct flat *b)
{
    int64_t before = 1;

    for (int i = 0; i < a->count || i < b->count; ++i) {
        if (i == a->count || i == b->count || a->stride[i] != b->stride[i])
            return before;
        if (a->shape[i] != b->shape[i]) /* coalesced: nothing continues the shorter mode */
            return before * (a->shape[i] < b->shape[i] ? a->shape[i] : b->shape[i]);
        before *= a->shape[i];
    }
    return -1;
}

bool layout_equal(const struct layout *a, const struct layout *b, bool *equal, int64_t *index,
                  struct layout_error *error)
{
    struct layout simple;
    struct flat flat_a, flat_b;
    int64_t size = layout_size(a), size_b = layout_size(b), at;
    int64_t compared = size < size_b ? size : size_b;

    if (memcmp(&a->swizzle, &b->swizzle, sizeof a->swizzle) == 0) {
        /* A swizzle is injective: equal before means equal after. */
        if (!layout_coalesce(a, &simple, error))
            return false;
        layout_flatten(&simple, &flat_a);
        if (!layout_coalesce(b, &simple, error))
            return false;
        layout_flatten(&simple, &flat_b);
        at = a->offset != b->offset ? 0 : first_difference(&flat_a, &flat_b);
    } else {
        for (at = 0; at < compared && layout_at(a, at) == layout_at(b, at); ++at)
            if (at == INT64_C(1) << 26)
                return layout_fail(error, 0, 0, "equal for 2^26 indices, too many to compare on");
        if (at == size && at == size_b)
            at = -1;
    }
    *equal = at < 0;
    if (at >= 0)
        *index = at;
    return true;
}

bool layout_swizzle(struct swizzle swizzle, const struct layout *layout, struct layout *result,
                    struct layout_error *error)
{
    struct layout made = *layout;
    int distance = swizzle.shift < 0 ? -(swizzle.shift + 1) : swizzle.shift;

    if (swizzle.bits < 0 || swizzle.base < 0)
        return layout_fail(error, 0, -1, "a swizzle's bits and base must not be negative");
    distance += swizzle.shift < 0; /* in two steps: -INT_MIN overflows */
    if (distance < swizzle.bits)
        return layout_fail(error, 0, -1,
                           "|shift| %d is less than bits %d: the swizzle would not undo itself",
                           distance, swizzle.bits);
    if (swizzle.bits > 62 || swizzle.base > 62 || distance > 62 ||
        swizzle.bits + swizzle.base + distance > 62)
        return layout_fail(error, 0, -1, "the swizzle reaches beyond bit 61");
    if (!layout_is_plain(layout))
        return layout_fail(error, 1, 0, "the layout has a swizzle or an offset already");
    if (swizzle.bits)
        made.swizzle = swizzle;
    *result = made;
    return true;
}
