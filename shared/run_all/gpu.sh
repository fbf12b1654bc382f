# Sourced by run_all.sh: builds and measures every step and the peers on a GPU.
# shellcheck shell=bash disable=SC2154

# build_steps: builds all steps and peers; counts steps that do not compile as failures and drops them from $steps.
build_steps() {
    local step number=0 built=()
    for step in "${steps[@]}"; do
        number=$((number + 1))
        echo "building $step ($number of ${#steps[@]})"
        if run make -s -C "steps/$step"; then
            built+=("$step")
        else
            echo "   FAILED"
            failures=$((failures + 1))
        fi
    done
    steps=("${built[@]}")
    echo "building the peers"
    if echo 'int main(void){return 0;}' >"$out/parts/probe.cu" &&
        run nvcc "$out/parts/probe.cu" -lcublas -o "$out/parts/probe" 2>/dev/null; then
        run nvcc -O3 -std=c++17 -arch="$(has_device && echo native || echo sm_90)" -Ishared \
            shared/peers/cublas_geam.cu -o shared/peers/cublas_geam -lcublas ||
            failures=$((failures + 1))
    else
        echo "   cuBLAS is not installed: without that peer"
    fi
}

# one_round NAME TITLE ARGUMENT...: runs each step's program once. It writes NAME.STEP.tsv in "$out/parts";
# a program that uses several GPUs writes many_NAME.STEP.tsv, because its GB/s are those of the links.
one_round() {
    local name=$1 title=$2 step program number=0 kind
    shift 2
    for step in "${steps[@]}"; do
        number=$((number + 1))
        program=steps/$step/$(program_of "$step")
        kind=
        ! grep -q 'run_many(' "$program.cu" || kind=many_
        run_program "$title: $step ($number of ${#steps[@]})" "$out/parts/$kind$name.$step.tsv" \
            "$program" "$@"
    done
}

# peers PREFIX TITLE ARGUMENT...: runs each installed peer once; it writes PREFIX.peers_NAME.tsv.
peers() {
    local prefix=$1 title=$2
    shift 2
    [ ! -x shared/peers/cublas_geam ] ||
        run_program "$title: peer cuBLAS" "$prefix.peers_cublas.tsv" shared/peers/cublas_geam "$@"
    python3 -c 'import torch' 2>/dev/null || return
    run_program "$title: peer PyTorch" "$prefix.peers_torch.tsv" \
        python3 shared/peers/torch_transpose.py "$@"
    [ "$(nvidia-smi -L | grep -c GPU)" -lt 2 ] ||
        run_program "$title: peer PyTorch on several GPUs" "$out/parts/many_${prefix##*/}.peers.tsv" \
            python3 shared/peers/torch_many.py "$@"
}

# merge NAME FILE...: merges the files of all programs and runs into "$out/NAME".
merge() {
    local name=$1 file files=()
    shift
    for file in "$@"; do
        [ ! -f "$file" ] || files+=("$file")
    done
    if [ ${#files[@]} -eq 0 ]; then
        echo "no program wrote results: $out/$name is unchanged"
        return
    fi
    if ! has_python; then
        keep_unmerged "$name" "${files[@]}"
    elif plots/merge.sh --command "$command_line" "$out/parts/$name" "${files[@]}" &&
        cp "$out/parts/$name" "$out/parts/results/" && publish "$name"; then
        measured=$((measured + 1))
    else
        failures=$((failures + 1))
    fi
}

# keep_unmerged NAME FILE...: without python3, copies the files of all programs and runs to "$out/unmerged"
# and prints the command that merges them later.
keep_unmerged() {
    local folder=$out/unmerged/${1%.tsv}
    rm -rf "$folder"
    if mkdir -p "$folder" && cp "${@:2}" "$folder"; then
        measured=$((measured + 1))
        echo "python3 merges the results; once it is installed: plots/merge.sh $out/$1 $folder/*.tsv"
    else
        failures=$((failures + 1))
    fi
}

run_on_gpu() {
    local turn turns=3 arguments=() side
    lock . "another run_all.sh is measuring in this folder: wait until it ends"
    build_steps
    if [ "$quick" = yes ]; then
        turns=1
        size=${size:-4096}
        arguments=(--rounds 3)
    fi
    [ -z "$size" ] || arguments+=(--size "$size")
    for ((turn = 1; turn <= turns; turn++)); do
        one_round "turn$turn" "run $turn of $turns" "${arguments[@]}"
        peers "$out/parts/turn$turn" "run $turn of $turns" "${arguments[@]}"
    done
    merge bandwidth.tsv "$out"/parts/turn*.tsv
    merge_many
    [ "$quick" = no ] || return
    for side in 256 512 1024 2048 4096 8192 16384 32768; do
        [ -z "$size" ] || [ "$side" -le "$size" ] || break
        one_round "size$(printf %05d $side)" "size $side" --size $side
    done
    merge sizes.tsv "$out"/parts/size*.tsv
    merge_many
}

# merge_many: merges the files of programs that use several GPUs into "$out/many.tsv", if there are any.
merge_many() {
    ! compgen -G "$out/parts/many_*.tsv" >/dev/null ||
        merge many.tsv "$out"/parts/many_turn*.tsv "$out"/parts/many_size*.tsv
}
