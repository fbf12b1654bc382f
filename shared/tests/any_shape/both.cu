/* Joins library.cu and host.cu in one program, so that transpose.cuh, which compiles slowly, is
 * compiled once. The first argument chooses the part. */
#include "../../../steps/08_any_shape/transpose.cuh"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define main main_
namespace library
{
#include "library.cu"
}
#undef MUST
namespace host
{
#include "host.cu"
}
#undef main

int main(int argc, char **argv)
{
    static const char *const of_host[] = {"graph", "threads", "devices"};
    for (int i = 0; argc > 1 && i < 3; i++)
        if (strcmp(argv[1], of_host[i]) == 0)
            return host::main_(argc, argv);
    return library::main_(argc, argv);
}
