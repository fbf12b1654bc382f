# Sourced by run_all.sh: draws the charts of this run, and of recorded results if there is no GPU.
# shellcheck shell=bash disable=SC2154

# recorded_names: prints the folders of plots/results that have a bandwidth.tsv, one per line.
recorded_names() {
    local file
    for file in plots/results/*/bandwidth.tsv; do
        [ ! -f "$file" ] || basename "${file%/*}"
    done
}

# header FILE KEY: prints the value of the header line `# KEY: VALUE`.
header() { sed -n "s/^# $2: //p" "$1" | head -n 1; }

# draw FOLDER [SUBFOLDER]: draws the charts of FOLDER's TSV files into "$out/parts/figures/SUBFOLDER".
draw() {
    local said=$out/parts/draw.log
    if ! run plots/draw.sh "$1" --out "$out/parts/figures/${2:-}" ${2:+--note recorded} \
        >"$said" 2>&1; then
        failures=$((failures + 1))
        cat "$said"
    fi
}

# draw_all: draws the charts of this run, and those of plots/results/$recorded.
draw_all() {
    local tool
    for tool in gnuplot python3; do
        have $tool && continue
        echo "$tool is not installed; once it is, draw the charts with: plots/draw.sh $out"
        return
    done
    echo "drawing the charts"
    [ "$measured" -eq 0 ] || draw "$out/parts/results"
    if [ -n "$recorded" ]; then
        draw "plots/results/$recorded" "$recorded"
        # These pictures do not depend on measurements and are already among this run's charts.
        [ "$measured" -eq 0 ] ||
            rm -f "$out/parts/figures/$recorded"/{bank_map_*,sectors_*,tile_orders,windows}.png
    fi
    publish_figures
}

say_recorded() {
    local file=plots/results/$recorded/bandwidth.tsv
    if [ -n "$recorded" ] && have gnuplot && have python3; then
        printf 'bandwidth charts: recorded on %s, %s: %s\n' \
            "$(header "$file" gpu)" "$(header "$file" date)" "$out/figures/$recorded"
    fi
}
