/* cooperative_groups::reduce, which the main header has. */
#include "../cooperative_groups.h"
