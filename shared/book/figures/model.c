/*
 * The model of shared/traffic for WebAssembly: a request is set lane by lane, and its cost, sectors and wavefronts
 * are read number by number, so that the page needs no view of this memory.
 */
#include "traffic/traffic.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

static struct traffic_request request;
static struct traffic_cost cost;
static struct traffic_wavefront wavefront[TRAFFIC_MAX_WAVEFRONTS];
static struct traffic_sector sector[TRAFFIC_MAX_WAVEFRONTS];

/* Begins a request without lanes. kind: a value of enum traffic_kind. */
void EXPORT(begin)(int kind, int bytes)
{
    request = (struct traffic_request){(enum traffic_kind)kind, bytes, 0, {0}};
}

/* Makes a lane active, at this byte address. */
void EXPORT(lane)(int number, unsigned address)
{
    request.lanes |= UINT32_C(1) << (number & 31);
    request.address[number & 31] = address;
}

/* Computes the request. Returns its work: sectors or wavefronts; 0 if it is empty or illegal. */
int EXPORT(end)(void)
{
    cost = traffic_cost(&request);
    traffic_sectors(&request, sector);
    traffic_wavefronts(&request, wavefront);
    return cost.work;
}

int EXPORT(ideal)(void) { return cost.ideal; }
int EXPORT(packets)(void) { return traffic_packets(&request).work; }
unsigned EXPORT(sector_number)(int i) { return (unsigned)sector[i & 31].number; }
unsigned EXPORT(sector_lanes)(int i) { return sector[i & 31].lanes; }
int EXPORT(group)(int i) { return wavefront[i & 31].group; }
unsigned EXPORT(word)(int i, int bank) { return (unsigned)wavefront[i & 31].word[bank & 31]; }
unsigned EXPORT(word_lanes)(int i, int bank) { return wavefront[i & 31].lanes[bank & 31]; }
