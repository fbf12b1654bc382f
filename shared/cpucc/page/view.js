/*
 * Draws the player's part of the page: the strip of events, the controls, an event, and shared memory.
 */

/**
 * Returns the recorded block and event of a fault; null if no recorded block has it.
 * @param {Fault} f
 */
function spotOf(f)
{
    for (const block of ["trace", "faulty"]) {
        const t = block === "trace" ? kernel.trace : kernel.faulty;
        const at =
            t ? t.events.findIndex((e) => e[0] === EVENT.FAULT && data.faults[e[6]] === f) : -1;
        if (at >= 0)
            return {block, at};
    }
    return null;
}

/**
 * Returns the recorded event in which a line wastes work; -1 if there is none.
 * @param {Line} l
 */
function eventOf(l)
{
    const t = kernel.trace;
    return t ? t.events.findIndex((e) => {
        const p = kernel.patterns[e[3]], place = kernel.places[e[2]];
        return (e[0] === EVENT.REQUEST || e[0] === EVENT.COPY) && p && place && place[0] === l.file &&
               place[1] === l.line && (p.w > p.i || (p.w2 || 0) > (p.i2 || 0));
    })
             : -1;
}

/** @param {string} block @param {number} at */
function showInPlayer(block, at)
{
    writeFragment({block, play : String(at), order : null});
    showPlayer();
    byId("player").scrollIntoView();
    byId("slider").focus({preventScroll : true});
}

/** @type {number|undefined} */
let timer;
/** @type {ReturnType<typeof makePlayer>|null} */
let player = null;
let shown = 0;
/** Returns the recorded block that the player shows. */
const theTrace = () =>
    wanted.block === "faulty" && kernel.faulty ? kernel.faulty : kernel.trace || kernel.faulty;
const thePlayer = () => /** @type {ReturnType<typeof makePlayer>} */ (player);
/**
 * The lines at whose conflicts the player has already stopped.
 * @type {Set<string>}
 */
let stopped = new Set();

/** Moves the strip's cursor to the event shown. */
let drawCursor = () => {};

/** @param {number} index */
function kindOf(index)
{
    const e = thePlayer().events[index];
    return e[0] === EVENT.FAULT                                                       ? "fault"
           : e[0] === EVENT.BARRIER || e[0] === EVENT.MBARRIER || e[0] === EVENT.WARP ? "sync"
           : e[0] === EVENT.REQUEST || e[0] === EVENT.ATOMIC
               ? (thePlayer().wastes(index < 0 ? [] : e) ? "conflict" : "access")
               : "async";
}

/**
 * Returns the event that the strip shows at a place: the one of that warp nearest to `x`.
 * @param {number[]} starts of each event, and the end of the last
 * @param {number} x in the units of costOf
 * @param {number} warp
 */
function eventAt(starts, x, warp)
{
    const p = thePlayer();
    let best = 0, distance = Infinity;
    p.events.forEach((e, i) => {
        const own = e[0] === EVENT.BARRIER || e[0] === EVENT.FAULT || e[1] === warp;
        const away = own ? Math.max(0, starts[i] - x, x - starts[i + 1]) : Infinity;
        if (away < distance)
            [best, distance] = [ i, away ];
    });
    return best;
}

function strip()
{
    const p = thePlayer(), h = Math.max(4, Math.min(12, 160 / p.warps)), height = p.warps * h;
    const starts = [ 0 ];
    p.events.forEach((e, i) => starts.push(starts[i] + costOf(e)));
    const w = 1000 / starts[p.events.length];
    const svg = make("svg", {
        viewBox : "0 0 1000 " + height,
        preserveAspectRatio : "none",
        class : "strip",
        "aria-hidden" : "true",
        style : "height:" + Math.max(28, height) + "px",
        click : (/** @type {any} */ e) => {
            const r = svg.getBoundingClientRect();
            seek(eventAt(starts, ((e.clientX - r.left) / r.width) * (1000 / w),
                         Math.floor(((e.clientY - r.top) / r.height) * p.warps)));
        }
    });
    /** @type {Object<string, string>} */
    const paths = {sync : "", access : "", async : "", conflict : "", fault : ""};
    p.events.forEach((e, i) => {
        const whole = e[0] === EVENT.BARRIER || e[0] === EVENT.FAULT;
        const wide = Math.max((starts[i + 1] - starts[i]) * w * 0.9, 0.7).toFixed(2);
        paths[kindOf(i)] += "M" + (starts[i] * w).toFixed(2) + " " +
                            (whole ? 0 : e[1] * h + 0.5) + "h" + wide + "v" +
                            (whole ? height : h - 1) + "h-" + wide + "z";
    });
    for (const [kind, d] of Object.entries(paths))
        if (d)
            svg.append(make("path", {d, class : "strip-" + kind}));
    svg.append(make("rect", {id : "cursor", y : 0, height, class : "cursor"}));
    drawCursor = () => {
        byId("cursor").setAttribute("x", String(starts[shown] * w));
        byId("cursor").setAttribute("width", String(Math.max((starts[shown + 1] - starts[shown]) * w, 2)));
    };
    return svg;
}

function stripLegend()
{
    const kinds = [
        [ "access", "access" ], [ "conflict", "more work than the least" ],
        [ "async", "asynchronous copy" ], [ "sync", "synchronisation" ], [ "fault", "fault" ]
    ];
    const all = thePlayer().events.map((_, i) => kindOf(i));
    return make(
        "p", {class : "legend"}, "One row per warp, wider where it takes longer (wavefronts, or four sectors each; " +
            number(thePlayer().events.reduce((sum, e) => sum + costOf(e), 0)) + " in all): ",
        ...kinds.filter(([ kind ]) => all.some((k) => k === kind))
            .map(([ kind, text ]) => make("span", {class : "kind"},
                                          make("span", {class : "swatch strip-" + kind}), text)));
}

/** @param {number} at */
function seek(at)
{
    const p = thePlayer();
    shown = Math.max(0, Math.min(p.events.length - 1, at));
    writeFragment({play : String(shown)});
    showEvent();
}

function halt()
{
    clearInterval(timer);
    timer = undefined;
    const b = byId("play");
    if (b)
        b.textContent = "\u25b6 play";
}

function run()
{
    const p = thePlayer();
    if (timer !== undefined)
        return halt();
    if (shown >= p.events.length - 1)
        shown = -1;
    else if (p.wastes(p.events[shown]))
        stopped.add(String(p.events[shown][2]));
    byId("play").textContent = "\u25a0 stop";
    timer = setInterval(() => {
        seek(shown + 1);
        const e = p.events[shown], place = String(e[2]);
        const conflict = p.wastes(e) && !stopped.has(place);
        if (conflict)
            stopped.add(place);
        if (conflict || e[0] === EVENT.FAULT || shown >= p.events.length - 1)
            halt();
    }, Math.max(40, Math.min(350, 30000 / p.events.length)));
}

/**
 * Goes to the next event for which `is` returns true; after the last such event, to the first.
 * @param {(e: number[]) => boolean} is
 */
function next(is)
{
    const p = thePlayer();
    halt();
    const at = p.events.findIndex((e, i) => i > shown && is(e));
    seek(at >= 0 ? at : p.events.findIndex(is));
}

/** @param {number} at the event at which to stop */
function to(at)
{
    halt();
    seek(at);
}

function showPlayer()
{
    const box = byId("player"), t = theTrace();
    halt();
    stopped = new Set();
    player = null;
    box.replaceChildren(make("h2", null, "Player"));
    if (!t || !t.events.length) {
        box.append(make("p", {class : "caption"}, "The run recorded no block of this kernel."));
        return;
    }
    const turns = wanted.order === "turns";
    player = makePlayer(kernel, turns ? Object.assign({}, t, {events : inTurns(t.events)}) : t);
    const p = player, n = p.events.length;
    /** @param {string} text @param {() => void} click @param {string} [id] @param {boolean} [pressed] */
    const button = (text, click, id, pressed) =>
        make("button", {click, id, "aria-pressed" : pressed === undefined ? null : String(pressed)}, text);
    const isBarrier = (/** @type {number[]} */ e) =>
        e[0] === EVENT.BARRIER || (e[0] === EVENT.MBARRIER && e[5] === 5);
    const has = (/** @type {(e: number[]) => boolean} */ is) => p.events.some(is);
    box.append(make("p", {class : "caption"},
                    "Block (" + t.index.join(",") + ") of launch " + t.launch + ", " +
                        count(p.warps, "warp") + ": " + count(n, "event") +
                        " in the order of this run." +
                        (t.left ? " The page leaves out the last " + number(t.left) + "." : "") +
                        " The hardware interleaves the warps, but barriers always hold."),
               p.warps > 1 ? make("p", {class : "tabs"},
                                  ...[[ "one warp after the other", null ], [ "warps take turns", "turns" ]].map(
                                      ([ text, order ]) => button(String(text), () => {
                                          const now = p.events[shown];
                                          writeFragment({order});
                                          showPlayer();
                                          seek(thePlayer().events.indexOf(now));
                                      }, undefined, turns === (order === "turns"))))
                           : "",
               kernel.faulty && kernel.trace
                   ? make("p", {class : "tabs"},
                          ...[kernel.trace, kernel.faulty].map((x) => button("block (" + x.index.join(",") + ")" +
                                  (x === kernel.faulty ? ", the first with a fault" : ""), () => {
                              writeFragment({block : x === kernel.faulty ? "faulty" : "trace", play : null});
                              showPlayer();
                          }, undefined, t === x)))
                   : "",
               strip(), stripLegend(),
               make("p", {class : "controls"},
                    button("|\u25c0 first", () => to(0)), button("\u25c0 back", () => to(shown - 1)),
                    button("\u25b6 play", run, "play"), button("forward \u25b6", () => to(shown + 1)),
                    has(isBarrier) ? button("next barrier", () => next(isBarrier)) : null,
                    has(p.wastes) ? button("next conflict", () => next(p.wastes)) : null,
                    has((e) => e[0] === EVENT.FAULT)
                        ? button("next fault", () => next((e) => e[0] === EVENT.FAULT))
                        : null),
               make("label", {class : "slider"}, "event ", make("input", {
                        type : "range", id : "slider", min : 0, max : n - 1, value : 0,
                        input : (/** @type {any} */ e) => to(Number(e.target.value))
                    })),
               make("p", {id : "say", role : "status"}),
               // each event makes this part anew: playing stops when the focus enters it
               make("div", {id : "event", focusin : halt}));
    box.onkeydown = (/** @type {KeyboardEvent} */ e) => {
        const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
        if (by && e.target instanceof HTMLButtonElement)
            to(shown + by);
    };
    const loads = (/** @type {number[]} */ e) =>
        e[0] === EVENT.REQUEST && (kernel.patterns[e[3]] || {c : ""}).c === "shared_load";
    const first = wanted.embed === "1" ? Math.max(0, p.events.findIndex(has(p.wastes) ? p.wastes : loads)) : 0;
    shown = Math.max(0, Math.min(n - 1, wanted.play ? Number(wanted.play) || 0 : first));
    showEvent();
}

/**
 * Makes the pictures of an event's request; none if the event is not a request.
 * @param {number[]} e
 * @returns {Node[]}
 */
function eventPictures(e)
{
    const p = kernel.patterns[e[3]], parts = [], now = thePlayer().state();
    if (e[0] === EVENT.FAULT) {
        const found = thePlayer().events.find((x, i) => i > shown && x[1] === e[1] && x[2] === e[2] && x[0] <= EVENT.TMA);
        return found ? [ make("p", {class : "caption"}, "The run found the fault in this request:"), ...eventPictures(found) ] : [];
    }
    if (e[0] === EVENT.TMA && kernel.boxes[e[3]]) {
        const picture = boxPicture(kernel.boxes[e[3]], e.slice(8, 13), e[13] ? "tma_load" : "tma_store",
                                   placeText(kernel, e[6], e[7], 4));
        return [ picture.svg, make("p", {class : "caption"}, picture.text) ];
    }
    if (e[0] > EVENT.ATOMIC || !p)
        return [];
    for (const second of e[0] === EVENT.COPY ? [ false, true ] : [ false ]) {
        const counter = second ? "async_copy_shared" : p.c;
        const shot = {kernel, pattern : p, second, counter, region : e[second ? 6 : 4], base : e[second ? 7 : 5]};
        const picture = requestPicture(shot), reads = p.c === "shared_load" && shot.region === -1;
        if (picture.svg)
            parts.push(picture.svg);
        parts.push(make("p", {class : "caption"}, picture.text));
        /** @param {number} at */
        const writer = (at) => thePlayer().whoWrote(now.writer[at >> 2], now.lane[at >> 2]);
        const title = "lanes and addresses" + (reads ? ", and who wrote the words that they read" : "");
        parts.push(make("details", null, make("summary", null, title),
                        laneTable(shot, reads ? writer : null, "lanes of the event: " + counterName(counter))));
    }
    return parts;
}

/** Makes a table of source lines and the warps that are at each line. */
function warpPlaces()
{
    /** @type {Map<number, number[]>} */
    const at = new Map();
    thePlayer().state().place.forEach(
        (place, warp) => { at.set(place, (at.get(place) || []).concat(warp)); });
    const rows = [...at ].sort((a, b) => a[1][0] - b[1][0]).map(([ place, warps ]) => {
        const text = place < 0 ? "" : sourceText(kernel.places[place]);
        return make("tr", null, make("th", {scope : "row"}, laneText(warps)),
                    make("td", null, place < 0 ? "not begun" : String(kernel.places[place][1])),
                    make("td", null, make("code", null, text.trim())));
    });
    const head = [ "warps", "line", "" ].map(headCell);
    return make("div", {class : "scroll", tabindex : 0, role : "region", "aria-label" : "where the warps are"},
                make("table", {class : "warps"}, make("thead", null, make("tr", null, ...head)), make("tbody", null, ...rows)));
}

/**
 * Returns the text of a line of the source; empty if the page does not have that line.
 * @param {number[]} place file, line
 */
function sourceText([ file, line ])
{
    for (const part of data.files[file].text)
        if (line >= Number(part[0]) && line < Number(part[0]) + part.length - 1)
            return String(part[line - Number(part[0]) + 1]);
    return "";
}

/** @param {State} state */
function barrierTable(state)
{
    const head = [ "mbarrier", "phase", "pending", "bytes expected" ];
    const rows = [...state.barriers.values() ].map(
        (b) => [b.name, b.phase + (b.phase % 2 ? " (odd)" : " (even)"),
                b.pending + " of " + b.expected, number(b.bytes)]);
    return make("table", {class : "barriers"}, make("thead", null, make("tr", null, ...head.map(headCell))),
                make("tbody", null, ...rows.map((r) => make("tr", null, ...r.map((c) => make("td", null, c))))));
}

function showEvent()
{
    const p = thePlayer(), box = byId("event"), e = p.events[shown], state = p.goTo(shown + 1);
    const kind = kindOf(shown), text = p.say(shown), source = sourceText(kernel.places[e[2]]);
    byId("slider").value = shown;
    byId("slider").setAttribute("aria-valuetext", text);
    drawCursor();
    const sums = Object.entries(state.sums).map(([ c, n ]) => make("span",
        {"data-block-metric" : c, "data-requests" : n[0], "data-work" : n[1], "data-ideal" : n[2]}));
    const said = byId("say");
    said.className = "say " + kind;
    said.setAttribute("aria-live", timer === undefined ? "polite" : "off");
    said.dataset.event = String(shown);
    said.dataset.kind = kind;
    said.dataset.wordsWritten = String(state.writer.filter((w) => w > 0).length);
    said.replaceChildren(make("b", null, number(shown + 1) + " of " + number(p.events.length) + " "),
                         text, ...(source ? [ make("br"), make("code", null, source.trim()) ] : []));
    box.replaceChildren(make("p", {hidden : true}, ...sums));
    const left = make("div", null, ...eventPictures(e), warpPlaces()), right = make("div", null);
    right.append(...memoryFigures());
    if (state.barriers.size)
        right.append(barrierTable(state));
    box.append(make("div", {class : "pair"}, left, right));
    drawMemory(e);
    for (const row of document.querySelectorAll("tr.here"))
        row.classList.remove("here");
    const [file, at] = kernel.places[e[2]];
    const row = document.querySelector('[data-source="' + file + ":" + at + '"]');
    if (row)
        row.classList.add("here");
}
