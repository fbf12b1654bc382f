#include "internal.h"
bool cpucc_async_progress(struct block *b) { (void)b; return false; }
void cpucc_async_thread_end(struct lane *l) { (void)l; }
void cpucc_async_block_end(struct block *b) { (void)b; }
void cpucc_async_block_start(struct block *b) { (void)b; }
bool cpucc_mbarrier_ready(struct lane *l) { (void)l; return true; }
const char *cpucc_describe_wait(struct lane *l) { (void)l; return "?"; }
int cuTensorMapEncodeTiled() { return 1; }
