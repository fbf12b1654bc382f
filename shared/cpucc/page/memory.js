/*
 * Draws shared memory in the player: each word with its writer, and the words that the event accesses.
 */

/** @typedef {{variable: Variable, columns: number, rows: number}} Part a variable, its size as drawn */

/** @type {{player: any, words: Uint8Array}} */
let touched = {player : null, words : new Uint8Array(0)};

/** Returns an array with a 1 for each word of shared memory that an event of the block accesses. */
function touchedWords()
{
    if (touched.player === player)
        return touched.words;
    const p = thePlayer();
    touched = {player : p, words : new Uint8Array(p.wordCount)};
    for (const e of p.events)
        if (e[0] <= EVENT.TMA)
            p.eachWord(e, (w) => { touched.words[w] = 1; });
    return touched.words;
}

/**
 * Returns the parts of shared memory to draw: each variable with a row per array row or per 32 banks,
 * up to the last row that the block accesses.
 * @returns {Part[]}
 */
function memoryParts()
{
    const t = /** @type {Trace} */ (theTrace()), words = touchedWords(), list = t.variables.slice();
    if (t.dynamic)
        list.push({name : "dynamic shared memory", type : "", offset : 0, bytes : t.dynamic});
    const parts = [];
    for (const v of list.sort((a, b) => a.offset - b.offset)) {
        const d = dimensions(v.type), all = d.reduce((a, b) => a * b, 1);
        let columns = d.length > 1 ? (d[d.length - 1] * v.bytes) / all / 4 : 32;
        if (wanted.view === "banks" || columns > 140 || columns < 1 || columns % 1)
            columns = 32;
        const last = words.subarray(v.offset >> 2, (v.offset + v.bytes) >> 2).lastIndexOf(1);
        if (v.bytes >= 64 && last >= 0)
            parts.push({variable : v, columns, rows : Math.floor(last / columns) + 1});
    }
    return parts;
}

function memoryFigures()
{
    const parts = memoryParts(), banks = wanted.view === "banks";
    if (!parts.length)
        return [];
    const views = [ [ "array", "as declared" ], [ "banks", "32 banks per row" ] ].map(
        ([ v, text ]) => make("button", {
            "aria-pressed" : String(banks === (v === "banks")),
            click : () => {
                writeFragment({view : v === "banks" ? "banks" : null});
                showEvent();
            }
        },
                              text));
    return [
        make("p", {class : "tabs"}, ...views), ...parts.map(({variable, columns, rows}, i) => {
            const rest = variable.bytes - 4 * columns * rows;
            const text =
                variable.name + ", " + number(variable.bytes) + " bytes, " + columns +
                " words per row" +
                (rest > 0 ? "; the block never touches the last " + number(rest) + " bytes" : "");
            const picture = make("canvas", {
                "data-part" : i,
                role : "img",
                mousemove : tellWord,
                click : tellWord,
                "aria-label" : text + ": words written, by warp"
            });
            return make("figure", null, make("figcaption", null, text),
                        make("div", {class : "scroll memory"}, picture));
        }),
        make("p", {id : "word", class : "caption"},
             "Shade and number: the warp that wrote the word. T: TMA wrote it. \u2026: a copy into it is " +
                 "in flight. Frame: this event touches it. Point at a word to see its writer.")
    ];
}

/**
 * Shows who wrote the word under the mouse pointer.
 * @param {any} event
 */
function tellWord(event)
{
    const {variable, columns, rows} = memoryParts()[Number(event.target.dataset.part)];
    const r = event.target.getBoundingClientRect(), state = thePlayer().state();
    const column = Math.floor(((event.clientX - r.left) / r.width) * columns),
          row = Math.floor(((event.clientY - r.top) / r.height) * rows),
          at = variable.offset + 4 * (row * columns + column), w = at >> 2;
    if (at < variable.offset + variable.bytes)
        byId("word").textContent =
            placeText(kernel, -1, at, 4) + ", bank " + (w % 32) + ": " +
            (state.arriving[w]
                 ? "a copy into it is in flight"
                 : "written by " + thePlayer().whoWrote(state.writer[w], state.lane[w]));
}

/**
 * Returns the set of the words of shared memory that an event accesses.
 * @param {number[]} e
 */
function wordsOf(e)
{
    const now = new Set();
    const about = e[0] === EVENT.ARRIVED ? thePlayer().events[e[4]] : e;
    if (e[0] === EVENT.FAULT && e[4] === -1)
        now.add(e[5] >> 2);
    else if (about[0] <= EVENT.TMA)
        thePlayer().eachWord(about, (w) => now.add(w));
    return now;
}

/**
 * Draws the state of shared memory after an event.
 * @param {number[]} e
 */
function drawMemory(e)
{
    const css = getComputedStyle(document.documentElement), now = wordsOf(e), kind = kindOf(shown);
    /** @type {Object<string, string>} */
    const colour = {};
    for (const name of ["mark", "idle", "tma", "ink", "fault", "waste-text", "word-first", "word-last"])
        colour[name] = css.getPropertyValue("--" + name).trim();
    const frame = colour[kind === "fault" ? "fault" : kind === "conflict" ? "waste-text" : "ink"];
    memoryParts().forEach((part, i) => {
        const c = /** @type {any} */ (document.querySelector('canvas[data-part="' + i + '"]'));
        const box = c.parentElement, width = box.clientWidth || 600;
        const wide = Math.max(6, Math.min(18, Math.floor(width / part.columns))),
              high = part.rows > 64 ? Math.max(6, wide / 2) : wide;
        c.width = 2 * part.columns * wide, c.height = 2 * part.rows * high;
        c.style.width = part.columns * wide + "px", c.style.height = part.rows * high + "px";
        const g = c.getContext("2d");
        g.scale(2, 2);
        g.font = "9px system-ui, sans-serif", g.textAlign = "center", g.textBaseline = "middle";
        let first = -1;
        for (let n = 0; n < part.columns * part.rows && 4 * n < part.variable.bytes; n++) {
            const w = (part.variable.offset >> 2) + n, x = (n % part.columns) * wide,
                  y = Math.floor(n / part.columns) * high;
            drawWord(g, w, x, y, wide, high, colour);
            if (now.has(w)) {
                first = first < 0 ? y : first;
                g.strokeStyle = frame, g.lineWidth = 2;
                g.strokeRect(x + 0.5, y + 0.5, wide - 2, high - 2);
            }
        }
        if (first >= 0 && (first < box.scrollTop || first > box.scrollTop + box.clientHeight - 20))
            box.scrollTop = first - 40;
    });
}

/**
 * Draws one word.
 * @param {any} g the canvas's context
 * @param {number} w
 * @param {number} x
 * @param {number} y
 * @param {number} wide
 * @param {number} high
 * @param {Object<string, string>} colour
 */
function drawWord(g, w, x, y, wide, high, colour)
{
    const p = thePlayer(), state = p.state();
    const by = state.writer[w] ? p.events[state.writer[w] - 1] : null;
    const tma = by && by[0] === EVENT.TMA, arriving = state.arriving[w];
    const from = Number(colour["word-first"]), to = Number(colour["word-last"]);
    const light = from + ((to - from) * (by ? by[1] % 16 : 0)) / 15;
    g.fillStyle = arriving ? colour.mark
                  : !by    ? colour.idle
                  : tma    ? colour.tma
                           : "hsl(212, 55%, " + light + "%)";
    g.fillRect(x, y, wide - 1, high - 1);
    if (wide < 13 || high < 10)
        return;
    g.fillStyle = colour.ink;
    g.fillText(arriving ? "\u2026" : tma ? "T" : by ? String(by[1]) : "", x + wide / 2 - 0.5, y + high / 2);
}
