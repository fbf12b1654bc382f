/*
 * Draws requests as SVG in CSS pixels: words stacked on banks, sectors in lines of 128 bytes, tiles. Every picture has
 * bank 0 and byte 0 at the left; wavefronts grow upwards; blue is used or served at once, orange with hatching waits or
 * is wasted. Numbers are left out where they would be smaller than 10 pixels.
 */

const LEFT = 34; // pixels left of a picture for its labels
const READABLE = 15; // pixels of a cell from which on two digits fit

/** @param {string} name @param {Object<string, any>} attributes @param {...(Node | string)} content */
function svg(name, attributes, ...content) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes)
        if (attributes[key] !== undefined)
            element.setAttribute(key, String(attributes[key]));
    element.append(...content);
    return element;
}

let hatchings = 0; // patterns made so far: each picture has its own, because a hidden picture's pattern draws nothing

/** Makes an empty picture with its hatching. */
function canvas(width, height, title) {
    const id = `hatch${++hatchings}`;
    const hatch = svg('pattern', {id, width: 5, height: 5, patternUnits: 'userSpaceOnUse',
                                  patternTransform: 'rotate(45)'},
                      svg('rect', {width: 5, height: 5, class: 'soft'}), svg('rect', {width: 2, height: 5, class: 'line'}));
    return svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title, class: 'picture',
                       style: `--hatch: url(#${id})`}, svg('defs', {}, hatch));
}

/** @param {number} x @param {number} y @param {string} said @param {string} kind class: row, bank or lane */
const label = (x, y, said, kind) => svg('text', {x, y, class: kind}, said);

/** Returns lane numbers as text: 0 to 31, or 0, 16. */
function lane_text(lanes) {
    const dense = lanes.every((lane, i) => i === 0 || lane === lanes[i - 1] + 1);
    return dense && lanes.length > 2 ? `${lanes[0]} to ${lanes[lanes.length - 1]}`
        : lanes.length > 6 ? `${lanes.slice(0, 5).join(', ')}, …` : lanes.join(', ');
}

/** Draws a cell; `waste` is hatched. */
function cell(x, y, width, height, kind, said, title) {
    const box = svg('g', {class: 'cell ' + kind}, svg('rect', {x: x + .5, y: y + .5, width: width - 1, height: height - 1}));
    if (title)
        box.append(svg('title', {}, title));
    if (said)
        box.append(label(x + width / 2, y + height / 2 + 3.5, said, 'lane'));
    return box;
}

/**
 * Draws the wavefronts of a request to shared memory: one row per wavefront, from bottom to top, one column per bank.
 * @param {Cost} cost
 * @param {number} width pixels
 */
function draw_piles(cost, width) {
    const size = Math.min(18, Math.floor((width - LEFT) / 32)), tall = cost.work > 8 ? Math.min(size, 13) : size;
    const floor = cost.work * tall + 4, picture = canvas(LEFT + 32 * size, floor + 18, plural(cost.work, 'wavefront'));
    const first = {}; // the first wavefront of each group
    cost.waves.forEach((wave, i) => {
        const y = floor - (i + 1) * tall;
        first[wave.group] = first[wave.group] === undefined ? i : first[wave.group];
        picture.append(svg('rect', {x: LEFT, y: y + .5, width: 32 * size, height: tall - 1, class: 'idle'}));
        if (tall >= 11 || i % 4 === 3 || cost.work < 4)
            picture.append(label(LEFT - 5, y + tall / 2 + 3.5, String(i + 1), 'row'));
        wave.banks.forEach((found, bank) => {
            if (!found)
                return;
            const late = cost.waves.slice(first[wave.group], i).some((earlier) => earlier.banks[bank]);
            const said = size >= READABLE && tall >= 13 ? String(found.lanes[0]) + (found.lanes.length > 1 ? '+' : '') : '';
            const box = cell(LEFT + bank * size, y, size, tall, late ? 'waste' : 'used', said,
                `wavefront ${i + 1}, bank ${bank}: word ${found.word} for lane${found.lanes.length > 1 ? 's' : ''} ` +
                lane_text(found.lanes));
            Object.assign(box.dataset, {wave: i, bank, word: found.word, lanes: found.lanes.join('+')});
            picture.append(box);
        });
    });
    for (let bank = 0; bank < 32; bank += size >= READABLE ? 1 : 4)
        picture.append(label(LEFT + (bank + .5) * size, floor + 14, String(bank), 'bank'));
    picture.append(label(LEFT - 5, floor + 14, 'bank', 'row'));
    return picture;
}

/**
 * Draws the sectors of a request to global memory: one row per 128-byte line.
 * @param {Cost} cost
 * @param {number} bytes per lane
 * @param {(number | null)[]} addresses
 * @param {number} width pixels
 */
function draw_sectors(cost, bytes, addresses, width) {
    const left = 48, size = Math.min(18, Math.floor((width - left - 9) / 32));
    const used = new Map(); // word -> lanes
    addresses.forEach((address, lane) => {
        if (address === null)
            return;
        for (let word = Math.floor(address / 4); word < (address + bytes) / 4; word++)
            used.set(word, (used.get(word) || []).concat(lane));
    });
    const lines = [...new Set(cost.sectors.map((sector) => Math.floor(sector.number / 4)))].sort((a, b) => a - b);
    const tall = lines.length > 8 ? 13 : 18;
    const picture = canvas(left + 32 * size + 9, 16 + lines.length * tall + 2,
                           `${plural(cost.work, 'sector')} in ${plural(lines.length, 'line')} of 128 bytes`);
    for (let i = 0; i < 4; i++)
        picture.append(label(left + i * (8 * size + 3) + 4 * size, 11, `sector ${i}`, 'bank'));
    lines.forEach((line, row) => {
        const y = 16 + row * tall;
        picture.append(label(left - 5, y + tall / 2 + 3.5, String(128 * line), 'row'));
        for (let i = 0; i < 4; i++) {
            const number = 4 * line + i, moved = cost.sectors.find((sector) => sector.number === number);
            const x = left + i * (8 * size + 3);
            picture.append(svg('rect', {x, y: y + .5, width: 8 * size, height: tall - 1, class: moved ? 'moved' : 'idle',
                                        'data-sector': moved && number, 'data-lanes': moved && moved.lanes.join('+')}));
            for (let word = 8 * number; moved && word < 8 * number + 8; word++) {
                const lanes = used.get(word);
                if (lanes)
                    picture.append(cell(x + (word % 8) * size, y, size, tall, 'used',
                        size >= READABLE && tall >= 13 ? String(lanes[0]) + (lanes.length > 1 ? '+' : '') : '',
                        `byte ${4 * word}: lane${lanes.length > 1 ? 's' : ''} ${lane_text(lanes)}`));
            }
        }
    });
    return picture;
}

/**
 * Draws a tile: each element has the shade of its bank; those of a request are blue, or orange where they wait.
 * @param {{rows: number, cols: number, pad: number, bank: (row: number, col: number) => number}} tile
 * @param {Map<string, {lane: number, late: boolean}>} wanted "row,col" -> lane
 * @param {number} width pixels
 */
function draw_tile(tile, wanted, width) {
    const all = tile.cols + tile.pad, size = Math.max(4, Math.min(18, Math.floor((width - LEFT) / all)));
    const tall = Math.max(8, Math.min(size, 13)), top = 14;
    const picture = canvas(LEFT + all * size, top + tile.rows * tall + 2, `a tile of ${tile.rows} rows and ${tile.cols} columns`);
    const every = size >= READABLE ? 1 : size * 4 >= READABLE ? 4 : 8;
    for (let col = 0; col < tile.cols; col += every)
        picture.append(label(LEFT + (col + .5) * size, 10, String(col), 'bank'));
    for (let row = 0; row < tile.rows; row++) {
        if (tall >= 11 || row % 2 === 0)
            picture.append(label(LEFT - 5, top + row * tall + tall / 2 + 3.5, String(row), 'row'));
        for (let col = 0; col < all; col++) {
            const x = LEFT + col * size, y = top + row * tall, hit = wanted.get(`${row},${col}`);
            if (col >= tile.cols) {
                picture.append(cell(x, y, size, tall, 'idle', '', 'padding'));
                continue;
            }
            const bank = tile.bank(row, col), said = size >= READABLE && tall >= 13 ? String(bank) : '';
            const box = cell(x, y, size, tall, hit ? (hit.late ? 'waste' : 'used') : 'shade', said,
                `row ${row}, column ${col}: bank ${bank}` + (hit ? `, lane ${hit.lane}` : ''));
            box.style.setProperty('--bank', String(bank));
            picture.append(box);
        }
    }
    return picture;
}

/**
 * Draws a grid of cells with the numbers of its rows and columns. `about` returns a cell's class, its text and its title.
 * @param {number} rows
 * @param {number} cols
 * @param {string} name
 * @param {(row: number, col: number) => [string, string, string]} about
 * @param {number} width pixels
 */
function draw_grid(rows, cols, name, about, width) {
    const size = Math.min(cols > 8 ? 18 : 34, Math.floor((width - LEFT) / cols)), top = 32;
    const picture = canvas(LEFT + cols * size, top + rows * size + 2, name), every = size >= READABLE ? 1 : 4;
    picture.append(svg('text', {x: LEFT, y: 11, style: 'text-anchor: start'}, name));
    for (let col = 0; col < cols; col += every)
        picture.append(label(LEFT + (col + .5) * size, top - 4, String(col), 'bank'));
    for (let row = 0; row < rows; row++) {
        if (row % every === 0)
            picture.append(label(LEFT - 5, top + (row + .5) * size + 3.5, String(row), 'row'));
        for (let col = 0; col < cols; col++) {
            const [kind, said, title] = about(row, col);
            picture.append(cell(LEFT + col * size, top + row * size, size, size, kind, size >= READABLE ? said : '', title));
        }
    }
    return picture;
}
