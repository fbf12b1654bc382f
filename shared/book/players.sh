# Sourced by book.sh: the pages of the steps' kernels, made by a run on the CPU (CPUCC_REPORT=html).
# shellcheck shell=bash disable=SC2154

# make_player STEP: steps/STEP/player.html in the book; what goes wrong is left in $work/STEP.log.
make_player() {
    local program=$programs/$1
    if [ -z "$programs" ] || [ ! -x "$program" ]; then
        program=$work/$1.cpu
        build_for_player "$1" "$program" || return
    fi
    CPUCC_REPORT=html CPUCC_REPORT_FILE=$work/$1.html "$program" --size 64 >/dev/null &&
        mkdir -p "$out/steps/$1" && mv "$work/$1.html" "$out/steps/$1/player.html"
}

build_for_player() {
    local program
    program=$(sed -n 's/^PROGRAM *:\{0,1\}= *\([^ ]*\) *$/\1/p' "steps/$1/Makefile")
    shared/cpucc/cpucc -Ishared "steps/$1/$program.cu" -o "$2"
}

make_players() {
    local folder step running=0
    rm -f "$out"/steps/*/player.html
    if ! shared/cpucc/find_clang.sh >/dev/null; then
        echo "no clang for a run on the CPU: the players are left out;" \
            "./run_all.sh --install installs one"
        return
    fi
    # The first one builds what the others need.
    for folder in steps/[0-9][0-9]_*; do
        if [ -L "$folder" ] || [ ! -f "$folder/Makefile" ]; then continue; fi
        step=${folder#steps/}
        make_player "$step" >"$work/$step.log" 2>&1 &
        running=$((running + 1))
        if [ $running -ge "$(nproc)" ] || [ ! -s "$work/first" ]; then
            wait -n
            running=$((running - 1))
            echo "$step" >>"$work/first"
        fi
    done
    wait
    for folder in steps/[0-9][0-9]_*; do
        step=${folder#steps/}
        if [ -f "$work/$step.log" ] && [ ! -f "$out/steps/$step/player.html" ]; then
            failed "no player of $step: $(grep -v '^ ' "$work/$step.log" | head -n 1)"
        fi
    done
}
