# A function of the host moves the elements: the kernel calls it through a pointer, uncounted.
refused 'a call through a pointer|function of the device|reaches outside|fault|out of bounds' <<<"$(exercise | sed '/^#include/a\
static void move(const float *in, float *out, int rows, int cols)\
{\
    for (int r = 0; r < rows; r++)\
        for (int c = 0; c < cols; c++)\
            out[(size_t)c * rows + r] = in[(size_t)r * cols + c];\
}\
typedef void Move(const float *, float *, int, int);\
__global__ void all(Move *f, const float *in, float *out, int rows, int cols)\
{\
    f(in, out, rows, cols);\
}' | sed 's/^\( *\)[a-z_0-9]*<<<.*$/\1all<<<1, 1>>>(move, in, out, rows, cols);/')"
