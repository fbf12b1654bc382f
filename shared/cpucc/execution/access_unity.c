/* Compiles the files that every access passes through as one unit, so that the compiler can inline
 * their calls. */
#define _GNU_SOURCE
#include <unistd.h>
#include "shadow.c"
#include "deferred_access.c"
#define access access_by_lane /* unistd.h declares access() */
#include "access.c"
#undef access
#undef HERE
#include "schedule.c"
#include "blocks.c"
#include "count.c"
#include "readers.c"
#include "races.c"
#include "request.c"
#include "order.c"
#include "order_barriers.c"
#include "vector_clock.c"
#include "collective.c"
#include "../traffic/traffic.c"
