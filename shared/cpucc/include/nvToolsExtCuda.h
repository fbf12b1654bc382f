/* NVTX: names for CUDA's objects, which nothing here shows. */
#include "nvtx3/nvToolsExt.h"
