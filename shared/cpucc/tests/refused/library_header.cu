/* The header of a library that is not there, which an installed toolkit would have. */
#include <cufft.h> /* REFUSED: cufft.h */
int main() {}
