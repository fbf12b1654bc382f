# Rewrites clang's errors about what cpucc refuses: sed -E -f messages.sed ERRORS. Each rule names what
# clang says and what cpucc says. \x01 and \x02 mark places and are removed.

# All lines become one text.
:next
$!{
    N
    b next
}

# Launches and calls of the run-time API in device code.
s/error: reference to __global__ function '([^']*)' in __[a-z]*__[^\n]* function/error: cpucc: launching '\1' from device code (dynamic parallelism) is not supported: launch from the host/g
s/error: (reference to __host__ function '__cudaPush|kernel launch from __device__ or __global__ function)[^\n]*/error: cpucc: launching a kernel from device code (dynamic parallelism) is not supported: launch from the host/g
s/error: reference to __host__ function '(cuda[A-Z][^']*)' in __[a-z]*__[^\n]* function/error: cpucc: calling '\1' from device code (dynamic parallelism) is not supported: launch from the host/g

# A union with a vector: cpucc's vectors copy themselves as one access.
s/error: [^\n]*implicitly[ -]deleted[^\n]*\n[^\n]*note: copy [a-z ]* of '([^']*)' is implicitly deleted because variant field '([^']*)'[^\n]*/error: cpucc: '\1' has a vector ('\2') as a variant, and cannot be copied whole here: copy one of its members/g

# A name of the driver's API: this error alone. The complex types of cuComplex.h look like such names.
s/cu((Double|Float)?Complex)/c\x02u\1/g
s/[^\n]*error: [^\n]*(unknown type name|undeclared identifier|no type named|incomplete type)[^\n]*[^A-Za-z_0-9](CU[a-z]|cu[A-Z])[A-Za-z_0-9]+/\x01&/
/\x01/{
    s/^.*\x01//
    s/\n.*//
    s/error: [^']*'((CU[a-z]|cu[A-Z])[A-Za-z_0-9]+).*/error: cpucc: \1 of the driver API is not supported (modules, contexts, run-time compilation): use the run-time API/
    s/error: [^c][^\n]*[^A-Za-z_0-9]((CU[a-z]|cu[A-Z])[A-Za-z_0-9]+).*/error: cpucc: \1 of the driver API is not supported (modules, contexts, run-time compilation): use the run-time API/
}
s/\x02//g

# A call of the run-time API for which clang lists candidates: this error alone.
s/([^\n]*error: )no matching function for call to ('cuda[A-Z][^\n]*)\n([^\n]*note: [^\n]*\n)*[^\n]*note: [^\n]*call to __host__ function from __(global|device|host__ __device)__ function/\x01\1cpucc: calling \2 from device code (dynamic parallelism) is not supported: launch from the host\x02/
/\x01/{
    s/^.*\x01//
    s/\x02.*//
}
