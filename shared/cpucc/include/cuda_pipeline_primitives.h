/* The primitives have a header of their own too. */
#include "cuda_pipeline.h"
