#!/bin/bash
# The program of several devices on the CPU: its own options, one device, up to eight, ragged blocks, and what
# its kernels send to other devices. usage: devices.sh PROGRAM, built by cpucc
. "$(dirname "$0")/../../traffic/tests/checks.sh"
program=$1
export CPUCC_REPORT=off

# refused PATTERN ARGUMENT...: status 2 and one line that matches.
refused() {
    local pattern=$1
    shift
    expect 2 "$program" "$@"
    check "$*: it said $(cat "$work/err")" [ "$(grep -cxe "$pattern" "$work/err") $(wc -l <"$work/err")" = '1 1' ]
}
refused '--gpus 0: a whole number from 1 .*' --gpus 0
refused '--gpus 9: at most 8 devices' --gpus 9
refused '--gpus: a value is needed after it' --gpus
refused '--rank 2: a number below --ranks 2 is needed' --rank 2 --ranks 2 --meet "$work/meet"
refused '--rank, --ranks and --meet come together.*' --rank 0
refused '--rank, --ranks and --meet come together.*' --ranks 2 --meet "$work/meet"
refused '--rank, --ranks and --meet come together.*' --rank 0 --ranks 2 --meet "$work/meet" --gpus 2
refused '--device 1: this step uses several devices.*' --device 1
WORLD_SIZE=2 RANK=0 refused 'one of 2 processes: --meet FILE lets them find each other'
OMPI_COMM_WORLD_SIZE=4 refused 'one of 4 processes: --meet .*'
expect 0 "$program" --help
says '--ranks N --meet FILE'
expect 3 "$program" --gpus 2
says '^--gpus 2: there is 1 CUDA device$'
RANK=0 WORLD_SIZE=2 expect 3 "$program" --meet "$work/meet" --size 8
says '^NCCL needs GPUs$'

expect 0 "$program" --size 64
says 'floats on 1 device: the CPU$'
says '^with one device no byte crosses a link'
says '^nccl skipped: NCCL needs GPUs$'
for devices in 3 8; do
    for size in 3x7 257x129; do
        expect 0 env CPUCC_DEVICES=$devices "$program" --rows ${size%x*} --cols ${size#*x}
        says "floats on $devices devices: the CPU$"
        check "$size on $devices devices: $(cat "$work/err")" [ ! -s "$work/err" ]
    done
done
expect 0 env CPUCC_DEVICES=4 "$program" --gpus 3 --size 30
says 'floats on 3 devices: the CPU$'

# Three quarters of 256 x 256 floats go to other devices: 196608 bytes, in pieces of 128, 64 and 32.
expect 0 env CPUCC_DEVICES=4 "$program" --size 256 --tsv "$work/counts.tsv"
sent() { awk -F'\t' -v v="$1" -v c="$2" '$2 == v && $5 == c {print $6, $7}' "$work/counts.tsv"; }
for case in 'pieces128 1536' 'pieces64 3072' 'pieces32 6144' 'by_peer 1536' 'coalesced 1536' 'scattered 49152' 'copy_kernel 1536'; do
    variant=${case% *}
    check "$variant sends $(sent "$variant" peer_store_packets) packets" \
        [ "$(sent "$variant" peer_store_packets | cut -d ' ' -f 2)" = "${case#* }" ]
done
check "pieces32: $(sent pieces32 peer_store)" [ "$(sent pieces32 peer_store)" = '1536 6144' ]
check "pull: $(sent pull peer_load_packets)" [ "$(sent pull peer_load_packets)" = '1536 1536' ]
check "staged: $(sent staged peer_store)" [ "$(sent staged peer_store)" = '0 0' ]
finish
