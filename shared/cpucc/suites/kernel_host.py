"""Writes a host for a kernel that GPUVerify's test suite gives without one.

The host includes the kernel's file behind annotations.h, gives each pointer an array of its own and each number a
value, and launches the kernel with the sizes of line 2, at most 1024 threads per block and 256 blocks. Its argument
chooses one of INPUTS sets of values.
"""
import re

INPUTS = 3
NUMBERS = r"\b(int|unsigned|signed|char|short|long|float|double|bool|size_t|u?int\d*_t|uint|uchar|ushort|ulong)\b"


def text_of(source):
    with open(source, encoding="utf-8", errors="replace") as file:
        return file.read()


def sizes(text, option, most):
    """Returns the sizes that an option such as --blockDim=[8,8] gives, with a product of at most `most`."""
    found = re.search(r"--%s=(\[[\d,]+\]|\d+)" % option, text)
    numbers = [int(number) for number in re.findall(r"\d+", found.group(1))] if found else [1]
    while len(numbers) < 3:
        numbers.append(1)
    while numbers[0] * numbers[1] * numbers[2] > most:
        largest = numbers.index(max(numbers))
        numbers[largest] //= 2
    return numbers


def flags(source):
    """Returns the macros that line 2 defines."""
    options = text_of(source).splitlines()[1:2]
    return re.findall(r"-D\S+", options[0]) if options else []


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def parameters(text):
    """Returns the kernel's name, and its parameters as pairs of type and name; of a template its instance's."""
    found = re.search(r"\btemplate\s+__global__\s+void\s+(\w+\s*<[^;(]*>)\s*\(", text) or re.search(r"__global__\s+(?:static\s+|inline\s+)?void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(", text)
    if not found:
        return None, []
    depth, end = 1, found.end()
    while depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    pairs = []
    for part in text[found.end():end - 1].split(","):
        part = re.sub(r"\b(__restrict__|const|volatile|__restrict|restrict)\b", " ", part).split("=")[0].strip()
        pair = re.match(r"(.*?[\s*&])(\w+)\s*((?:\[\w*\])?)$", part, re.S)
        if pair:
            pairs.append((pair.group(1).strip() + ("*" if pair.group(3) else ""), pair.group(2)))
    return found.group(1), pairs


def has_pointers(kind, text):
    """Whether a struct or class of the file has members that are pointers."""
    del kind
    return any("*" in body.split("(")[0] for body in re.findall(r"\b(?:struct|class)\b\s*\w*[^{;]*\{(.*?)\}", text, re.S))


def stubs(text):
    """Returns definitions of the device functions that the file declares without one: they return zero."""
    return ["__device__ %s%s(%s) { return %s; }" % (kind, name, arguments, "" if kind.strip() == "void" else "0")
            for kind, name, arguments in re.findall(r"__device__\s+([\w\s*]*?\b[\s*]*)(\w+)\s*\(([^)]*)\)\s*;", text)]


def functions(name, text):
    """Returns the device functions that the annotations allow the argument to point to."""
    return [wanted for wanted in re.findall(r"\b%s\s*==\s*(\w+)" % name, text)
            if re.search(r"__device__[\w\s*]*\b%s\s*\(" % wanted, text)]


def argument(number, kind, name, text, whole):
    """Returns the lines that declare and fill the argument."""
    target = "a%d" % number
    if "*" in kind:
        element = kind.replace("*", "", 1).strip()
        if "*" not in element and not re.search(NUMBERS, element) and not has_pointers(element, text):
            return ["FILLED_BYTES(%s, %s)" % (element, target)]
        if "*" in element or not re.search(NUMBERS, element):
            return ["%s %s = (%s)plain_array(sizeof(*%s));" % (kind, target, kind, target)]
        return ["FILLED_ARRAY(%s, %s)" % (element, target)]
    wanted = re.search(r"__requires\s*\(\s*%s\s*==\s*([\w<*+ .()-]+?)\s*\)" % name, text)
    if wanted and not functions(name, text):
        value = wanted.group(1).replace("blockDim.x", "block_size")
        return ["%s %s = (%s)(%s);" % (kind, target, kind, value)]
    if re.search(NUMBERS, kind):
        found = re.search(r"^//%s = (\d+)" % name, whole, re.M)  # GPUVerify's counterexample
        value = "number(%d)" % number
        value = "(input == 0 ? %s : %s)" % (found.group(1), value) if found else value
        return ["%s %s = (%s)%s;" % (kind, target, kind, value)]
    if functions(name, text):
        return ["%s %s;" % (kind, target), "cudaMemcpyFromSymbol(&%s, given_%s, sizeof %s);" % (target, name, target)]
    lines = ["%s %s;" % (kind, target), "memset((void *)&%s, 0, sizeof %s);" % (target, target)]
    if has_pointers(kind, text):
        lines += ["fill_pointers((void *)&%s, sizeof %s);" % (target, target)]
    for path in re.findall(r"__requires_fresh_array\(\s*%s\.([\w.\[\]]+)\s*\)" % name, text):
        field = "%s.%s" % (target, path)
        lines.append("%s = (__typeof__(%s))plain_array(sizeof *%s);" % (field, field, field))
    return lines


def write(source, host):
    """Writes the host's source file."""
    whole = text_of(source)
    text = without_comments(whole)
    name, pairs = parameters(text)
    block, grid = sizes(whole, "blockDim", 1024), sizes(whole, "gridDim", 256)
    here = __file__.rsplit("/", 1)[0] or "."
    lines = ['#include "%s/annotations.h"' % here, '#include "%s"' % source]
    lines += stubs(text)
    lines += ["__device__ %s given_%s = %s;" % (kind, parameter, functions(parameter, text)[0])
              for kind, parameter in pairs if functions(parameter, text)]
    lines += ["int main(int, char **argv)", "{",
              "    start(argv[1], %d, %d);" % (block[0], block[0] * block[1] * block[2] * grid[0] * grid[1] * grid[2])]
    for number, (kind, parameter) in enumerate(pairs):
        lines += ["    " + line for line in argument(number, kind, parameter, text, whole)]
    values, launch = ["a%d" % number for number in range(len(pairs))], "dim3(%d, %d, %d), dim3(%d, %d, %d), %d" % (
        *grid, *block, 16384 if re.search("extern.*__shared__|SharedMemory", text) else 0)
    if "grid_group" in text:
        lines += ["    void *all[] = {%s};" % ", ".join("&" + value for value in values),
                  "    cudaLaunchCooperativeKernel((void *)%s, %s, all);" % (name, launch.rsplit(",", 1)[0])]
    else:
        lines += ["    %s<<<%s>>>(%s);" % (name, launch, ", ".join(values))]
    lines += ["    return cudaDeviceSynchronize() != cudaSuccess;", "}", ""]
    with open(host, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
