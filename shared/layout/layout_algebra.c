/*
 * Computes coalesced layouts, compositions, complements and inverses.
 */
#include "layout_internal.h"

bool layout_need_plain(const struct layout *layout, int operand, struct layout_error *error)
{
    return layout_is_plain(layout) ||
           layout_fail(error, operand, 0,
                       "a swizzled layout is only possible on the left of a composition, "
                       "division or product");
}

/* ---- coalesce ---------------------------------------------------------------------------- */

/* Drops modes of size 1 and joins neighbours if the second continues the first. With keep_last the
 * last mode stays, because its stride continues the layout past its size. */
static void coalesce(struct flat *flat, bool keep_last)
{
    int count = 0, last = flat->count - 1;

    for (int i = 0; i <= last; ++i) {
        int64_t shape = flat->shape[i], stride = flat->stride[i];
        int64_t next;
        if (shape == 1 && !(keep_last && i == last))
            continue;
        /* No stride equals a product that overflows. */
        if (count && layout_multiply(flat->shape[count - 1], flat->stride[count - 1], &next) &&
            stride == next) {
            flat->shape[count - 1] *= shape;
        } else {
            flat->shape[count] = shape;
            flat->stride[count++] = stride;
        }
    }
    if (count == 0) {
        flat->shape[0] = 1;
        flat->stride[0] = 0;
        count = 1;
    }
    flat->count = count;
}

bool layout_coalesce(const struct layout *a, struct layout *result, struct layout_error *error)
{
    struct layout made;
    struct flat flat;

    layout_flatten(a, &flat);
    coalesce(&flat, false);
    layout_begin(&made);
    made.swizzle = a->swizzle;
    made.offset = a->offset;
    if (!layout_put_flat(&made, &flat, error) || !layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

bool layout_coalesce_modes(const struct layout *a, struct layout *result,
                           struct layout_error *error)
{
    struct layout made, mode;
    struct flat flat;

    if (!a->shape.rank[0])
        return layout_coalesce(a, result, error);
    layout_begin(&made);
    made.swizzle = a->swizzle;
    made.offset = a->offset;
    if (!layout_put_tuple(&made, a->shape.rank[0], error))
        return false;
    for (int node = 1; node < a->shape.nodes; node = layout_skip(&a->shape, node)) {
        layout_subtree(a, node, &mode);
        layout_flatten(&mode, &flat);
        coalesce(&flat, false);
        if (!layout_put_flat(&made, &flat, error))
            return false;
    }
    if (!layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

/* ---- composition ------------------------------------------------------------------------- */

/*
 * Composes `a` after one integer mode shape:stride of b: the result has the first `shape` of every
 * stride-th element of `a`. The stride skips whole modes of `a`; the rest of the stride picks elements
 * from the next mode, and later modes contribute all elements until `shape` is reached. The last mode
 * of `a` has no end. Raises reach[i] to the largest coordinate used in mode i of `a`, over all modes of
 * b. node: the mode's node in b, for messages.
 */
static bool compose_mode(const struct flat *a, int64_t shape, int64_t stride, int64_t *reach,
                         int node, struct flat *out, struct layout_error *error)
{
    int64_t left = shape, step = stride, product;
    int last = a->count - 1;

    out->count = 0;
    if (stride == 0) {
        out->shape[0] = shape;
        out->stride[0] = 0;
        out->count = 1;
        return true;
    }
    for (int i = 0; i < last; ++i) {
        int64_t size = a->shape[i], picked = layout_ceil_div(size, step), taken;
        if (left > 1 && step > size && step % size != 0)
            return layout_fail(error, 1, node,
                               "stride divisibility: a stride of %lld elements neither divides "
                               "nor is a multiple of the left side's mode of size %lld",
                               (long long)step, (long long)size);
        if (picked > 1 && left > 1) {
            taken = picked < left ? picked : left;
            if (left > taken && size % step != 0)
                return layout_fail(error, 1, node,
                                   "stride divisibility: stepping by %lld does not fit into the "
                                   "left side's mode of size %lld",
                                   (long long)step, (long long)size);
            if (left % taken != 0)
                return layout_fail(error, 1, node,
                                   "shape divisibility: %lld elements cannot be taken %lld at a "
                                   "time from the left side's mode of size %lld",
                                   (long long)left, (long long)taken, (long long)size);
            if (!layout_multiply(step, a->stride[i], &product))
                return layout_fail(error, 1, node, "overflow: a stride exceeds 2^62");
            out->shape[out->count] = taken;
            out->stride[out->count++] = product;
            reach[i] += (taken - 1) * step;
            if (reach[i] >= size)
                return layout_fail(error, 1, node,
                                   "the modes of the right side carry: together they reach "
                                   "coordinate %lld in the left side's mode of size %lld",
                                   (long long)reach[i], (long long)size);
            left /= taken;
        }
        step = layout_ceil_div(step, size);
    }
    if (left > 1 || out->count == 0) {
        if (!layout_multiply(step, a->stride[last], &product))
            return layout_fail(error, 1, node, "overflow: a stride exceeds 2^62");
        out->shape[out->count] = left;
        out->stride[out->count++] = product;
    }
    return true;
}

bool layout_compose(const struct layout *a, const struct layout *b, struct layout *result,
                    struct layout_error *error)
{
    int64_t reach[LAYOUT_MAX_NODES] = {0};
    struct layout made;
    struct flat flat, modes;

    layout_flatten(a, &flat);
    coalesce(&flat, true);
    layout_begin(&made);
    if (layout_is_plain(b)) {
        made.swizzle = a->swizzle;
        made.offset = a->offset;
        for (int i = 0; i < b->shape.nodes; ++i)
            if (b->shape.rank[i] ? !layout_put_tuple(&made, b->shape.rank[i], error)
                                 : !compose_mode(&flat, b->shape.value[i], b->stride.value[i],
                                                 reach, i, &modes, error) ||
                                       !layout_put_flat(&made, &modes, error))
                return false;
    } else if (layout_is_plain(a) && flat.count == 1 && flat.stride[0] == 1) {
        made = *b; /* n:1 is the identity, also past n */
    } else {
        return layout_fail(error, 1, 0,
                           "no layout can follow a swizzle or an offset; put the swizzle last");
    }
    if (!layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

/* ---- complement and inverses ------------------------------------------------------------- */

void layout_sorted_modes(const struct layout *a, struct flat *flat, int64_t *place)
{
    int count = 0;
    int64_t before = 1;

    layout_flatten(a, flat);
    coalesce(flat, false);
    for (int i = 0; i < flat->count; ++i) {
        int64_t shape = flat->shape[i], stride = flat->stride[i];
        int at = count;
        if (shape > 1 && stride > 0) {
            for (; at > 0 && flat->stride[at - 1] > stride; --at) {
                flat->shape[at] = flat->shape[at - 1];
                flat->stride[at] = flat->stride[at - 1];
                place[at] = place[at - 1];
            }
            flat->shape[at] = shape;
            flat->stride[at] = stride;
            place[at] = before;
            ++count;
        }
        before *= shape;
    }
    flat->count = count;
}

bool layout_complement(const struct layout *a, int64_t extent, struct layout *result,
                       struct layout_error *error)
{
    int64_t place[LAYOUT_MAX_NODES], filled = 1;
    struct flat modes, gaps;
    struct layout made, moving;

    if (!layout_need_plain(a, 0, error))
        return false;
    if (extent < 0 || extent > LAYOUT_MAX_INT)
        return layout_fail(error, 1, 0, "an extent must be at least 1 and at most 2^62");
    if (extent == 0)
        extent = layout_cosize(a);
    /* Filter before coalescing, so that the modes around a mode of stride 0 can join. */
    layout_flatten(a, &modes);
    gaps.count = 0;
    for (int i = 0; i < modes.count; ++i)
        if (modes.stride[i] > 0) {
            gaps.shape[gaps.count] = modes.shape[i];
            gaps.stride[gaps.count++] = modes.stride[i];
        }
    if (gaps.count == 0) {
        gaps.shape[0] = 1;
        gaps.stride[0] = 0;
        gaps.count = 1;
    }
    layout_begin(&moving);
    layout_put_flat(&moving, &gaps, NULL); /* no longer than `a` was */
    layout_sorted_modes(&moving, &modes, place);
    gaps.count = 0;
    for (int i = 0; i < modes.count; ++i) {
        if (modes.stride[i] < filled)
            return layout_fail(error, 0, -1,
                               "not injective, or interleaved: a mode of stride %lld starts "
                               "within the %lld offsets that smaller strides span",
                               (long long)modes.stride[i], (long long)filled);
        gaps.shape[gaps.count] = modes.stride[i] / filled;
        gaps.stride[gaps.count++] = filled;
        filled = modes.stride[i] * modes.shape[i]; /* below 2^63: see layout_finish */
    }
    if (filled <= LAYOUT_MAX_INT) {
        gaps.shape[gaps.count] = layout_ceil_div(extent, filled);
        gaps.stride[gaps.count++] = filled;
    }
    coalesce(&gaps, false);
    layout_begin(&made);
    if (!layout_put_flat(&made, &gaps, error) || !layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

/* True for a swizzle of n:1 that permutes 0 to n - 1: it is its own inverse. */
static bool is_swizzled_identity(const struct layout *a)
{
    struct flat flat;
    int distance = a->swizzle.shift < 0 ? -a->swizzle.shift : 0;

    layout_flatten(a, &flat);
    coalesce(&flat, false);
    return a->offset == 0 && flat.count == 1 && flat.stride[0] == 1 &&
           flat.shape[0] % (INT64_C(1) << (a->swizzle.bits + a->swizzle.base + distance)) == 0;
}

bool layout_right_inverse(const struct layout *a, struct layout *result, struct layout_error *error)
{
    int64_t place[LAYOUT_MAX_NODES], next = 1;
    struct flat modes;
    struct layout made;

    if (!layout_is_plain(a)) {
        if (!is_swizzled_identity(a))
            return layout_fail(error, 0, 0,
                               "the inverse of a swizzled layout swizzles first, which no "
                               "layout does; invert the layout without its swizzle");
        return layout_coalesce(a, result, error);
    }
    layout_sorted_modes(a, &modes, place);
    /* Take modes while each stride is the product of the sizes taken so far: 1, s0, s0 * s1, ... */
    int used = 0;
    while (used < modes.count && modes.stride[used] == next) {
        next = modes.shape[used] * modes.stride[used];
        modes.stride[used] = place[used];
        ++used;
    }
    modes.count = used;
    coalesce(&modes, false);
    layout_begin(&made);
    if (!layout_put_flat(&made, &modes, error) || !layout_finish(&made, error))
        return false;
    *result = made;
    return true;
}

bool layout_left_inverse(const struct layout *a, struct layout *result, struct layout_error *error)
{
    int64_t place[LAYOUT_MAX_NODES];
    struct layout rest, both;
    struct flat modes;

    if (!layout_is_plain(a))
        return layout_right_inverse(a, result, error);
    for (int i = 0; i < a->shape.nodes; ++i)
        if (!a->shape.rank[i] && a->shape.value[i] > 1 && a->stride.value[i] == 0)
            return layout_fail(error, 0, i, "not injective: a mode of stride 0 has no inverse");
    if (!layout_complement(a, 0, &rest, error))
        return false;
    layout_sorted_modes(a, &modes, place);
    for (int i = 1; i < modes.count; ++i)
        if (modes.stride[i] % (modes.stride[i - 1] * modes.shape[i - 1]) != 0)
            return layout_fail(error, 0, -1,
                               "a stride of %lld is no multiple of the %lld offsets below it: "
                               "no complement fills the hole",
                               (long long)modes.stride[i],
                               (long long)(modes.stride[i - 1] * modes.shape[i - 1]));
    layout_begin(&both);
    if (!layout_put_tuple(&both, 2, error) || !layout_put_tree(&both, a, 0, error) ||
        !layout_put_tree(&both, &rest, 0, error) || !layout_finish(&both, error))
        return false;
    return layout_right_inverse(&both, result, error);
}
