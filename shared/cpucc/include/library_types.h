/* cudaDataType and related types, which driver_types.h declares. */
#include "driver_types.h"
