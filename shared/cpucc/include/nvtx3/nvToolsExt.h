/* Marks for profilers (NVTX): nobody listens. */
#ifndef CPUCC_NVTX_H
#define CPUCC_NVTX_H
#include <stdint.h>
#define NVTX_VERSION 3
#define NVTX_COLOR_ARGB 1
#define NVTX_MESSAGE_TYPE_ASCII 1
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const void *registered;
    } message;
} nvtxEventAttributes_t;
static inline int nvtxRangePushA(const char *__text) { return (void)__text, 0; }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *a) { return (void)a, 0; }
static inline int nvtxRangePop(void) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartA(const char *__text) { return (void)__text, 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *a) { return (void)a, 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
static inline void nvtxMarkA(const char *__text) { (void)__text; }
static inline void nvtxNameOsThreadA(uint32_t __cpucc_thread, const char *__text)
{
    (void)__cpucc_thread, (void)__text;
}
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#endif
