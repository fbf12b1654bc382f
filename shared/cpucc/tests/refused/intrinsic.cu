/* An intrinsic that does not exist. */
__global__ void k(int *p) { *p = __nv_no_such_thing(3); } /* REFUSED: __nv_no_such_thing */
int main() { k<<<1, 1>>>(nullptr); }
