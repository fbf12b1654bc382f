/*
 * The live figures: each takes the place of a still picture and follows its controls. A figure says in `controls` what
 * can be changed, and `draw` returns pictures and one sentence for a state.
 */

/**
 * @typedef {Object<string, any>} State the value of each control
 * @typedef {{name: string, label: string, values?: (number | string)[], min?: number, max?: number | ((state: State) => number),
 *     step?: number, unit?: string}} Control a choice, or a slider from min to max
 * @typedef {{pictures: (width: number) => Element[], said: string, note?: Element | null}} Drawn
 * @typedef {{controls: Control[], start: State, pair?: boolean, legend: string, draw: (state: State) => Drawn}} Figure
 *     pair: two pictures that stand side by side where there is room
 */

const request_cost = traffic_model(trafficBase64);

// ---- banks: a tile in shared memory, and the wavefronts of one request ----

/** Returns the element (row, col) that a lane accesses: 32 neighbours of the tile, by rows or by columns. */
function element_of(state, lane) {
    const number = 32 * state.index + lane;
    return state.access === 'row' ? [Math.floor(number / state.cols), number % state.cols]
        : [number % state.rows, Math.floor(number / state.rows)];
}

/** Returns the byte address of an element of the tile. */
const address_of = (state, row, col) => state.bytes * swizzled(row * (state.cols + state.pad) + col, state);

/** @param {State} state @returns {Drawn} */
function draw_banks(state) {
    const lanes = LANES.filter((lane) => lane < state.rows * state.cols), wanted = new Map();
    const addresses = lanes.map((lane) => address_of(state, ...element_of(state, lane)));
    const cost = request_cost(state.kind, state.bytes, addresses);
    const busy = {}; // group and bank -> the wavefront that it serves first
    cost.waves.forEach((wave, i) => wave.banks.forEach((found, bank) => {
        const key = `${wave.group} ${bank}`;
        if (!found)
            return;
        const late = busy[key] !== undefined;
        busy[key] = late ? busy[key] : i;
        found.lanes.forEach((lane) => {
            const [row, col] = element_of(state, lane), key = `${row},${col}`;
            wanted.set(key, {lane, late: late || (wanted.has(key) && wanted.get(key).late)});
        });
    }));
    const tile = {rows: state.rows, cols: state.cols, pad: state.pad,
                  bank: (row, col) => Math.floor(address_of(state, row, col) / 4) % 32};
    const [row, col] = element_of(state, 0), [next_row, next_col] = element_of(state, 1);
    const place = (r, c) => `(${r}, ${c}) in bank ${tile.bank(r, c)}`;
    const result = cost.work > cost.ideal ? `${plural(cost.work, 'wavefront')} where ${cost.ideal} would do`
        : `${plural(cost.work, 'wavefront')}, the least possible`;
    return {
        pictures: (width) => [draw_tile(tile, wanted, width), draw_piles(cost, width)],
        said: `${result}. Lane 0 wants element ${place(row, col)}, lane 1 element ${place(next_row, next_col)}.`,
        note: state.bits === undefined ? null : bits_note(state, next_row, next_col),
    };
}

/** Returns a line that shows which bits of an offset the swizzle XORs into which. */
function bits_note(state, row, col) {
    const offset = row * (state.cols + state.pad) + col, count = Math.max(11, state.base + state.shift + state.bits);
    const note = make('p', undefined, {class: 'bits'}), from = state.base + state.shift, result = swizzled(offset, state);
    const bits = (number, at, kind) => {
        const part = make('code');
        for (let i = count - 1; i >= 0; i--) {
            const bit = String((number >> i) & 1), marked = i >= at && i < at + state.bits;
            part.append(marked ? make('b', bit, {class: kind}) : bit, i % 5 === 0 && i ? ' ' : '');
        }
        return part;
    };
    const named = (at) => `bits ${at + state.bits - 1} to ${at} (` +
        ((offset >> at) & ((1 << state.bits) - 1)).toString(2).padStart(state.bits, '0') + ')';
    note.append(`Swizzle<${state.bits},${state.base},${state.shift}> of element (${row}, ${col}): offset ${offset} is `);
    if (state.bits)
        note.append(bits(offset, from, 'from'), `. Its ${named(from)}, XORed into its ${named(state.base)}, give `,
                    bits(result, state.base, 'into'), `, offset ${result}.`);
    else
        note.append(bits(offset, from, 'from'), ', and no bit of it changes.');
    return note;
}

const ACCESS = {name: 'access', label: 'The warp reads', values: ['row', 'column']};
const REQUEST = {name: 'index', label: 'request', min: 0, max: (state) => Math.max(0, state.rows * state.cols / 32 - 1)};
const BANKS_LEGEND = 'First the tile: the shade of an element is its bank. Then what the banks serve, one row per wavefront, from ' +
    'bottom to top. Solid blue: served at once. Hatched: waits, because the bank serves another word first.';
const TILE = {rows: 32, cols: 32, pad: 0, bytes: 4, kind: 'shared_load', access: 'column', index: 0};

/** @type {Figure} */
const padding = {controls: [{name: 'pad', label: 'Unused words per row', values: [0, 1, 2, 4]}, ACCESS, REQUEST], start: TILE,
                 pair: true, legend: BANKS_LEGEND, draw: draw_banks};
/** @type {Figure} the tile of step 02, in whose lesson nobody has heard of padding yet */
const banks = {...padding, controls: [ACCESS, REQUEST]};
/** @type {Figure} */
const swizzle = {
    controls: [{name: 'cols', label: 'Columns', values: [32, 64]}, {name: 'bits', label: 'bits', min: 0, max: (state) => Math.min(5, state.shift)},
               {name: 'base', label: 'base', min: 0, max: 5}, {name: 'shift', label: 'shift', min: 1, max: 8}, ACCESS, REQUEST],
    start: {...TILE, bits: 5, base: 0, shift: 5}, pair: true, legend: BANKS_LEGEND, draw: draw_banks,
};
/** @type {Figure} a tile of 128-byte rows, as TMA writes it; a lane moves 16 bytes */
const chunks = {
    controls: [{name: 'bits', label: '128-byte swizzle', values: ['off', 'on']}, ACCESS,
               {name: 'index', label: 'request', min: 0, max: (state) => state.rows * state.cols / 32 - 1}],
    start: {...TILE, rows: 32, cols: 8, bytes: 16, bits: 'off'}, pair: true, legend: BANKS_LEGEND,
    draw: (state) => ({...draw_banks({...state, bits: state.bits === 'on' ? 3 : 0, base: 0, shift: 3}), note: null}),
};

// ---- sectors: a warp in global memory ----

const SECTORS_LEGEND = 'Each row is a line of 128 bytes. Solid blue: bytes of a lane. Hatched: moved, but not for this warp.';

/** @param {State} state @returns {Drawn} */
function draw_lines(state) {
    const step = Math.max(state.stride * 4, state.stride ? state.bytes : 0), begin = Math.floor(state.start * 4 / state.bytes) * state.bytes;
    const addresses = LANES.map((lane) => begin + lane * Math.ceil(step / state.bytes) * state.bytes);
    const cost = request_cost('global_load', state.bytes, addresses);
    const used = new Set(addresses).size * state.bytes;
    return {
        pictures: (width) => [draw_sectors(cost, state.bytes, addresses, width)],
        said: `${plural(cost.work, 'sector')} move where ${cost.ideal} would do: ${32 * cost.work} bytes. The lanes use ` +
            `${used}, ${Math.round(100 * used / (32 * cost.work))} %.`,
    };
}

/** @type {Figure} */
const sectors = {
    controls: [{name: 'stride', label: 'from lane to lane', min: 0, max: 40, unit: 'floats'},
               {name: 'start', label: 'first element', min: 0, max: 15}, {name: 'bytes', label: 'Bytes per lane', values: [4, 8, 16]}],
    start: {stride: 1, start: 0, bytes: 4}, legend: SECTORS_LEGEND, draw: draw_lines,
};

/** @param {State} state @returns {Drawn} */
function draw_windows(state) {
    const row_at = state.row * state.width, from = row_at + 64, end = row_at + state.width;
    const begin = state.write === 'windows' ? Math.floor(from / 8) * 8 : from;
    const addresses = LANES.map((lane) => begin + lane < end ? 4 * (begin + lane) : null);
    const cost = request_cost('global_store', 4, addresses), wanted = addresses.filter((one) => one !== null);
    const whole = cost.sectors.filter((sector) => sector.lanes.length === 8).length;
    return {
        pictures: (width) => [draw_sectors(cost, 4, addresses, width)],
        said: `Row ${state.row} begins at byte ${4 * row_at}, ${4 * row_at % 32} bytes into a sector. The warp stores elements ` +
            `${begin - row_at} to ${begin - row_at + wanted.length - 1} of the row: ${plural(cost.work, 'sector')}, ` +
            (whole === cost.work ? 'all whole.' : `${cost.work - whole} of them in part; another block writes the rest.`),
    };
}

/** @type {Figure} */
const windows = {
    controls: [{name: 'width', label: 'elements per row', min: 97, max: 136}, {name: 'row', label: 'row', min: 0, max: 15},
               {name: 'write', label: 'A warp writes', values: ['tiles', 'windows']}],
    start: {width: 107, row: 1, write: 'tiles'}, legend: SECTORS_LEGEND, draw: draw_windows,
};

// ---- bytes in flight: what threads ask for, what Little's law wants, and what was measured ----

const SMS = 132, READ_TB = 2.2; // an H200: its SMs, and the reads of a copy in TB/s

/** @param {State} state @returns {Drawn} */
function draw_flight(state) {
    const asked = state.threads * state.elements * 4 / 1000;
    const need = READ_TB * state.latency / SMS, share = Math.min(1, asked / need);
    return {
        pictures: (width) => [draw_flight_bars(asked, need, width)],
        said: `Threads can ask for ${asked.toFixed(1)} KB per SM. Little's law wants ${need.toFixed(1)} KB: ` +
            `${READ_TB} TB/s x ${(state.latency / 1000).toFixed(1)} us / ${SMS} SMs. That allows ` +
            `${Math.round(100 * share)} % of the reads' speed at most.`,
    };
}

/** Draws bars of the bytes in flight per SM: asked for, wanted, and the kernels that were measured. */
function draw_flight_bars(asked, need, width) {
    const rows = [{name: 'asked for', kb: asked, kind: asked < need ? 'waste' : 'used', said: ''},
        ...flightPoints.map((one) => ({...one, kind: 'shade', said: one.said}))];
    const left = Math.min(170, width * .38), most = Math.max(need * 1.3, ...rows.map((row) => row.kb)), tall = 20;
    const x = (kb) => left + kb / most * (width - left - 60);
    const picture = canvas(width, rows.length * tall + 26, 'KB in flight on one SM');
    rows.forEach((row, i) => {
        const bar = cell(left, i * tall + 3, Math.max(2, x(row.kb) - left), tall - 6, row.kind, '', '');
        bar.style.setProperty('--bank', '14');
        picture.append(bar, label(left - 6, i * tall + 14, row.name, 'row'));
        const value = label(x(row.kb) + 4, i * tall + 14, row.kb.toFixed(1) + (row.said && width > 500 ? `  ${row.said}` : ''), 'row');
        value.style.textAnchor = 'start';
        picture.append(value);
    });
    picture.append(svg('path', {d: `M${x(need)} 0V${rows.length * tall + 4}`, class: 'mark'}),
                   label(x(need) + 60, rows.length * tall + 18, `Little's law: ${need.toFixed(1)} KB`, 'row'));
    return picture;
}

/** @type {Figure} */
const flight = {
    controls: [{name: 'elements', label: 'floats per thread', min: 1, max: 16}, {name: 'threads', label: 'threads per SM',
               min: 256, max: 2048, step: 256}, {name: 'latency', label: 'latency', min: 400, max: 3600, step: 100, unit: 'ns'}],
    start: {elements: 1, threads: 2048, latency: 800}, draw: draw_flight,
    legend: 'The other bars are kernels on an H200: the bytes that were in flight on one SM, as the mean over a launch, and their speed.',
};

// ---- a box of a tensor map, clipped at the matrix's edges ----

const MATRIX = {rows: 20, cols: 36}, BOX = {rows: 8, cols: 16};

/** @param {State} state @returns {Drawn} */
function draw_box(state) {
    const in_matrix = (row, col) => row >= 0 && row < MATRIX.rows && col >= 0 && col < MATRIX.cols;
    const in_box = (row, col) => row >= state.y && row < state.y + BOX.rows && col >= state.x && col < state.x + BOX.cols;
    const length = (at, box, all) => Math.max(0, Math.min(at + box, all) - Math.max(at, 0));
    const inside = length(state.y, BOX.rows, MATRIX.rows) * length(state.x, BOX.cols, MATRIX.cols);
    const bytes = 4 * BOX.rows * BOX.cols;
    return {
        pictures: (width) => [
            draw_grid(MATRIX.rows, MATRIX.cols, `the matrix, ${MATRIX.rows} x ${MATRIX.cols} floats`,
                (row, col) => [in_box(row, col) ? 'used' : 'idle', '', `element (${row}, ${col})`], width),
            draw_grid(BOX.rows, BOX.cols, `the box in shared memory, ${BOX.rows} x ${BOX.cols}`, (row, col) => {
                const found = in_matrix(state.y + row, state.x + col);
                return [found ? 'used' : 'waste', found ? '' : '0', `tile[${row}][${col}]: ` +
                    (found ? `element (${state.y + row}, ${state.x + col})` : 'outside the matrix, zero')];
            }, width)],
        said: `The coordinates are ${state.x}, ${state.y}: the column first. ${4 * inside} of the box's ${bytes} bytes lie in the matrix` +
            (4 * inside < bytes ? '; the others arrive as zeros, and a store does not write them. ' : '. ') +
            `The mbarrier expects ${bytes} bytes.`,
    };
}

/** @type {Figure} */
const box = {
    controls: [{name: 'x', label: 'column', min: -8, max: MATRIX.cols - 1}, {name: 'y', label: 'row', min: -4, max: MATRIX.rows - 1}],
    start: {x: 28, y: 4}, pair: true, draw: draw_box,
    legend: 'Solid blue: elements of the matrix that the box holds. Hatched: the part of the box outside the matrix.',
};

// ---- blocks between devices, and the packets of one store ----

const HEADER = 16; // bytes of a packet that are no data, as the lesson assumes

/** @param {State} state @returns {Drawn} */
function draw_links(state) {
    const each = state.piece;
    const addresses = LANES.map((lane) => 4096 * Math.floor(4 * lane / each) + 4 * lane % each);
    const {packets, work} = request_cost('global_store', 4, addresses), data = 128 / packets;
    const {from, to, gpus} = state;
    /** Draws the blocks of the input (or of the output): a row per device. */
    const blocks = (turned, width) => draw_grid(gpus, gpus, turned ? 'the output' : 'the input',
        (row, col) => [(turned ? col === from && row === to : row === from && col === to) ? 'used' : row === col ? 'idle' : 'shade',
                       turned ? `${col}${row}` : `${row}${col}`, ''], Math.floor(width / 2) - 10);
    return {
        pictures: (width) => {
            const two = make('div', undefined, {class: 'pictures'});
            two.append(blocks(false, width), blocks(true, width));
            return [/** @type {any} */ (two), draw_sectors(request_cost('global_store', 4, addresses), 4, addresses, width)];
        },
        said: (from === to ? `Block ${from}${to} stays on its device. ` : `Block ${from}${to} crosses a link. `) +
            `Of the matrix ${gpus - 1}/${gpus} do. A warp's store travels in ${plural(packets, 'packet')} of ${data} bytes: ` +
            `${Math.round(100 * data / (data + HEADER))} % of the wire is data. Counted in sectors it costs ${work}.`,
    };
}

/** @type {Figure} */
const links = {
    controls: [{name: 'gpus', label: 'Devices', values: [2, 4, 8]}, {name: 'from', label: 'from', min: 0, max: (state) => state.gpus - 1},
               {name: 'to', label: 'to', min: 0, max: (state) => state.gpus - 1},
               {name: 'piece', label: 'Bytes to a row', values: [32, 64, 128]}],
    start: {gpus: 4, from: 1, to: 2, piece: 32}, draw: draw_links,
    legend: 'First the blocks of the matrix, a row per device: solid blue the chosen one, shaded those that cross a link. Then the 128-byte lines that ' +
        'one store of a warp touches at the destination, a packet each.',
};

/** @type {Object<string, Figure>} */
const FIGURES = {banks, padding, swizzle, chunks, sectors, windows, flight, box, links};

// ---- controls ----

let figures_made = 0;

/** Returns the end of a slider. */
const most = (control, state) => typeof control.max === 'function' ? control.max(state) : control.max;

/** Makes the field of a control: radio buttons or a slider. */
function control_field(control, state, changed, id) {
    if (control.values) {
        const group = make('fieldset');
        group.append(make('legend', control.label));
        control.values.forEach((value) => {
            const label = make('label'), radio = /** @type {HTMLInputElement} */ (make('input', undefined,
                {type: 'radio', name: `${id}-${control.name}`, value: String(value)}));
            radio.checked = state[control.name] === value;
            radio.addEventListener('change', () => changed(control.name, value));
            label.append(radio, ` ${value}`);
            group.append(label);
        });
        return group;
    }
    const label = make('label', undefined, {class: 'slide'}), value = make('b');
    const slider = /** @type {HTMLInputElement} */ (make('input', undefined, {type: 'range', 'data-name': control.name,
        'aria-label': control.label, min: String(control.min), step: String(control.step || 1)}));
    slider.addEventListener('input', () => changed(control.name, Number(slider.value)));
    label.append(make('span', control.label), value, control.unit || '', slider);
    return label;
}

/** Sets a slider, and the value beside it, to the state; its end can follow another control. */
function set_slider(control, slider, state) {
    const max = most(control, state), said = String(state[control.name]);
    Object.assign(slider, {max: String(max), value: said, disabled: max === control.min});
    slider.setAttribute('aria-valuetext', control.unit ? `${said} ${control.unit}` : said);
    slider.parentElement.querySelector('b').textContent = said;
}

/**
 * Puts a live figure in the place of a still picture, which stays for a browser without scripts.
 * @param {HTMLElement} still
 */
function make_live(still) {
    const figure = FIGURES[still.dataset.figure || ''], id = `live${++figures_made}`;
    /** @type {State} */
    const state = {...figure.start, ...JSON.parse(still.dataset.state || '{}')};
    const box = make('figure', undefined, {class: 'live', 'data-figure': still.dataset.figure || ''});
    const form = make('form', undefined, {class: 'knobs', 'aria-label': 'Change the figure'});
    const pictures = make('div', undefined, {class: 'pictures', 'aria-busy': 'true'});
    const said = make('p', undefined, {class: 'told', role: 'status'}), note = make('div');
    const place = still.closest('p') || still, caption = make('figcaption', figure.legend);
    const bench = /** @type {HTMLAnchorElement} */ (make('a', 'Type another layout in the bench'));
    let width = 0, later = 0;

    function draw() {
        figure.controls.filter((control) => !control.values).forEach((control) => {
            state[control.name] = Math.min(state[control.name], most(control, state));
            set_slider(control, form.querySelector(`[data-name=${control.name}]`), state);
        });
        const drawn = figure.draw(state), two = figure.pair && width >= 760;
        pictures.replaceChildren(...drawn.pictures(Math.max(280, two ? Math.floor(width / 2) - 10 : width)));
        note.replaceChildren(...(drawn.note ? [drawn.note] : []));
        clearTimeout(later);
        later = setTimeout(() => { said.textContent = drawn.said; }, said.textContent ? 120 : 0);
        box.dataset.state = JSON.stringify(state);
        bench.href = `${document.body.dataset.top}bench.html#layout=(${state.rows},${state.cols}):(${state.cols + state.pad},1)&access=${state.access}` +
            (state.bits ? `&swizzle=${state.bits},${state.base},${state.shift}` : '');
    }
    form.addEventListener('submit', (event) => event.preventDefault());
    box.append(form, pictures, note, said, caption);
    caption.append(...(figure.draw === draw_banks ? [' ', bench, '.'] : []));
    form.append(...figure.controls.map((control) => control_field(control, state, (name, value) => {
        state[name] = value;
        draw();
    }, id)));
    pictures.addEventListener('click', (event) => { // what a mouse shows beside the pointer, for a finger
        const about = /** @type {Element} */ (event.target).closest('.cell')?.querySelector('title');
        said.textContent = about ? about.textContent : said.textContent;
    });
    place.replaceWith(box);
    new ResizeObserver(() => {
        const now = Math.floor(pictures.clientWidth);
        if (now > 0 && now !== width) {
            width = now;
            draw();
        }
    }).observe(pictures);
}

document.querySelectorAll('main [data-figure]').forEach((still) => make_live(/** @type {HTMLElement} */ (still)));
