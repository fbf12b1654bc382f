#!/bin/bash
# Runs the whole workbook: see usage() below.
set -u
caller=$PWD
cd "$(dirname "$0")" || exit 2

usage() {
    cat <<'END'
usage: ./run_all.sh [--install] [--test] [--size N] [--quick] [--out DIR] [--help]
       ./run_all.sh --exercises [STEP] [--next] [--hint NAME] ... (--exercises --help lists all)
       ./run_all.sh --grade DIR... | --handout DIR

With an NVIDIA GPU and nvcc: builds every step, verifies every variant, measures it against the
copy ceiling, and draws the charts. Without: runs every step on the CPU, which verifies it and
counts its memory traffic exactly.

  --install   first install what is missing, through apt-get
  --test      build and run every test instead
  --size N    N x N matrices (default: up to 32768 on a GPU, 256 on the CPU)
  --quick     on a GPU: 4096 x 4096, 3 rounds, one turn, no sweep over sizes
  --out DIR   where results and figures go (default: out)

Exit status: 0 everything that could run was verified, 1 something failed, 2 wrong usage.
END
}

steps=(00_copy/copy 01_naive/naive 02_smem/smem 03_padding/padding 04_swizzle_5_0_5/swizzle
    05_coarsen/coarsen 06_vectorize/vectorize 07_tma/tma)
# What the main job and the tests run, as "command:Debian package".
needs=(g++:g++ make:make cmake:cmake gnuplot:gnuplot-nox clang:clang)
exercises=() install=no test=no quick=no size='' out=out turns=3
failures=0

wrong_usage() {
    echo "run_all.sh: $1 (--help lists the options)" >&2
    exit 2
}

# A relative path is the caller's, who need not stand in this folder.
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
    --exercises | --grade | --handout) # their options are their own
        exercises=("$@")
        break
        ;;
    --size | --out)
        [ -n "${2:-}" ] || wrong_usage "$1: a value is needed after it"
        if [ "$1" = --out ]; then out=$(from_caller "$2"); else size=$2; fi
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
if [ -n "$size" ] && { [[ ! $size =~ ^[1-9][0-9]{0,9}$ ]] || [ "$size" -gt 2147483647 ]; }; then
    wrong_usage "--size $size: a whole number from 1 to 2147483647 is needed"
fi
[ $quick = no ] || turns=1
if [ $test = no ] && [ ${#exercises[@]} -eq 0 ]; then
    mkdir -p "$out/parts" 2>/dev/null
    [ -w "$out/parts" ] || wrong_usage "--out $out: cannot write there"
fi

have() { command -v "$1" >/dev/null 2>&1; }
has_device() { nvidia-smi -L 2>/dev/null | grep -q GPU; }

# Installs what is missing, or says what to install where it cannot. nvcc is taken from the
# distribution only if that is new enough for all steps.
install_missing() {
    local missing=() need as_root=
    for need in "${needs[@]}"; do
        have "${need%%:*}" || missing+=("${need#*:}")
    done
    # cpucc links this library; /usr/lib/ARCHITECTURE holds it.
    compgen -G '/usr/lib*/**/libboost_context.*' >/dev/null || missing+=(libboost-context-dev)
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    if [ ${#missing[@]} -gt 0 ]; then
        echo "installing: ${missing[*]}"
        if have apt-get && { [ -z "$as_root" ] || have sudo; }; then
            $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
                $as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
                echo "apt-get could not install them; please install: ${missing[*]}"
        else
            echo "no apt-get here, or no way to run it as root; please install: ${missing[*]}"
        fi
    fi
    # Without these two some tests check less, and say so.
    if [ $test = yes ] && have apt-get; then
        missing=()
        have valgrind || missing+=(valgrind)
        compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer*.a' >/dev/null ||
            missing+=(libclang-rt-dev)
        [ ${#missing[@]} -eq 0 ] || DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq \
            --no-install-recommends "${missing[@]}" >/dev/null ||
            echo "for all of the tests, please install: ${missing[*]}"
    fi
    have nvcc && return
    local packaged
    packaged=$(apt-cache policy nvidia-cuda-toolkit 2>/dev/null | awk '/Candidate:/ {print $2}')
    if has_device && [ -n "$packaged" ] && dpkg --compare-versions "$packaged" ge 12.5 2>/dev/null; then
        $as_root apt-get install -y -qq nvidia-cuda-toolkit >/dev/null
    else
        echo "nvcc is not installed; CUDA 12.5 or newer is at https://developer.nvidia.com/cuda-downloads"
    fi
}

run_tests() {
    local tool
    for tool in cmake make; do
        have $tool || { echo "$tool is missing: ./run_all.sh --install --test installs it"; exit 1; }
    done
    cmake -S . -B build && cmake --build build -j "$(nproc)" &&
        ctest --test-dir build --output-on-failure
    exit $(($? != 0))
}

# run_program TITLE FILE COMMAND...: runs one program of a turn; its results go to FILE. An exit
# status of 3 (this machine cannot run it) is reported and is no failure.
run_program() {
    local title=$1 file=$2 status
    shift 2
    echo
    echo "== $title"
    "$@" --tsv "$file"
    status=$?
    case $status in
    0) ;;
    3) echo "   not run on this machine" ;;
    *)
        failures=$((failures + 1))
        echo "   FAILED with exit status $status"
        ;;
    esac
}

build_steps() {
    local step
    for step in "${steps[@]}"; do
        echo "building $step"
        make -s -C "steps/${step%/*}" || failures=$((failures + 1))
    done
    echo "building the peers"
    if echo 'int main(void){return 0;}' >"$out/parts/probe.cu" &&
        nvcc "$out/parts/probe.cu" -lcublas -o "$out/parts/probe" 2>/dev/null; then
        nvcc -O3 -std=c++17 -arch="$(has_device && echo native || echo sm_90)" -Ishared \
            shared/peers/cublas_geam.cu -o shared/peers/cublas_geam -lcublas || failures=$((failures + 1))
    else
        echo "   cuBLAS is not installed: without that peer"
    fi
    rm -f "$out"/parts/probe*
}

# one_round FILE-PREFIX TITLE ARGUMENT...: every program once.
one_round() {
    local prefix=$1 title=$2 step number=0
    shift 2
    for step in "${steps[@]}"; do
        number=$((number + 1))
        run_program "$title: ${step%/*} ($number of ${#steps[@]})" "$prefix.${step%/*}.tsv" \
            "steps/$step" "$@"
    done
}

peers() {
    local prefix=$1 title=$2
    shift 2
    [ ! -x shared/peers/cublas_geam ] ||
        run_program "$title: peer cuBLAS" "$prefix.peers_cublas.tsv" shared/peers/cublas_geam "$@"
    ! python3 -c 'import torch' 2>/dev/null ||
        run_program "$title: peer PyTorch" "$prefix.peers_torch.tsv" \
            python3 shared/peers/torch_transpose.py "$@"
}

# merge NAME FILE...: one file out of those of all programs and turns.
merge() {
    local name=$1 file files=()
    shift
    for file in "$@"; do
        [ ! -f "$file" ] || files+=("$file")
    done
    if [ ${#files[@]} -eq 0 ]; then
        echo "no program wrote results: no $name"
    else
        plots/merge.sh --command "$command_line" "$out/$name" "${files[@]}" ||
            failures=$((failures + 1))
    fi
}

run_on_gpu() {
    local turn arguments=() side
    build_steps
    [ $quick = no ] || size=${size:-4096}
    [ -z "$size" ] || arguments+=(--size "$size")
    [ $quick = no ] || arguments+=(--rounds 3)
    for turn in $(seq $turns); do
        one_round "$out/parts/turn$turn" "turn $turn of $turns" "${arguments[@]}"
        peers "$out/parts/turn$turn" "turn $turn of $turns" "${arguments[@]}"
    done
    merge bandwidth.tsv "$out"/parts/turn*.tsv
    [ $quick = no ] || return
    for side in 256 512 1024 2048 4096 8192 16384 32768; do
        [ -n "$size" ] && [ "$side" -gt "$size" ] && break
        one_round "$out/parts/size$(printf %05d $side)" "size $side" --size $side
    done
    merge sizes.tsv "$out"/parts/size*.tsv
}

# The counts of all steps in one file, written whole.
run_on_cpu() {
    local step name number=0 first=1
    export CPUCC_LANES_FILE=$out/parts/lanes.part # the programs add their shared accesses to it
    for step in "${steps[@]}"; do
        number=$((number + 1))
        name=${step%/*}
        if shared/cpucc/cpucc -Ishared "steps/$step.cu" -o "$out/parts/$name.cpu"; then
            run_program "$name ($number of ${#steps[@]})" "$out/parts/$name.tsv" \
                "$out/parts/$name.cpu" --size "${size:-256}"
        else
            failures=$((failures + 1))
        fi
        [ ! -f "$out/parts/$name.tsv" ] ||
            grep -v '^#' "$out/parts/$name.tsv" | tail -n +$((2 - first)) >>"$out/parts/rows.part"
        first=0
    done
    if [ $failures -gt 0 ]; then
        echo "$out/counts.tsv and lanes.tsv are left as they were; what ran is in $out/parts"
        return
    fi
    {
        echo "# gpu: no GPU, counted on the CPU"
        echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
        echo "# command: $command_line"
        cat "$out/parts/rows.part"
    } >"$out/parts/counts.part"
    mv "$out/parts/counts.part" "$out/counts.tsv"
    [ ! -f "$out/parts/lanes.part" ] || mv "$out/parts/lanes.part" "$out/lanes.tsv"
    plots/counts_table.sh "$out/counts.tsv"
}

# Where nothing can run, the charts of the recorded run say what the steps reach.
show_recorded() {
    local recorded
    for recorded in plots/results/*/bandwidth.tsv; do
        [ -f "$recorded" ] || continue
        echo "recorded on $(sed -n 's/^# gpu: //p' "$recorded"), $(sed -n 's/^# date: //p' "$recorded"):"
        plots/table.sh "$recorded"
        ! have gnuplot || plots/draw.sh "${recorded%/*}" --out "$out/figures" --note recorded
    done
}

draw() {
    if have gnuplot; then
        plots/draw.sh "$out" || failures=$((failures + 1))
    else
        echo "gnuplot is not installed; once it is, draw the charts with: plots/draw.sh $out"
    fi
}

# An interrupted run leaves the files of the one before as they were.
trap 'echo; echo "interrupted: $out is as it was, but for $out/parts"; exit 130' INT TERM

command_line="run_all.sh${size:+ --size $size}"
[ $quick = no ] || command_line+=" --quick"
[ $install = no ] || install_missing
[ "$caller" = "$PWD" ] || export EXERCISES_CALLER=$caller
[ ${#exercises[@]} -eq 0 ] || exec shared/exercises/check.sh "${exercises[@]}"
[ $test = no ] || run_tests

rm -f "$out"/parts/*.tsv "$out"/parts/*.part
if ! have nvcc; then
    why="no nvcc here"
elif ! has_device; then
    why="no CUDA device here"
else
    why=
fi
if [ -z "$why" ]; then
    run_on_gpu
    echo
    [ ! -f "$out/bandwidth.tsv" ] || plots/table.sh "$out/bandwidth.tsv"
    draw
elif [ -x shared/cpucc/cpucc ] && have clang; then
    echo "$why: running every step on the CPU, at ${size:-256} x ${size:-256}"
    run_on_cpu
    echo
    draw
else
    echo "$why, and no clang for a run on the CPU: showing what was recorded"
    ! have nvcc || build_steps
    show_recorded
fi
echo "results: $out/*.tsv; figures: $out/figures"
[ $failures -eq 0 ] || echo "$failures of the programs above FAILED"
exit $((failures != 0))
