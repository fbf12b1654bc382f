/* cooperative_groups: the main header has it. */
#include "../cooperative_groups.h"
