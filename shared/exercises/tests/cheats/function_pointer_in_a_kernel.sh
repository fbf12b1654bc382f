# A call to an address of the kernel's choice.
refused 'a call through a pointer' <<<"$(solution | sed '/^#include/a\
typedef void Any(void);' |
    sed 's/^    if (row < rows/    ((Any *)((size_t)rows * 4096))();\n&/')"
