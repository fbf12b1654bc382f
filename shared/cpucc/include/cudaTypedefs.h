/* Function types of driver entry points; cuda.h has the one that is supported. */
#include "cuda.h"
