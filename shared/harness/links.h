/*
 * Asks the driver how fast the links of a device are. NVML is taken at run time, so that no program
 * links it or needs its header; the declarations follow NVML's public interface.
 */
#ifndef LINKS_H
#define LINKS_H

#include "device.h"
#include <dlfcn.h>
#include <math.h>

enum {
    NVML_SUCCESS = 0,
    NVML_LINKS = 18,       /* NVML_NVLINK_MAX_LINKS */
    NVML_LINK_SPEED = 164, /* NVML_FI_DEV_NVLINK_GET_SPEED, in MB/s; the scope is the link */
    NVML_COMMON_SPEED = 90 /* NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON, of older drivers */
};

/* nvmlFieldValue_t */
typedef struct {
    unsigned field, scope;
    long long timestamp, latency;
    int type, error;
    union {
        double any;
        unsigned whole;
    } value;
} NvmlField;

/* Returns GB/s that device `number` can send through all its active links together, one way; NAN if it
 * has no links or the driver does not tell. */
static inline double link_rate(int number)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), *handle = NULL;
    char bus[32];
    double rate = 0;
    if (!library || cudaDeviceGetPCIBusId(bus, sizeof bus, number) != cudaSuccess)
        return NAN;
    int (*init)(void) = (int (*)(void))dlsym(library, "nvmlInit_v2");
    int (*by_bus)(const char *, void **) =
        (int (*)(const char *, void **))dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
    int (*is_active)(void *, unsigned, unsigned *) =
        (int (*)(void *, unsigned, unsigned *))dlsym(library, "nvmlDeviceGetNvLinkState");
    int (*read)(void *, int, NvmlField *) =
        (int (*)(void *, int, NvmlField *))dlsym(library, "nvmlDeviceGetFieldValues");
    if (!init || !by_bus || !is_active || !read || init() != NVML_SUCCESS ||
        by_bus(bus, &handle) != NVML_SUCCESS)
        return NAN;
    for (unsigned link = 0; link < NVML_LINKS; link++) {
        unsigned active = 0;
        NvmlField fields[2] = {};
        fields[0].field = NVML_LINK_SPEED, fields[0].scope = link;
        fields[1].field = NVML_COMMON_SPEED;
        if (is_active(handle, link, &active) != NVML_SUCCESS || !active ||
            read(handle, 2, fields) != NVML_SUCCESS)
            continue;
        int f = fields[0].error == NVML_SUCCESS && fields[0].value.whole ? 0 : 1;
        if (fields[f].error == NVML_SUCCESS)
            rate += fields[f].value.whole / 1e3;
    }
    return rate > 0 ? rate : NAN;
}

#endif
