# For the benchmarks: sourced. Goes to the root of the tree; ends with 3 where there is no device.
# shellcheck shell=bash
set -u
unset CDPATH
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 2

# from_caller PATH: prints the path as seen from the root; a relative path is the caller's.
from_caller() {
    case $1 in '' | /*) echo "$1" ;; *) echo "$caller/$1" ;; esac
}

need_device() { nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no CUDA device" >&2; exit 3; }; }

# program_of FOLDER: prints the path of a step's program.
program_of() { echo "$1/$(sed -n 's/^PROGRAM *:\{0,1\}= *//p' "$1/Makefile")"; }

# build_peer NAME LIBRARY OUT: builds shared/peers/NAME.cu; fails where the library is not installed.
build_peer() { nvcc -O3 -std=c++17 -arch=native -Ishared "shared/peers/$1.cu" -o "$3" "-l$2" 2>"$3.log"; }

has_torch() { python3 -c 'import torch' 2>/dev/null; }
