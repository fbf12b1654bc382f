/* Runs the nodes of an exercise: all threads of a block at once, one statement after another. */
#include "internal.h"
#include <string.h>

struct lab lab;
static lanes temporary[DEPTH];
static int depth;

int64_t *push(int line)
{
    if (depth == DEPTH)
        lab_stop(line, "the expression is too deep for the lab");
    return temporary[depth++];
}

void pop(int count) { depth -= count; }

bool any(const mask on)
{
    for (int t = 0; t < lab.width; ++t)
        if (on[t])
            return true;
    return false;
}

/* ---- memory ------------------------------------------------------------------------------ */

int64_t constant(const struct lab_node *node)
{
    static const mask one = {1};
    const int before = lab.width;
    int64_t *value = push(node->line);
    lab.width = 1;
    evaluate(node, one, value);
    lab.width = before;
    --depth;
    return value[0];
}

int add_object(const char *name, bool shared, uint64_t address, int bytes, int64_t count,
               int64_t *data)
{
    if (lab.objects == OBJECTS)
        lab_stop(0, "there are too many arrays for the lab");
    lab.object[lab.objects] = (struct object){name, shared, address, bytes, count, data};
    return lab.objects++;
}

/* Gives a declared name its lab.slots, or its place in shared memory. */
void place(struct lab_symbol *symbol, int line)
{
    int64_t count = 1;
    for (int i = 0; i < symbol->rank; ++i) {
        symbol->extent[i] = (int)constant(symbol->size[i]);
        if (symbol->extent[i] < 1 || symbol->extent[i] > SHARED_MOST)
            lab_stop(line, "the array '%s' has no legal size", symbol->name);
        count *= symbol->extent[i];
    }
    if (symbol->sort == LAB_SHARED) {
        const int begin = (lab.shared_bytes + symbol->bytes - 1) / symbol->bytes * symbol->bytes;
        if (begin + count * symbol->bytes > SHARED_MOST)
            lab_stop(line, "a block has 48 KB of shared memory, and this is more");
        symbol->slot = add_object(symbol->name, true, (uint64_t)begin, symbol->bytes, count,
                                  lab.shared + begin);
        lab.shared_bytes = begin + (int)count * symbol->bytes;
        return;
    }
    count = symbol->sort == LAB_GRID ? 3 : count;
    if (lab.slots + count > SLOTS)
        lab_stop(line, "there are too many variables for the lab");
    symbol->slot = lab.slots;
    lab.slots += (int)count;
}

static struct site *site_of(const struct lab_node *node, enum traffic_kind kind)
{
    int i = 0;
    while (i < lab.sites && (lab.site[i].node != node || lab.site[i].kind != kind))
        ++i;
    if (i == SITES)
        lab_stop(node->line, "there are too many accesses for the lab");
    if (i == lab.sites)
        lab.site[lab.sites++] = (struct site){.node = node, .kind = kind};
    return &lab.site[i];
}

/* Counts the requests of an access, one per warp with active lanes. */
static void count(const struct lab_node *node, const struct object *object, bool store,
                  const mask on, const lanes index)
{
    struct site *site =
        site_of(node, (object->shared ? TRAFFIC_SHARED_LOAD : TRAFFIC_GLOBAL_LOAD) + store);
    const bool loads = object->data == lab.in && !store;
    for (int warp = 0; warp < lab.width; warp += TRAFFIC_LANES) {
        struct traffic_request request = {site->kind, object->bytes, 0, {0}};
        for (int lane = 0; lane < TRAFFIC_LANES && warp + lane < lab.width; ++lane)
            if (on[warp + lane]) {
                const int64_t row = index[warp + lane] / lab.row_elements;
                if (loads && (!lab.end_row || row < lab.first_row))
                    lab.first_row = row;
                if (loads && row >= lab.end_row)
                    lab.end_row = row + 1;
                lab.worked[warp + lane] = 1;
                request.lanes |= UINT32_C(1) << lane;
                request.address[lane] =
                    object->address + (uint64_t)(index[warp + lane] * object->bytes);
            }
        const struct traffic_cost cost = traffic_cost(&request);
        site->requests += request.lanes != 0;
        lab.requests[2] += request.lanes != 0 && !object->shared;
        lab.of_warp[warp / TRAFFIC_LANES] += request.lanes != 0 && !object->shared;
        site->work += (uint64_t)cost.work;
        site->ideal += (uint64_t)cost.ideal;
        if (cost.work > site->most) {
            site->most = cost.work;
            site->worst = request;
        }
    }
}

/* Counts requests for loads that take what other threads stored. `from`: by thread, the request that stored it, or 0. */
static void note_stores(const lanes from)
{
    for (int first = 0; first < lab.width; first += TRAFFIC_LANES) {
        uint32_t stores = 0, loads = 0;
        for (int t = first; t < first + TRAFFIC_LANES && t < lab.width; ++t) {
            int same = first;
            while (from[same] != from[t])
                ++same;
            stores += from[t] && same == t;
            loads += from[t] != 0;
        }
        lab.elements_from[stores] += loads;
    }
}

/* Loads or stores through subscripts: value receives what is loaded, or has what is stored. */
static void access(const struct lab_node *node, bool store, const mask on, lanes value)
{
    const struct lab_symbol *symbol = node->a->kind == LAB_NAME ? node->a->symbol : NULL;
    const bool array = symbol && symbol->rank;
    const bool local = array && symbol->sort == LAB_LOCAL;
    int64_t *index = push(node->line), *part = push(node->line), *from = push(node->line);
    struct object *object = array && !local ? &lab.object[symbol->slot] : NULL;
    int subscripts = 0, limit = 1;
    ++lab.accesses;
    memset(index, 0, sizeof(lanes));
    memset(from, 0, sizeof(lanes));
    for (const struct lab_node *one = node->b; one; one = one->next, ++subscripts) {
        if (subscripts >= (array ? symbol->rank : 1))
            break;
        evaluate(one, on, part);
        for (int t = 0; t < lab.width; ++t)
            index[t] = (array ? index[t] * symbol->extent[subscripts] : 0) + part[t];
        limit *= array ? symbol->extent[subscripts] : 1;
    }
    if (subscripts != (array ? symbol->rank : 1))
        lab_stop(node->line, "the lab needs all subscripts of an array");
    if (!array) {
        evaluate(node->a, on, part);
        for (int t = 0; t < lab.width; ++t)
            if (on[t]) {
                const int64_t number = part[t] >> 40;
                if (number < 1 || number >= lab.objects)
                    lab_stop(node->line, "this is no pointer that the lab knows");
                object = &lab.object[number];
                index[t] += (part[t] & (2 * MIDDLE - 1)) - MIDDLE;
            }
    }
    for (int t = 0; t < lab.width; ++t) {
        const int64_t end = local ? limit : object ? object->count : 0;
        if (!on[t])
            continue;
        if (index[t] < 0 || index[t] >= end)
            lab_stop(node->line, "thread %d %s element %lld of '%s', which has %lld", t,
                     store ? "writes" : "reads", (long long)index[t],
                     local ? symbol->name : object->name, (long long)end);
        int64_t *at = local ? &lab.slot[symbol->slot + index[t]][t] : &object->data[index[t]];
        *(store ? at : &value[t]) = *(store ? &value[t] : at);
        uint16_t *owner = object && object->shared ? &lab.owner[at - lab.shared] : NULL;
        const uint32_t request = lab.accesses * TRAFFIC_LANES + (uint32_t)t / TRAFFIC_LANES;
        if (store && owner)
            *owner = (uint16_t)(t + 1), lab.stored_in[at - lab.shared] = request;
        else if (!store && object && value[t] > 0 && value[t] & ELEMENT)
            value[t] = !owner                       ? value[t] & ~THROUGH
                       : lab.own || *owner != t + 1 ? value[t] | THROUGH
                                                    : value[t];
        if (!store && owner && *owner && *owner != t + 1)
            from[t] = lab.stored_in[at - lab.shared];
    }
    note_stores(from);
    if (object && any(on))
        count(node, object, store, on, index);
    depth -= 3;
}

/* ---- expressions ------------------------------------------------------------------------- */

int64_t lab_operate(int line, int op, int64_t a, int64_t b)
{
    switch (op) {
    case '*': return a * b;
    case '/':
    case '%':
        if (b == 0)
            lab_stop(line, "a division by zero");
        return op == '/' ? a / b : a % b;
    case '+': return a + b;
    case '-': return a - b;
    case 'L': return (int64_t)((uint64_t)a << (b & 63));
    case 'R': return a >> (b & 63);
    case '<': return a < b;
    case '>': return a > b;
    case 'l': return a <= b;
    case 'g': return a >= b;
    case 'e': return a == b;
    case 'n': return a != b;
    case '&': return a & b;
    case '^': return a ^ b;
    case '|': return a | b;
    default: return b; /* the comma */
    }
}

/* Calls a function that the lab has itself. Returns false if the function is one of the source. */
static bool call_known(const struct lab_node *node, const mask on, lanes result)
{
    int64_t *argument[4];
    int given = 0;
    const int before = depth, which = node->symbol->slot;
    if (which < 0)
        return false;
    for (const struct lab_node *one = node->a; one && given < 4; one = one->next, ++given) {
        argument[given] = push(node->line);
        evaluate(one, on, argument[given]);
    }
    static const int wanted[] = {2, 3, 4, 2, 2, 0, 0};
    if (which < 5 && given != wanted[which])
        lab_stop(node->line, "'%s' takes %d arguments", node->symbol->name, wanted[which]);
    for (int t = 0; t < lab.width; ++t) {
        if (!on[t] || which > 4)
            continue;
        const int64_t a = argument[0][t], b = argument[1][t];
        if (which == 0)
            result[t] = lab_operate(node->line, '/', a + b - 1, b);
        else if (which == 1)
            result[t] = argument[2][t] + a * b;
        else if (which == 2)
            result[t] = argument[3][t] ^
                        (((argument[3][t] >> (b + argument[2][t])) & ((INT64_C(1) << a) - 1)) << b);
        else
            result[t] = (a < b) == (which == 3) ? a : b;
    }
    depth = before;
    return true;
}

static void call(const struct lab_node *node, const mask on, lanes result)
{
    struct lab_symbol *function = node->symbol;
    mask back, live;
    int64_t *outer = lab.returns;
    int64_t *value = push(node->line);
    int i = 0;
    if (function->sort != LAB_FUNCTION || (function->slot < 0 && !function->body))
        lab_stop(node->line, "'%s' is no function that can be called here", function->name);
    if (!call_known(node, on, result)) {
        for (const struct lab_node *one = node->a; one && i < function->parameters;
             one = one->next, ++i) {
            struct lab_symbol *parameter = function->parameter[i];
            if (!parameter->slot)
                place(parameter, node->line);
            evaluate(one, on, value);
            memcpy(lab.slot[parameter->slot], value, sizeof(lanes));
        }
        if (i < function->parameters)
            lab_stop(node->line, "an argument of the call is missing");
        memcpy(back, lab.returned, sizeof back);
        memset(lab.returned, 0, sizeof lab.returned);
        memcpy(live, on, sizeof live);
        lab.returns = value;
        execute(function->body, live);
        memcpy(result, value, sizeof(lanes));
        lab.returns = outer;
        memcpy(lab.returned, back, sizeof back);
    }
    --depth;
}

void assign(const struct lab_node *target, const mask on, lanes value)
{
    if (target->kind == LAB_INDEX)
        access(target, true, on, value);
    else if (target->kind == LAB_NAME && target->symbol->sort == LAB_LOCAL &&
             target->symbol->slot) {
        for (int t = 0; t < lab.width; ++t)
            if (on[t])
                lab.slot[target->symbol->slot][t] = value[t];
    } else
        lab_stop(target->line, "the lab cannot assign to this");
}

static void choose(const struct lab_node *node, const mask on, lanes result)
{
    mask yes, no;
    int64_t *other = push(node->line);
    evaluate(node->a, on, other);
    for (int t = 0; t < lab.width; ++t) {
        yes[t] = on[t] && other[t];
        no[t] = on[t] && !other[t];
    }
    if (node->kind == LAB_CHOICE) {
        evaluate(node->b, yes, result);
        evaluate(node->c, no, other);
    } else { /* && and ||: the right side runs where the left side does not decide */
        evaluate(node->b, node->op == 'a' ? yes : no, result);
        for (int t = 0; t < lab.width; ++t)
            other[t] = node->op == 'o', result[t] = result[t] != 0;
    }
    for (int t = 0; t < lab.width; ++t) {
        const bool left = node->kind == LAB_CHOICE || node->op == 'a' ? yes[t] : no[t];
        result[t] = left ? result[t] : other[t];
    }
    --depth;
}

static void evaluate_name(const struct lab_node *node, lanes result)
{
    struct lab_symbol *symbol = node->symbol;
    if (symbol->sort == LAB_CONSTANT) {
        const int64_t value = constant(symbol->value);
        for (int t = 0; t < lab.width; ++t)
            result[t] = value;
    } else if (symbol->sort == LAB_SHARED && symbol->rank == 1) {
        for (int t = 0; t < lab.width; ++t)
            result[t] = ((int64_t)symbol->slot << 40) + MIDDLE;
    } else if (symbol->sort == LAB_LOCAL && symbol->slot && !symbol->rank)
        memcpy(result, lab.slot[symbol->slot], sizeof(lanes));
    else
        lab_stop(node->line, "the lab does not know what '%s' is here", symbol->name);
}

void evaluate(const struct lab_node *node, const mask on, lanes result)
{
    int64_t *right;
    if (--lab.patience < 0)
        lab_stop(node->line, "the run takes too long for the lab");
    switch (node->kind) {
    case LAB_NUMBER:
        for (int t = 0; t < lab.width; ++t)
            result[t] = node->value;
        return;
    case LAB_NAME: evaluate_name(node, result); return;
    case LAB_BUILTIN:
        for (int t = 0; t < lab.width; ++t) {
            const int64_t x = lab.dimension[6], y = lab.dimension[7];
            const int64_t own[3] = {t % x, t / x % y, t / (x * y)};
            result[t] = node->op < 3 ? own[node->op] : lab.dimension[node->op];
        }
        return;
    case LAB_INDEX: access(node, false, on, result); return;
    case LAB_CALL: call(node, on, result); return;
    case LAB_CHOICE: choose(node, on, result); return;
    case LAB_BINARY:
        if (node->op == 'a' || node->op == 'o') {
            choose(node, on, result);
            return;
        }
        break;
    case LAB_UNARY:
        evaluate(node->a, on, result);
        for (int t = 0; t < lab.width; ++t)
            result[t] = node->op == '-'   ? -result[t]
                        : node->op == '!' ? !result[t]
                        : node->op == '~' ? ~result[t]
                                          : result[t];
        return;
    case LAB_ASSIGN:
    case LAB_STEP: break;
    default: lab_stop(node->line, "this is no expression"); return;
    }
    right = push(node->line);
    if (node->kind == LAB_ASSIGN && !node->op) {
        evaluate(node->b, on, result);
        assign(node->a, on, result);
    } else {
        evaluate(node->a, on, result);
        if (node->kind == LAB_STEP)
            for (int t = 0; t < lab.width; ++t)
                right[t] = node->value;
        else
            evaluate(node->b, on, right);
        const int op = node->kind == LAB_STEP ? '+' : node->op;
        for (int t = 0; t < lab.width; ++t)
            right[t] = on[t] ? lab_operate(node->line, op, result[t], right[t]) : 0;
        if (node->kind != LAB_BINARY)
            assign(node->a, on, right);
        if (node->kind != LAB_STEP || !node->op)
            memcpy(result, right, sizeof(lanes));
    }
    --depth;
}
