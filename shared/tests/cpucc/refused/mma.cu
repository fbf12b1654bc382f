/* Tensor cores. */
#include <mma.h> /* REFUSED: mma.h */
int main() {}
