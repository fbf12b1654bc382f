/* CUB of an installed toolkit, which brings the 16-bit types with it. */
#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include_next <cub/cub.cuh>
