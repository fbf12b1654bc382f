/* cudaDataType and its kin, which the types of the run-time API have. */
#include "driver_types.h"
