#!/bin/bash
# The scripts of the book obey the types in their comments, and the style sheet is short.
# usage: types.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$root/shared/book" || exit 1
lines=$(cat style.css ../cpucc/page/*.css | wc -l)
check "the style sheets have $lines lines, 450 or more" [ "$lines" -lt 450 ]
if command -v tsc >/dev/null; then
    cat >"$work/globals.d.ts" <<'END'
declare const layoutBase64: string;
declare const trafficBase64: string;
declare const labBase64: string;
declare const flightPoints: {name: string, kb: number, said: string}[];
END
    for scripts in 'make.js book.js predict.js find.js start.js' 'make.js figures/model.js figures/draw.js figures/figures.js bench/layout.js lab/lab.js' \
        'make.js figures/model.js figures/draw.js bench/layout.js bench/bench.js'; do
        read -ra names <<<"$scripts"
        expect 0 tsc --noEmit --allowJs --checkJs --strict --noImplicitAny false --target es2022 \
            --lib es2022,dom,dom.iterable "$work/globals.d.ts" "${names[@]}"
    done
else
    skip 'no tsc here (node-typescript): types were not checked'
fi
finish
