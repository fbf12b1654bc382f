/*
 * Draws one request: words stacked on the banks of shared memory, lines and sectors of global memory, or
 * the box of a TMA copy. Every picture has rows of 32 columns of 4 bytes, 128 bytes in all.
 */

const CELL = 18, LEFT = 92, WIDTH = LEFT + 32 * CELL + 12;

/**
 * @typedef {Object} Shot the request that a picture shows
 * @property {Kernel} kernel
 * @property {Pattern} pattern
 * @property {boolean} second true: draw the shared-memory side of a cp.async
 * @property {string} counter
 * @property {number} region
 * @property {number} base
 */

/** The number of pictures in the page; gives the hatching of each a unique id. */
let hatchings = 0;

/** @param {number} height @param {string} title @param {Object<string, any>} attributes */
function canvas(height, title, attributes)
{
    const id = "hatch" + ++hatchings;
    const hatch = make("pattern", {id, width : 5, height : 5, patternUnits : "userSpaceOnUse", patternTransform : "rotate(45)"},
                       make("rect", {width : 5, height : 5, class : "waste-soft"}),
                       make("rect", {width : 1.6, height : 5, class : "waste"}));
    return make("svg", Object.assign({
        viewBox : "0 0 " + WIDTH + " " + height,
        role : "img",
        "aria-label" : title,
        class : "picture",
        style : "--hatch: url(#" + id + ")"
    },
                                     attributes),
                make("defs", null, hatch));
}

/** @param {number} x @param {number} y @param {string} text @param {string} kind */
const label = (x, y, text, kind) => make("text", {x, y, class : kind}, text);

/**
 * Draws a word with the lanes that access it.
 * @param {number} column
 * @param {number} y
 * @param {number[]} lanes
 * @param {string} kind
 * @param {string} title
 * @param {Object<string, any>} [more]
 */
function word(column, y, lanes, kind, title, more)
{
    const x = LEFT + column * CELL + Math.floor(column / 8) * (more && more.sectors ? 4 : 0);
    const text = lanes.length > 1 ? lanes[0] + "+" : String(lanes[0]);
    return make(
        "g", {class : "word " + kind}, make("title", null, title),
        make("rect", {x : x + 0.5, y : y + 0.5, width : CELL - 1, height : CELL - 1, rx : 2}),
        label(x + CELL / 2, y + CELL / 2 + 3.5, text, "lane"));
}

/**
 * Draws a request to shared memory: one row per wavefront from bottom to top, one column per bank.
 * @param {Shot} s
 * @param {number} work
 * @param {number} ideal
 */
function bankPicture(s, work, ideal)
{
    const p = s.pattern, groups = p.g || [];
    /** @type {{bank: number, wave: number, lanes: number[], offset: number}[]} */
    const words = [];
    let digit = 0;
    for (const {lane, offset} of accesses(p, s.second))
        for (let b = 0; b < p.b; b += 4) {
            const at = (offset + b) - ((offset + b) % 4), bank = (at / 4) % 32;
            const wave = parseInt((p.v || "")[digit++], 36);
            const old = words.find((w) => w.bank === bank && w.wave === wave);
            if (old)
                old.lanes.push(lane);
            else
                words.push({bank, wave, lanes : [ lane ], offset : at});
        }
    /**
     * True for a wavefront that exists only because of conflicts in its group of lanes.
     * @param {number} wave
     */
    const isExtra = (wave) => wave - groups.indexOf(groups[wave]) >=
                              Math.max(1, Math.ceil(ideal / (groups[groups.length - 1] + 1)));
    const gaps = groups.length ? groups[groups.length - 1] : 0;
    const height = work * CELL + gaps * 8 + 34, floor = height - 22;
    /** @param {number} wave */
    const top = (wave) => floor - (wave + 1) * CELL - groups[wave] * 8;
    const piles = new Array(32).fill(0);
    for (const w of words)
        piles[w.bank]++;
    const highest = Math.max(...piles), bank = piles.indexOf(highest);
    const title =
        count(work, "wavefront") + ", the highest pile is " + highest + " on bank " + bank;
    const svg =
        canvas(height, title, {"data-picture" : "banks", "data-wavefronts" : work, "data-metric" : s.counter});
    for (let wave = 0; wave < work; wave++)
        svg.append(make("rect", {x : LEFT, y : top(wave) + 0.5, width : 32 * CELL, height : CELL - 1, class : "idle"}));
    for (let b = 1; b < 32; b++)
        svg.append(make("path", {d : "M" + (LEFT + b * CELL) + " " + top(work - 1) + "V" + floor, class : "grid"}));
    for (let wave = 0; wave < work; wave++) {
        const y = top(wave);
        const extra = isExtra(wave), first = groups.indexOf(groups[wave]) === wave;
        const served = first && gaps
                           ? [...new Set(words.filter((w) => groups[w.wave] === groups[wave])
                                             .flatMap((w) => w.lanes)) ]
                                 .sort((a, b) => a - b)
                           : [];
        if (served.length)
            svg.append(label(LEFT - 26, y + 13, "lanes " + laneText(served), "row"));
        svg.append(label(LEFT - 6, y + 13, (work > 12 || gaps ? "" : "wavefront ") + (wave + 1),
                         "row" + (extra ? " extra" : "")));
        const row = make("g", {"data-wavefront" : wave});
        for (const w of words.filter((w) => w.wave === wave))
            row.append(word(w.bank, y, w.lanes, extra ? "waste" : "used",
                            "bank " + w.bank + ", wavefront " + (wave + 1) + ": " +
                                placeText(s.kernel, s.region, s.base + w.offset, 4) + " for lane" +
                                (w.lanes.length > 1 ? "s " : " ") + laneText(w.lanes)));
        svg.append(row);
    }
    for (let b = 0; b < 32; b++)
        svg.append(make("g", {"data-bank" : b, "data-pile" : piles[b]},
                        label(LEFT + b * CELL + CELL / 2, floor + 14, String(b),
                              piles[b] === highest && highest > ideal ? "bank extra" : "bank")));
    svg.append(label(LEFT - 6, floor + 14, "bank", "row"));
    if (work > 12 && !gaps)
        svg.append(label(LEFT - 34, top(work - 1) + 13, "wavefront", "row axis"));
    const used = piles.filter((n) => n).length;
    let text = work > ideal && highest > 1
                   ? "Bank " + bank + " must serve " + highest +
                         " different words, one per wavefront; " +
                         (used < 32 ? count(32 - used, "bank") + " of 32 " +
                                          (32 - used === 1 ? "is" : "are") + " idle throughout."
                                    : "the other banks wait.")
                   : used + " of 32 banks serve " + count(words.length, "word") + " in " +
                         count(work, "wavefront") + ".";
    if (gaps)
        text += " Lanes of " + p.b + " bytes are served in " + (gaps + 1) +
                " groups in turn.";
    return {svg, text};
}

/**
 * Draws a request to global memory: one row per 128-byte line, with its four sectors.
 * @param {Shot} s
 */
function linePicture(s)
{
    const p = s.pattern;
    /** @type {Map<number, {lanes: number[], bytes: Set<number>}>} */
    const words = new Map();
    for (const {lane, offset} of accesses(p, s.second))
        for (let b = 0; b < p.b; b++) {
            const at = offset + b, i = Math.floor(at / 4);
            const w = words.get(i) || {lanes : [], bytes : new Set()};
            if (!w.lanes.includes(lane))
                w.lanes.push(lane);
            w.bytes.add(at & 3);
            words.set(i, w);
        }
    const lines =
        [...new Set([...words.keys() ].map((i) => Math.floor(i / 32))) ].sort((a, b) => a - b);
    const sectors = new Set([...words.keys() ].map((i) => Math.floor(i / 8)));
    const bytes = [...words.values() ].reduce((n, w) => n + w.bytes.size, 0),
          moved = 32 * sectors.size;
    const height = lines.length * (CELL + 3) + 22;
    const svg = canvas(height,
                       count(sectors.size, "sector") + " in " + count(lines.length, "line") + ", " +
                           bytes + " of " + moved + " bytes used",
                       {
                           "data-picture" : "sectors",
                           "data-sectors" : sectors.size,
                           "data-metric" : s.counter,
                           "data-lines" : lines.length,
                           "data-bytes" : bytes
                       });
    lines.forEach((line, row) => {
        const y = 18 + row * (CELL + 3);
        svg.append(label(LEFT - 6, y + 13, placeText(s.kernel, s.region, s.base + line * 128, p.b), "row"));
        for (let sector = 4 * line; sector < 4 * line + 4; sector++) {
            const touched = sectors.has(sector), x = LEFT + (sector % 4) * (8 * CELL + 4);
            const g = make("g", {"data-sector" : sector, "data-touched" : touched ? 1 : 0});
            g.append(make("rect", {
                x,
                y : y + 0.5,
                width : 8 * CELL,
                height : CELL - 1,
                class : touched ? "sector" : "idle"
            }));
            for (let i = 8 * sector; touched && i < 8 * sector + 8; i++) {
                const w = words.get(i);
                if (!w)
                    continue;
                const title = placeText(s.kernel, s.region, s.base + 4 * i, p.b) + ": lane" +
                              (w.lanes.length > 1 ? "s " : " ") + laneText(w.lanes) +
                              (w.bytes.size < 4 ? ", " + w.bytes.size + " of 4 bytes" : "");
                g.append(word(i % 32, y, w.lanes, w.bytes.size < 4 ? "used part" : "used", title, {sectors : true}));
            }
            svg.append(g);
        }
    });
    for (let i = 0; i < 4; i++)
        svg.append(label(LEFT + i * (8 * CELL + 4) + 4 * CELL, 12, "sector " + i, "bank"));
    svg.append(label(LEFT - 6, 12, "128-byte line", "row axis"));
    const text = count(sectors.size, "sector") + " of 32 bytes in " + count(lines.length, "line") +
                 " move; the lanes use " + bytes + " of " + moved + " bytes, " +
                 Math.round((100 * bytes) / moved) + " %.";
    return {svg, text};
}

/**
 * Draws a TMA copy: its box in the tensor, and where the box's rows lie in shared memory.
 * @param {Box} b
 * @param {number[]|null} at the box's coordinates in the tensor
 * @param {string} counter
 * @param {string} shared
 */
function boxPicture(b, at, counter, shared)
{
    const rows =
        Math.min(32, Math.ceil(Math.max(...b.pieces.filter((_, i) => i % 2 === 0)) / 128 + 0.01));
    const map = b.box.length > 1 ? 132 : 0, height = map + rows * CELL + 30;
    const svg = canvas(
        height, "a box of " + b.bytes + " bytes, " + b.inside + " of them inside the tensor", {
            "data-picture" : "box",
            "data-metric" : counter,
            "data-bytes" : b.bytes,
            "data-inside" : b.inside
        });
    if (map) {
        const [width, depth] = b.dim, scale = 100 / Math.max(width, depth);
        const x = LEFT, y = 18;
        svg.append(label(x, 12, "the tensor, " + b.dim.join(" x ") + " elements of " + b.element + " B", "left"));
        svg.append(make("rect", {x, y, width : width * scale, height : depth * scale, class : "idle"}));
        if (at)
            svg.append(make("rect", {
                x : x + at[0] * scale,
                y : y + at[1] * scale,
                width : Math.max(3, b.box[0] * scale),
                height : Math.max(3, b.box[1] * scale),
                class : "box"
            }));
        svg.append(label(x + width * scale + 14, y + 40,
                         "box " + b.box.join(" x ") +
                             (at ? " at " + at.slice(0, b.box.length).join(", ") : ""),
                         "left"));
        svg.append(label(x + width * scale + 14, y + 58,
                         b.swizzle ? "swizzle of " + b.swizzle + " bytes" : "no swizzle", "left"));
    }
    svg.append(label(LEFT, map + 12,
                     "shared memory from " + shared + " on, 128 bytes per row; labels: row.piece of the box",
                     "left"));
    const perRow = b.box.length ? Math.max(1, Math.ceil((b.box[0] * b.element) / 16)) : 8;
    for (let i = 0; i < b.pieces.length; i += 2) {
        const offset = b.pieces[i], bytes = Math.abs(b.pieces[i + 1]),
              row = Math.floor(offset / 128);
        if (row >= rows)
            continue;
        const x = LEFT + ((offset % 128) / 4) * CELL, y = map + 20 + row * CELL,
              inside = b.pieces[i + 1] > 0;
        const n = i / 2, name = Math.floor(n / perRow) + "." + (n % perRow);
        svg.append(make("g",
                        {class : "word " + (inside ? "used shade" + (n % perRow) % 8 : "outside")},
                        make("title", null,
                             "row " + Math.floor(n / perRow) + ", piece " + (n % perRow) +
                                 (inside ? "" : ", outside: zeros")),
                        make("rect", {
                            x : x + 0.5,
                            y : y + 0.5,
                            width : (bytes / 4) * CELL - 1,
                            height : CELL - 1,
                            rx : 2
                        }),
                        bytes >= 8 ? label(x + (bytes / 8) * CELL, y + 12.5, name, "lane") : null));
    }
    for (let row = 0; row < rows; row++)
        svg.append(label(LEFT - 6, map + 20 + row * CELL + 13, "+" + row * 128, "row"));
    const all = Math.ceil(b.bytes / 128);
    const text =
        "One instruction of one thread moves " + number(b.bytes) + " bytes" +
        (b.inside < b.bytes ? "; " + number(b.bytes - b.inside) + " of them lie outside the tensor" : "") +
        (all > rows ? "; the picture shows the first " + rows + " of " + all + " rows." : ".");
    return {svg, text};
}

/**
 * Draws a request, or one side of a cp.async.
 * @param {Shot} s
 */
function requestPicture(s)
{
    const p = s.pattern, work = s.second ? p.w2 || 0 : p.w, ideal = s.second ? p.i2 || 0 : p.i;
    const shared = s.second || s.counter === "shared_load" || s.counter === "shared_store" ||
                   (s.counter === "atomic" && (s.region === -1 || s.region <= -3));
    if (shared && p.v)
        return bankPicture(s, work, ideal);
    if (shared)
        return {
            svg : null,
            text :
                s.counter === "atomic"
                    ? "No counter counts atomics."
                    : "The wavefronts of this copy depend on its source and destination together; there is no picture of them."
        };
    if (p.z)
        return {svg : null, text : "These lanes write zeros and read nothing."};
    return linePicture(s);
}

/**
 * Makes a table of a request's lanes and their addresses.
 * @param {Shot} s
 * @param {((offset: number) => string)|null} writer returns who wrote the word at an offset
 */
function laneTable(s, writer, name = "lanes and addresses")
{
    const shared = s.region === -1 || s.region <= -3;
    const list = accesses(s.pattern, s.second), p = s.pattern;
    /** @param {number} at */
    const start = (at) => {
        const v = shared ? variableAt(s.kernel, at) : parameterOf(s.kernel, s.region, at);
        return v ? v.offset : 0;
    };
    const head = [ "lane", "element", "byte", shared ? "bank" : "sector" ];
    if (shared && p.v)
        head.push("wavefront");
    if (writer)
        head.push("written by");
    const words = Math.max(1, p.b / 4);
    const rows = list.map(({lane, offset}, i) => {
        const at = s.base + offset, cells = [
            String(lane), placeText(s.kernel, s.region, at, p.b), number(at - start(at)),
            shared ? String((at >> 2) % 32) +
                         (p.b > 4 ? "\u2013" + ((at >> 2) + p.b / 4 - 1) % 32 : "")
                   : number(Math.floor((at - start(at)) / 32))
        ];
        if (shared && p.v) {
            const waves = [...new Set(p.v.slice(i * words, (i + 1) * words)) ].map((c) => parseInt(c, 36) + 1);
            cells.push(waves.join(", "));
        }
        if (writer)
            cells.push(writer(at));
        return make("tr", {"data-lane" : lane, "data-offset" : at}, ...cells.map((c) => make("td", null, c)));
    });
    return make("div", {
        class : "scroll lanes",
        tabindex : 0,
        role : "region",
        "aria-label" : name
    },
                make("table", null,
                     make("thead", null, make("tr", null, ...head.map(headCell))),
                     make("tbody", null, ...rows)));
}

/**
 * Makes the picture of a sample with its description and its table of lanes.
 * @param {Sample} s
 * @param {string} c counter
 */
function sampleParts(s, c)
{
    if (c.startsWith("tma")) {
        const b = kernel.boxes[s[0]];
        if (!b)
            return [ make("p", null, "The page has no picture of this box: there were too many.") ];
        const p = boxPicture(b, boxAt(b, s), c, placeText(kernel, s[5], s[6], 4));
        return [ p.svg, make("p", {class : "caption"}, p.text) ];
    }
    const pattern = kernel.patterns[s[0]], second = c === "async_copy_shared";
    if (!pattern)
        return [ make("p", null, "The page has no picture of this request: there were too many patterns.") ];
    /** @type {Shot} */
    const shot = { kernel, pattern, second, counter : c, region : second ? s[5] : s[3], base : second ? s[6] : s[4] };
    const p = requestPicture(shot);
    return [ p.svg, make("p", {class : "caption"}, p.text), laneTable(shot, null) ].filter(Boolean);
}

/**
 * Returns the coordinates of a box in its tensor; null if no recorded block copied it.
 * @param {Box} b
 * @param {Sample} s
 */
function boxAt(b, s)
{
    const t = kernel.trace;
    for (const e of t ? t.events : [])
        if (e[0] === EVENT.TMA && kernel.boxes[e[3]] === b && e[4] === s[3] && e[5] === s[4])
            return e.slice(8, 13);
    return null;
}
