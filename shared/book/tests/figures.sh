#!/bin/bash
# The live figures: what they say follows their controls and equals what the program `layout` counts; keys move them;
# without scripts the still pictures stand in their places; in print they have no controls.
# usage: figures.sh FOLDER LAYOUT
. "$(dirname "$0")/browser.sh"
layout=$(realpath "$2")
find_browser
grep -q trafficBase64 "$book/figures.js" 2>/dev/null || { skip 'the book has no live figures'; finish; }
page() { grep -rlE "data-figure=$1\\b" "$book/steps" --include='*.html' | LC_ALL=C sort | head -n 1; }

# set FIGURE NAME=VALUE...: choose these values in the page's first such figure, and print what it says.
set_to() {
    local figure=$1
    shift
    echo "eval (async () => { const box = document.querySelector('figure[data-figure=$figure]');" \
        "const fold = box.closest('details'); if (fold) fold.open = true; for (const one of '$*'.split(' ')) {" \
        "const [name, value] = one.split('='); const radio = box.querySelector('input[name\$=\"-' + name + '\"][value=\"' + value + '\"]');" \
        "if (radio) { radio.click(); continue; } const all = Array.from(box.querySelectorAll('input[type=range]'));" \
        "const slider = all.find((input) => input.dataset.name === name); slider.value = value; slider.dispatchEvent(new Event('input')); }" \
        "await new Promise((later) => setTimeout(later, 250));" \
        "return '$figure $*: ' + box.querySelector('.told').textContent; })()"
}
{
    echo 'size 1280 1000'
    echo "open file://$(page padding)"
    for pad in 0 1 2 4; do
        for access in row column; do set_to padding "pad=$pad" "access=$access" index=5; done
    done
    echo "eval document.querySelector('figure[data-figure=padding] input[value=\"0\"]').click()"
    echo "eval document.querySelector('figure[data-figure=padding] input[value=\"0\"]').focus()"
    echo "eval 'bench: ' + document.querySelector('figure[data-figure=padding] a').getAttribute('href')"
    echo 'key ArrowRight'
    echo 'eval new Promise((later) => setTimeout(later, 250))'
    echo "eval 'by key: ' + document.querySelector('figure[data-figure=padding]').dataset.state"
    echo "eval 'unnamed: ' + Array.from(document.querySelectorAll('.live input[type=range]')).filter((one) => !one.getAttribute('aria-label') || !one.getAttribute('aria-valuetext')).length"
    echo "eval 'plural: ' + document.querySelectorAll('svg[aria-label*=\"1 wavefronts\"], svg[aria-label*=\"1 lines\"]').length"
    echo 'media print'
    echo "eval 'print: ' + document.querySelector('.knobs').checkVisibility() + ' ' + document.querySelector('.live svg').checkVisibility()"
    echo 'media light'
    echo "open file://$(page swizzle)"
    for shift in 5 6 7; do set_to swizzle cols=64 bits=5 base=0 "shift=$shift" access=column; done
    echo "eval 'bits: ' + document.querySelector('figure[data-figure=swizzle] .bits').textContent"
    set_to swizzle cols=32 shift=3 base=2
    echo "eval 'named: ' + document.querySelector('figure[data-figure=swizzle] .bits').textContent"
    echo "open file://$(page chunks)"
    for bits in off on; do set_to chunks "bits=$bits" access=column; done
    echo "open file://$(page sectors)"
    set_to sectors stride=1 start=0 bytes=4
    set_to sectors stride=1 start=1 bytes=4
    set_to sectors stride=4 start=0 bytes=16
    echo "open file://$(page box)"
    set_to box x=28 y=4
    set_to box x=-4 y=-4
    echo "open file://$(page links)"
    for piece in 32 128; do set_to links gpus=8 from=7 to=3 "piece=$piece"; done
    set_to links gpus=2
    echo "open file://$(page windows)"
    set_to windows width=99 row=1 write=tiles
    set_to windows width=99 row=1 write=windows
    echo 'size 390 800'
    echo "open file://$(page flight)"
    set_to flight elements=1 threads=2048
    echo "eval 'small text: ' + Array.from(document.querySelectorAll('.live text')).filter((one) => one.getBoundingClientRect().height < 10).length"
    echo unscripted
    echo "open file://$(page padding)"
    echo "eval 'still: ' + document.querySelectorAll('img[data-figure=padding]').length + ' ' + document.querySelectorAll('.live').length"
} | drive
count=0
while IFS= read -r line; do
    pad=${line#*pad=} access=${line#*access=}
    pad=${pad%% *} access=${access%% *}
    "$layout" banks "(32,32):($((32 + pad)),1)" --access "$access" >"$work/counted"
    each=$(sed -n 's/.*requests 0 to 31, each: \([0-9]*\) wavefront.*/\1/p' "$work/counted")
    check "pad $pad, $access: the page says '${line#*: }', layout counts $each" grep -q ": $each wavefront" <<<"$line"
    count=$((count + 1))
done < <(grep '^padding' "$work/out")
check 'not every pad was tried' [ $count -eq 8 ]
says '^unnamed: 0'
says '^plural: 0'
says '^bits: Swizzle<5,0,7> of element (1, 0): offset 64 is 00 00010 00000. Its bits 11 to 7 (00000), XORed into its bits 4 to 0 (00000), give 00 00010 00000, offset 64\.'
says '^named: Swizzle<3,2,3> of element (1, 0): offset 32 is 0 00001 00000. Its bits 7 to 5 (001), XORed into its bits 4 to 2 (000), give 0 00001 00100, offset 36\.'
says '^bench: ../../bench.html#layout=(32,32):(32,1)&access=column'
says '^by key: .*"pad":1[,}]'
says '^print: false true'
says '^swizzle .*shift=5 .*: 2 wavefronts where 1'
says '^swizzle .*shift=6 .*: 1 wavefront, the least'
says '^swizzle .*shift=7 .*: 2 wavefronts where 1'
says '^chunks bits=off.*: 32 wavefronts where 4'
says '^chunks bits=on.*: 4 wavefronts, the least'
says '^sectors stride=1 start=0.*: 4 sectors move where 4 .* 100 %'
says '^sectors stride=1 start=1.*: 5 sectors move where 4'
says '^sectors stride=4.*: 16 sectors move where 16 .* 100 %'
says '^box x=28 .* 256 of the box.s 512 bytes lie in the matrix; the others arrive as zeros'
says '^box x=-4 .* 192 of the box'
says '^links .*piece=32: Block 73 crosses a link.* 7/8 do.* 4 packets of 32 bytes: 67 %'
says '^links .*piece=128: .* 1 packet of 128 bytes: 89 %'
says '^links gpus=2: Block 11 stays'
says '^windows .*write=tiles: .*5 sectors, 2 of them in part'
says '^windows .*write=windows: .*4 sectors, all whole'
says '^flight .*: Threads can ask for 8.2 KB per SM. .* 61 %'
says '^small text: 0'
says '^still: [1-9][0-9]* 0'
finish
