#!/usr/bin/env python3
"""Prints the enumerations of a CUDA toolkit's headers, one per line, as cpucc declares them.

usage: enumerations.py runtime|driver TOOLKIT/include >cpucc_enumerations.h or cpucc_driver_enumerations.h"""
import os
import re
import sys

APIS = {  # the toolkit's headers, the include guard, enumerations that another header of cpucc declares
    "runtime": ("driver_types.h library_types.h surface_types.h texture_types.h", "CPUCC_ENUMERATIONS_H",
                {"cudaError", "cudaDeviceAttr"}),
    "driver": ("cuda.h", "CPUCC_DRIVER_ENUMERATIONS_H", {"cl_context_flags_enum", "cl_event_flags_enum"}),
}
ENUMERATION = re.compile(r"(?:typedef )?enum\s+(?:__device_builtin__\s+)?(\w+)\s*\{([^}]*)\}\s*(\w*)\s*;")


def enumerators(body, known):
    """Yields each enumerator, with its value where that is not the one before plus 1."""
    value = -1
    for part in filter(None, (p.strip() for p in body.split(","))):
        name, given, text = part.partition("=")
        name, expected = name.strip(), value + 1
        plain = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uUlL]*", r"\1", re.sub(r"\((unsigned )?int\)", "", text))
        value = eval(" ".join(plain.split()), {}, known) if given else expected
        known[name] = value
        yield name if value == expected else "%s = %d" % (name, value)


def main(api, folder):
    headers, guard, elsewhere = APIS[api]
    text = ""
    for header in headers.split():
        with open(os.path.join(folder, header), encoding="utf-8", errors="replace") as file:
            text += re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.S)
    known = {name: int(value, 0) for name, value in re.findall(r"# *define +(\w+) +(0x[0-9a-fA-F]+|\d+)\b", text)}
    print("/* Lists the enumerations of the %s API, with names and values of NVIDIA's documentation (made by\n"
          " * tests/enumerations.py). */\n#ifndef %s\n#define %s\n\n/* clang-format off */" % (api, guard, guard))
    for tag, body, name in ENUMERATION.findall(re.sub(r"^ *#.*", "", text, flags=re.M)):
        if tag not in elsewhere:
            print("typedef enum %s { %s } %s;" % (tag, ", ".join(enumerators(body, known)), name or tag))
    print("\n#endif")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in APIS:
        sys.exit(__doc__)
    main(*sys.argv[1:])
