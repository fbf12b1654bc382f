/* CUDA also offers the pipeline primitives under this name. */
#include "cuda_pipeline.h"
