#!/bin/bash
# Tests transpose.cuh on two GPUs: called on both from several host threads, and on each alone. Needs nvcc.
# usage: two_gpus.sh. Exit status: 0, 1 a failure, 3 fewer than two devices.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
[ "$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')" -ge 2 ] || { skip "fewer than two devices"; finish; }
tests=$root/shared/tests/any_shape step=$root/steps/08_any_shape
for name in library host; do
    expect 0 nvcc -O3 -std=c++17 -arch=native "$tests/$name.cu" -o "$work/$name"
done
expect 0 nvcc -O3 -std=c++17 -arch=native -I"$root/shared" "$step/any_shape.cu" -o "$work/any_shape"
for mode in devices graph threads; do expect 0 "$work/host" $mode; done
for device in 0 1; do
    expect 0 env CUDA_VISIBLE_DEVICES=$device "$work/library" fuzz 5000 $device
    for size in 4096 4097; do
        expect 0 "$work/any_shape" --device $device --size $size --verify-only
    done
done
finish
