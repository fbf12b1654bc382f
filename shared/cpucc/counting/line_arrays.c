/* Tells which array an access touches: a variable's name, or that of the kernel's parameter that points to it. */
#include <stdlib.h>
#include <string.h>
#include "counting.h"

struct launch_arguments cpucc_arguments;
static const char several[] = "several arrays";

void cpucc_note_arguments(const struct device_part *kernel, void **values)
{
    struct launch_arguments *a = &cpucc_arguments;
    *a = (struct launch_arguments){.names = kernel->source};
    for (const uint64_t *bytes = kernel->parameters; bytes && *bytes && a->count < 16; bytes++) {
        struct argument *p = &a->argument[a->count];
        p->bytes = *bytes <= 8 ? (uint32_t)*bytes : 0;
        if (p->bytes)
            memcpy(&p->value, values[a->count], *bytes);
        a->count++;
    }
}

/* Returns the one copy of the name's first `length` characters. */
static const char *kept(const char *name, size_t length)
{
    static char **names;
    static int count;
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], name, length))
            return names[i];
    return *ADD_TO(names, count) = cpucc_nonnull(strndup(name, length));
}

/* Returns the name of the pointer among the arguments that lies highest in the object at or below the address, or
 * NULL. */
static const char *parameter_at(const struct object *object, uint64_t address)
{
    const char *name = cpucc_arguments.names, *found = NULL;
    uint64_t highest = 0;
    for (int i = 0; name && *name && i < cpucc_arguments.count; i++) {
        uint64_t value = cpucc_arguments.argument[i].value;
        size_t length = strcspn(name, ",");
        if (*name == 'p' && value >= object->start && value <= address && value >= highest)
            highest = value, found = kept(name + 1, length - 1);
        name += length + (name[length] == ',');
    }
    return found;
}

void cpucc_note_array(struct site_count *site, uint64_t address)
{
    struct object object = cpucc_object(address);
    const char *name = object.name ? kept(object.name, strlen(object.name))
                       : object.pc ? parameter_at(&object, address)
                                   : NULL;
    if (!name && object.pc)
        name = kept(cpucc_line(object.pc), strlen(cpucc_line(object.pc)));
    name = name ? name : "other memory";
    site->array = site->array && site->array != name ? several : name;
    site->array_start = site->array == several ? 0 : object.start;
    site->array_bytes = site->array == several ? UINT64_MAX : object.bytes;
}
