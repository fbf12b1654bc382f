/* Declares device memory: spaces, the record of each word, allocations, variables, host memory. */
#ifndef CPUCC_MEMORY_H
#define CPUCC_MEMORY_H

#include "../core/core.h"

/* The program's __device__ and __constant__ variables and read-only data; the linker sets the symbols. */
extern char __start_cpucc_device[] __attribute__((weak)),
    __stop_cpucc_device[] __attribute__((weak));
extern char __start_cpucc_constant[] __attribute__((weak)),
    __stop_cpucc_constant[] __attribute__((weak));
extern char __start_cpucc_readonly[] __attribute__((weak)),
    __stop_cpucc_readonly[] __attribute__((weak));

#pragma GCC visibility push(hidden) /* direct access to variables of other files */

/* ---- spaces.c ---- */

enum space cpucc_space(const struct lane *lane, uintptr_t address); /* of the address */
bool cpucc_is_constant(uintptr_t address); /* true for __constant__ and read-only data */

extern bool cpucc_sealed; /* kernels are sealed (untrusted) code */
/* Sealed code keeps its local variables in a thread's stack from byte STACK_GUARD up to this byte. */
enum { SEALED_LOCAL = STACK_GUARD + (64 << 10) };

/* Whether an address is in a thread's local memory. */
static inline bool cpucc_is_local(const struct lane *l, uintptr_t a)
{
    return a - (uintptr_t)l->stack < (cpucc_sealed ? SEALED_LOCAL : cpucc_stack_bytes);
}

/* ---- shadow.c ---- */

extern shadow *cpucc_heap_shadow, *cpucc_slot_shadow; /* of the first word of the heap, of slot 0 */
enum { HEAP_LINE = 128 };        /* bytes of a line that has a record of its own */
extern shadow *cpucc_heap_lines; /* of the first line of the heap */
extern bool cpucc_keeps_records; /* of words of the heap; false: a checker asks only for bounds */
/* Returns the word's record, or NULL. Without records of the heap, the record is one that says what is allocated;
 * the records of the next three words follow it until the next call. */
shadow *cpucc_shadow(uintptr_t address);
/* Returns the record of the heap's line that contains the address if it stands for its words, else NULL. */
shadow *cpucc_whole_line(uintptr_t address);
void cpucc_split_line(shadow *line); /* gives each word of a whole line its record */
/* The word's record or that of its whole line, which is the same but for the threads. */
const shadow *cpucc_seen_record(uintptr_t address);
/* Sets which bytes are allocated. `written`: they count as written. Need not be aligned. */
void cpucc_mark_allocated(uintptr_t address, size_t bytes, bool allocated, bool written);
void cpucc_mark_written(uintptr_t address, size_t bytes);     /* any device memory */
void cpucc_words_written(uintptr_t address, size_t bytes);    /* the same, without the fast path */
void cpucc_mark_unwritten(uintptr_t address, unsigned bytes); /* `bytes`: a mask, of the word's */
void cpucc_drop_shadow(uintptr_t address, size_t bytes);   /* clears records of whole heap pages */
bool cpucc_all_allocated(uintptr_t address, size_t bytes); /* in the heap: by one allocation */
void cpucc_shared_clear(struct block *block); /* clears a new block's slot: bytes to 0xcd */
/* Bytes of shared memory that a block has stored to and then loaded: so many or more in half of the blocks of
 * untrusted code that use any. */
uint64_t cpucc_shared_used(void);
void cpucc_note_shared_used(const struct block *block);
void cpucc_shared_allocate(int slot, uint32_t offset, size_t bytes); /* as unwritten */
void cpucc_shadow_start(void); /* reserves the records and the slots */
void cpucc_use_records_of_variables(int device);

/* ---- heap.c ---- */

enum memory { DEVICE, DEVICE_HEAP, PINNED, MANAGED }; /* DEVICE_HEAP: malloc in device code */
struct allocation {
    char *start;
    size_t bytes;
    enum memory kind;
    bool freed;
    int device; /* the owner; pinned and managed memory: active at its allocation */
    const unsigned *pool_access; /* mask of devices that may use a pool's memory; else NULL */
    uintptr_t pc, free_pc;       /* of the calls */
};
extern char *cpucc_heap, *cpucc_heap_end, *cpucc_heap_host; /* host memory begins at _host */
extern char *cpucc_device_next, *cpucc_host_next;           /* ends of the allocated parts */
extern unsigned char *cpucc_page_state;   /* per 4096 bytes; nonzero: call cpucc_fill_page first */
extern unsigned char *cpucc_page_written; /* nonzero: the whole page is written */
extern struct allocation *cpucc_allocations; /* in the order of the calls, freed ones included */
extern uint32_t cpucc_allocation_count;
extern uint32_t *cpucc_allocation_of_chunk; /* per 65536 bytes of the heap: index + 1, or 0 */
static inline bool cpucc_in_heap(uintptr_t address)
{
    return address - (uintptr_t)cpucc_heap < (uintptr_t)(cpucc_heap_end - cpucc_heap);
}
void cpucc_heap_start(void); /* reserves the heap's address space, or ends the program */
/* The callers have called cpucc_device_start. */
cudaError_t cpucc_allocate(void **p, size_t bytes, enum memory kind, uintptr_t pc);
/* Reserves address space that may exceed the machine's memory; the caller maintains its pages. */
cudaError_t cpucc_allocate_space(void **p, size_t bytes, bool written);
/* Frees memory; reports a fault if it was not allocated, or by the other side. */
cudaError_t cpucc_release_memory(void *p, bool by_device, uintptr_t pc);
void cpucc_reallocate(void *p); /* makes a freed allocation live again */
size_t cpucc_free_memory(void); /* returns the bytes that the active device can still allocate */
/* Returns the allocation, freed or not, that contains the address or is near it, else NULL. */
const struct allocation *cpucc_allocation_near(uintptr_t address);
bool cpucc_heap_holds(uintptr_t address, size_t bytes);   /* in one live allocation */
void cpucc_heap_written(uintptr_t address, size_t bytes); /* marks heap bytes as written */
enum written { NONE_WRITTEN, SOME_WRITTEN, ALL_WRITTEN }; /* SOME_WRITTEN: the records tell */
enum written cpucc_page_is_written(uintptr_t address);    /* of the heap's page at the address */
void cpucc_fill_page(size_t page); /* fills in the records of a page whose state is not 0 */

/* Whether the bytes, at most 4096, lie in pages of the heap that are known to be written. */
static inline bool cpucc_pages_written(uintptr_t address, uint32_t bytes)
{
    size_t in_heap = address - (uintptr_t)cpucc_heap;
    return in_heap < (size_t)(cpucc_heap_end - cpucc_heap) && cpucc_page_written[in_heap >> 12] &&
           cpucc_page_written[(in_heap + bytes - 1) >> 12];
}

/* ---- devices.c ---- */

void cpucc_devices_start(void);
/* The device whose memory has this address; -1: none, such as the host's memory and variables. */
int cpucc_owner(uintptr_t address);
/* Lets the mask decide which other devices may use the allocation, instead of peer access. */
void cpucc_set_pool(void *allocation, const unsigned *mask);
/* Whether the address is in memory of another device that the active device may not use. */
bool cpucc_is_out_of_reach(uintptr_t address);
const char *cpucc_access_hint(uintptr_t address); /* returns what would let it, as text */
/* Whether the address is in the memory of another device than the active one. */
static inline bool cpucc_is_peers(uintptr_t address)
{
    int owner = cpucc_owner(address);
    return owner >= 0 && owner != cpucc_active_device;
}
bool cpucc_peer_enabled(int device, int peer); /* `device` may use the memory of `peer` */
void cpucc_enable_peer(int device, int peer, bool on);
/* Puts this device's values and records of __device__ and __constant__ variables in place. */
void cpucc_use_variables(int device);

/* ---- memory_limits.c ---- */

size_t
cpucc_bytes_taken(void); /* returns the bytes of this machine that a byte of device memory takes */
/* Returns the bytes of device memory, at most `device`, that fit into the free memory; into 70 % of it unless the
 * user has set CPUCC_MEMORY. */
size_t cpucc_memory_available(size_t device);
/* Returns the bytes of the heap, at most `wanted`, that can be reserved together with records. */
size_t cpucc_address_space(size_t wanted);
/* Reserves zeroed address space that takes memory only where it is touched. If that fails, returns
 * NULL, or ends the program if it is `required`. */
bool cpucc_is_mapped(const void *p, size_t bytes); /* whether the range's pages exist */
void *cpucc_reserve(size_t bytes, bool required);

/* ---- variables.c: device variables; host memory that kernels may use ---- */

extern struct device_part __start_cpucc_parts[] __attribute__((weak)),
    __stop_cpucc_parts[] __attribute__((weak)); /* the program's kernels and variables */
/* Notes that a __managed__ variable lies in host memory at this address. */
void cpucc_note_managed(const struct device_part *variable, const void *host);
/* Returns the variable that contains the address or is near it, and the offset in it, else NULL. */
const struct device_part *cpucc_variable_near(uintptr_t address, long *offset);
bool cpucc_is_gap(const struct device_part *part);    /* unused bytes behind a variable */
bool cpucc_in_gap(uintptr_t address, uint32_t bytes); /* true if it meets a gap behind a variable */

shadow *cpucc_registered_shadow(uintptr_t address); /* of registered host memory, or NULL */
bool cpucc_register(const void *p, size_t bytes);   /* false if part of it is registered */
bool cpucc_unregister(const void *p);               /* false if nothing registered begins there */

/* ---- describe.c ---- */

/* Returns the address as text (variable or allocation, and element), in a static buffer. */
const char *cpucc_describe_address(uintptr_t address);
/* Returns a number that two addresses share if they lie in one allocation or one variable; a shared variable is
 * one in all blocks. */
uintptr_t cpucc_object_at(uintptr_t address);
/* The variable, or the allocation by the call at pc, at an address; no bytes if there is none. */
struct object {
    const char *name; /* of a variable, else NULL */
    uintptr_t start, pc;
    size_t bytes;
};
struct object cpucc_object(uintptr_t address);

#pragma GCC visibility pop
#endif
