# Functions for the benchmarks. Sourced, not run. Changes to the root of the tree.
# shellcheck shell=bash
set -u
unset CDPATH
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 2

# from_caller PATH: prints PATH for use in the root; a relative PATH is relative to the caller's folder.
from_caller() {
    case $1 in '' | /*) echo "$1" ;; *) echo "$caller/$1" ;; esac
}

# need_device: ends the script with status 3 if there is no CUDA device.
need_device() { nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no CUDA device" >&2; exit 3; }; }

# program_of FOLDER: prints the path of a step's program.
program_of() { echo "$1/$(sed -n 's/^PROGRAM *:\{0,1\}= *//p' "$1/Makefile")"; }

# build_peer NAME LIBRARY OUT: builds shared/peers/NAME.cu; fails if the library is not installed.
build_peer() { nvcc -O3 -std=c++17 -arch=native -Ishared "shared/peers/$1.cu" -o "$3" "-l$2" 2>"$3.log"; }

has_torch() { python3 -c 'import torch' 2>/dev/null; }
