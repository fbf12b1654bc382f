# A library that the linker is to take in.
refused 'into a section of its own|touch 32 sectors|could not be linked' <<<"$(exercise | sed '/^#include/a\
#pragma comment(lib, "/usr/lib/x86_64-linux-gnu/libdl.so.2")')"
