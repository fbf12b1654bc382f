/* Function types of driver entry points; cuda.h declares the supported one. */
#include "cuda.h"
