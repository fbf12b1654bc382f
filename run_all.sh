#!/bin/bash
# Runs the whole workbook: see usage() below. The functions are in shared/run_all.
set -u
unset CDPATH # with it cd could go elsewhere
caller=$PWD
self=$(readlink -f -- "$0") || self=$0 # $0 may be a symbolic link
case $self in */*) cd -- "${self%/*}/" || exit 2 ;; esac
umask u=rwx

usage() {
    cat <<'END'
usage: ./run_all.sh [--install] [--size N] [--quick] [--out DIR] [--recorded NAME] [--help]
       ./run_all.sh [--install] --test [--quick]
       ./run_all.sh [--install] --exercises [STEP] [--next] [--hint NAME] ...
       ./run_all.sh --grade DIR... | --handout DIR
       ./run_all.sh [--install] --book [--out DIR]

With an NVIDIA GPU and nvcc, run_all.sh builds every step, verifies every variant, measures it against
the copy ceiling, and draws the charts. Otherwise it runs every step on the CPU, verifies it, counts
its memory traffic exactly, and draws the bandwidth charts from recorded results.

  --install        first install what is missing, through apt-get (--test: also Playwright, through pip)
  --test           build and run every test instead; with --quick, the quick tests
  --book           make one HTML book of all lessons, out/book/index.html
  --size N         N x N matrices (default: up to 32768 on a GPU, 256 on the CPU)
  --quick          on a GPU: 4096 x 4096, each program once instead of three times, 3 timed rounds per
                   variant, no sweep over sizes
  --out DIR        where results and figures go (default: out)
  --recorded NAME  also draw the results of plots/results/NAME, into figures/NAME (default without a
                   GPU: the GPU named in plots/results/shown)
  --exercises      list the solved exercises and the next one (see --exercises --help)

Exit status: 0 everything that could run was verified, 1 something failed, 2 wrong usage, 3 nothing
could run on this machine (for example, too little memory).
END
}

# stop STATUS TEXT: prints TEXT on standard error and exits with STATUS.
stop() {
    echo "run_all.sh: $2" >&2
    exit "$1"
}
wrong_usage() { stop 2 "$1 (--help lists the options)"; }
have() { command -v "$1" >/dev/null 2>&1; }
has_device() { nvidia-smi -L 2>/dev/null | grep -q GPU; }

exercises=() install=no test=no book=no quick=no size='' out=out recorded='' failures=0 measured=0

# shellcheck source=shared/run_all/install.sh
. shared/run_all/install.sh
# shellcheck source=shared/run_all/programs.sh
. shared/run_all/programs.sh
# shellcheck source=shared/run_all/results.sh
. shared/run_all/results.sh
# shellcheck source=shared/run_all/gpu.sh
. shared/run_all/gpu.sh
# shellcheck source=shared/run_all/cpu.sh
. shared/run_all/cpu.sh
# shellcheck source=shared/run_all/figures.sh
. shared/run_all/figures.sh

# from_caller PATH: prints PATH for use in this folder; a relative PATH is relative to the caller's folder.
from_caller() {
    case $1 in
    /*) echo "$1" ;;
    *) if [ "$caller" = "$PWD" ]; then echo "$1"; else echo "$caller/$1"; fi ;;
    esac
}

while [ $# -gt 0 ]; do
    case $1 in
    --install) install=yes ;;
    --test) test=yes ;;
    --quick) quick=yes ;;
    --book) book=yes ;;
    --exercises | --grade | --handout) # check.sh reads the rest
        exercises=("$@")
        break
        ;;
    --size | --out | --recorded)
        [ -n "${2:-}" ] || wrong_usage "$1 needs a value"
        case $1 in
        --size) size=$2 ;;
        --out) out=$(from_caller "$2") ;;
        --recorded) recorded=$2 ;;
        esac
        shift
        ;;
    --help)
        usage
        exit 0
        ;;
    *) wrong_usage "$1: unknown option" ;;
    esac
    shift
done
[ "$(ulimit -f)" != 0 ] || stop 2 "no file can be written: ulimit -f is 0"
if [ -n "$size" ] && { [[ ! $size =~ ^[1-9][0-9]{0,9}$ ]] || [ "$size" -gt 2147483647 ]; }; then
    wrong_usage "--size $size: a whole number from 1 to 2147483647 is needed"
fi
[ $test = no ] || { [ -z "$size$recorded" ] && [ "$out" = out ]; } ||
    wrong_usage "--test cannot be combined with --size, --out or --recorded"
[ $book = no ] || { [ $test = no ] && [ $quick = no ] && [ -z "$size$recorded" ]; } ||
    wrong_usage "--book can be combined only with --install and --out"
[ -z "$recorded" ] || recorded_names | grep -qxF -e "$recorded" ||
    wrong_usage "--recorded $recorded: no such results; there are: $(recorded_names | paste -sd ' ')"

run_tests() {
    local tool only=()
    for tool in cmake make; do
        have $tool || stop 1 "$tool is missing: ./run_all.sh --install --test installs it"
    done
    mkdir -p build && lock build "another run of the tests is using $PWD/build: wait until it ends"
    echo "building the steps and the tests: up to 3 minutes on two cores"
    untouched="the next run goes on with $PWD/build"
    handle_signals
    run cmake -S . -B build || exit 1
    if [ $quick = yes ]; then
        run cmake --build build -j "$(nproc)" --target quick || exit 1
        only=(-L quick)
    else
        run cmake --build build -j "$(nproc)" || exit 1
    fi
    run ctest --test-dir build --output-on-failure -j "$(nproc)" "${only[@]}"
    exit $(($? != 0))
}

command_line="run_all.sh${size:+ --size $size}"
[ $quick = no ] || command_line+=" --quick"
[ $install = no ] || install_missing
if [ ${#exercises[@]} -gt 0 ]; then
    [ "$caller" = "$PWD" ] || export EXERCISES_CALLER=$caller
    exec shared/exercises/check.sh "${exercises[@]}"
fi
[ $test = no ] || run_tests
[ $book = no ] || exec shared/book/book.sh --results "$out" "$out/book"

find_steps
open_results
handle_signals
if ! have nvcc; then
    why="no nvcc here"
elif ! has_device; then
    why="no CUDA device here"
else
    why=
fi
if [ -n "$why" ] && [ -z "$recorded" ]; then
    recorded=$(cat plots/results/shown 2>/dev/null)
    [ -n "$recorded" ] || recorded=$(recorded_names | sort -r | head -n 1)
fi
mkdir "$out/parts/results" || stop 1 "$out: cannot write there"
if [ -z "$why" ]; then
    run_on_gpu
    echo
    [ $measured -eq 0 ] || [ ! -f "$out/parts/results/bandwidth.tsv" ] ||
        plots/table.sh "$out/bandwidth.tsv"
elif shared/cpucc/find_clang.sh >/dev/null; then
    run_on_cpu
else
    echo "$why, and no clang for a run on the CPU: showing recorded results"
    ! have nvcc || build_steps
    ! has_python || plots/table.sh "plots/results/$recorded/bandwidth.tsv"
    measured_nothing=expected
fi
echo
if has_python; then
    draw_all
    say_recorded
else
    echo "python3 is missing, so there are no tables and charts; run ./run_all.sh --install, then plots/draw.sh $out"
fi
echo "results: $out/*.tsv; figures: $out/figures"
[ $failures -eq 0 ] || stop 1 "$failures of the programs above FAILED"
[ $measured -gt 0 ] || [ -n "${measured_nothing:-}" ] || exit 3
