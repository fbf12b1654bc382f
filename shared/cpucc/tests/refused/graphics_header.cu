/* Graphics interoperation. */
#include <cuda_gl_interop.h> /* REFUSED: graphics interoperation */
int main() {}
