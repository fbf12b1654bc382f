# Sourced by run_all.sh: the charts of this run, and of recorded results where there is no GPU.
# shellcheck shell=bash disable=SC2154

# recorded_names: the folders of plots/results that hold a GPU's bandwidths.
recorded_names() {
    local file
    for file in plots/results/*/bandwidth.tsv; do
        [ ! -f "$file" ] || basename "${file%/*}"
    done
}

header() { sed -n "s/^# $2: //p" "$1" | head -n 1; }

# draw FOLDER [SUBFOLDER]: the charts of FOLDER's files, into "$out/parts/figures/SUBFOLDER".
draw() {
    local said=$out/parts/draw.log
    if ! run plots/draw.sh "$1" --out "$out/parts/figures/${2:-}" ${2:+--note recorded} \
        >"$said" 2>&1; then
        failures=$((failures + 1))
        cat "$said"
    fi
}

# draw_all: what this run measured, and what was recorded on the GPU called $recorded.
draw_all() {
    if ! have gnuplot; then
        echo "gnuplot is not installed; once it is, draw the charts with: plots/draw.sh $out"
        return
    fi
    echo "drawing the charts"
    [ "$measured" -eq 0 ] || draw "$out/parts/results"
    if [ -n "$recorded" ]; then
        draw "plots/results/$recorded" "$recorded"
        [ "$measured" -eq 0 ] || rm -f "$out/parts/figures/$recorded"/bank_map_* # drawn already
    fi
    publish_figures
}

say_recorded() {
    local file=plots/results/$recorded/bandwidth.tsv
    if [ -n "$recorded" ] && have gnuplot; then
        printf 'bandwidth charts: recorded on %s, %s: %s\n' \
            "$(header "$file" gpu)" "$(header "$file" date)" "$out/figures/$recorded"
    fi
}
