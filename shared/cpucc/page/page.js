/* The page: source, one line's requests, and the player. Its state is in the address's fragment:
 * #kernel=2&line=42&counter=shared_load&play=17, theme=dark or light, embed=1 for the player alone. */

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/** @type {Object<string, string>} */
let wanted = {};
/** @type {Kernel} */
let kernel;
/** @type {Line|null} */
let line = null;
let counter = "";

/** @param {string} text of an address that somebody may have mangled */
function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return "";
    }
}

function readFragment() {
    wanted = {};
    for (const part of location.hash.slice(1).split("&")) {
        const at = part.indexOf("=");
        if (at > 0) wanted[part.slice(0, at)] = decoded(part.slice(at + 1));
    }
    if (wanted.theme === "dark" || wanted.theme === "light") document.documentElement.setAttribute("data-theme", wanted.theme);
}

/** @param {Object<string, string|null>} change */
function writeFragment(change) {
    for (const [name, value] of Object.entries(change))
        if (value === null) delete wanted[name];
        else wanted[name] = value;
    history.replaceState(null, "", "#" + Object.entries(wanted).map(([n, v]) => n + "=" + encodeURIComponent(v)).join("&"));
}

/** How many requests could have been saved. @param {Count} c */
const waste = (c) => c[1] - c[2];
/** Greys, then ever more of the colour of waste. @param {number} r */
const heat = (r) => (r <= 1.001 ? 0 : r < 2 ? 1 : r < 8 ? 2 : 3);

/** The line and counter that waste most. @param {Kernel} k */
function worstOf(k) {
    /** @type {{line: Line, counter: string, waste: number}|null} */
    let worst = null;
    for (const l of k.lines)
        for (const [c, n] of Object.entries(l.counters)) {
            const w = c.startsWith("tma") ? waste(n) / 128 : waste(n);
            if (!worst || w > worst.waste) worst = { line: l, counter: c, waste: w };
        }
    return worst;
}

/** @param {Fault} f */
const faultLevel = (f) => (f.level === "fault" ? "Fault" : "Remark");
/** @param {Kernel} k */
const faultsOf = (k) => data.faults.filter((f) => f.kernel === k.name);

// ---- the top ----

function topOfPage() {
    const choice = make("select", { id: "kernel", change: (/** @type {any} */ e) => {
        writeFragment({ kernel: String(Number(e.target.value) + 1), line: null, counter: null, play: null, block: null });
        showKernel();
    } });
    data.kernels.forEach((k, i) => {
        const worst = worstOf(k), n = worst && worst.waste > 0 ? worst.line.counters[worst.counter] : null;
        choice.append(make("option", { value: i, selected: k === kernel }, k.name + (faultsOf(k).some((f) => f.level === "fault")
            ? " (fault)" : n ? " (" + times(ratio(n[1], n[2])) + ")" : "")));
    });
    const k = kernel, parameters = (k.parameters || []).map((p) => p.name + (p.value === undefined ? "" : "=" + p.value));
    return make("header", null, make("h1", null, data.program.replace(/\.cpu$/, ""), make("span", null, "what the kernel did")),
        make("p", { class: "kernels" }, make("label", { for: "kernel" }, data.kernels.length > 1 ? "Kernel " : "Kernel "), choice),
        make("p", { class: "launch" }, make("code", null, k.name + "<<<(" + k.grid.join(",") + "), (" + k.block.join(",") + ")>>>(" +
            parameters.join(", ") + ")"), " " + count(k.launches, "launch").replace(/launchs$/, "launches") + ", " +
            number(k.shared) + " bytes of shared memory a block"));
}

function verdict() {
    const box = make("section", { class: "verdict", "aria-label": "what to try next" });
    for (const f of faultsOf(kernel))
        box.append(make("p", { class: f.level }, make("strong", null, faultLevel(f) + ": " + f.text + ". "),
            data.files[f.file].name + ":" + f.line + ": " + f.message + (f.times > 1 ? " (" + number(f.times) + " times)" : "") + " ",
            make("button", { click: () => { choose(f.file, f.line, ""); } }, "line " + f.line), " ",
            spotOf(f) ? make("button", { click: () => {
                const spot = /** @type {{block: string, at: number}} */ (spotOf(f));
                writeFragment({ block: spot.block, play: String(spot.at) });
                showPlayer();
                byId("player").scrollIntoView();
            } }, "in the player") : null));
    const worst = worstOf(kernel);
    if (worst && worst.waste > 0) {
        const n = worst.line.counters[worst.counter], s = worst.line.samples[worst.counter];
        box.append(make("p", null, make("strong", null, "Line " + worst.line.line + " wastes most: "), "its " +
            counterName(worst.counter) + (worst.counter.startsWith("tma") ? " moves " : "s take ") + number(n[1]) + " " +
            unit(worst.counter, n[1]) + " where " + number(n[2]) + " would do (" + times(ratio(n[1], n[2])) + "). ",
            make("span", { "data-advice": true }, (s && s.advice) || "")));
    } else {
        box.append(make("p", null, make("strong", null, "Nothing is wasted: "), "each request takes the least that it can. " +
            "What is left to gain is not counted here: how many bytes are in flight at a time, and how often a block waits."));
    }
    return box;
}

function totals() {
    const rows = Object.entries(kernel.counters).map(([c, n]) => {
        const m = data.metrics[c], r = ratio(n[1], n[2]);
        /** @param {number} i @param {string} field */
        const cell = (i, field) => make("td", { "data-metric": c, "data-field": field, "data-value": n[i],
            title: m[i] && m[i] !== "nan" ? m[i] : null }, number(n[i]));
        return make("tr", { class: "heat" + heat(r) }, make("th", { scope: "row" }, counterName(c)), cell(0, "requests"), cell(1, "work"),
            make("td", { class: "unit" }, unit(c, 2)), cell(2, "ideal_work"), make("td", null, (n[1] / n[0]).toFixed(2)),
            make("td", { class: "times" }, times(r)));
    });
    const head = ["", "requests", "work", "", "least", "work/request", "above least"];
    return make("section", { class: "scroll", tabindex: 0, role: "region", "aria-label": "counts of all launches of this kernel" },
        make("table", { id: "totals" }, make("thead", null, make("tr", null, ...head.map((h) => make("th", { scope: "col" }, h)))),
            make("tbody", null, ...rows)));
}

// ---- the source ----

/** @param {number} file @param {number} at */
function lineParts(file, at) {
    const l = kernel.lines.find((x) => x.file === file && x.line === at);
    const faults = data.faults.filter((f) => f.file === file && f.line === at && (f.kernel === kernel.name || !f.kernel));
    const chips = l ? Object.entries(l.counters).map(([c, n]) => make("button", { class: "chip heat" + heat(ratio(n[1], n[2])),
        "data-file": data.files[file].name, "data-line": at, "data-metric": c, "data-requests": n[0], "data-work": n[1], "data-ideal": n[2],
        "aria-pressed": "false", click: () => choose(file, at, c) }, make("b", null, times(ratio(n[1], n[2]))), " " + counterName(c) +
        ": " + count(n[0], "request") + ", " + number(n[1]) + " " + unit(c, n[1]))) : [];
    const worst = l ? Math.max(...Object.values(l.counters).map((n) => heat(ratio(n[1], n[2])))) : -1;
    return { l, faults, chips, worst };
}

function source() {
    const box = make("section", { class: "source scroll", id: "source", tabindex: 0, role: "region", "aria-label": "source" });
    const files = [...new Set([...kernel.lines, ...faultsOf(kernel)].map((l) => l.file))];
    for (const file of files) {
        box.append(make("h2", null, data.files[file].name));
        const table = make("table", { class: "code" });
        const seen = new Set();
        for (const part of data.files[file].text) {
            if (seen.size) table.append(make("tr", null, make("td", { colspan: 2, class: "gap" }, "\u22ee")));
            part.slice(1).forEach((text, i) => {
                seen.add(Number(part[0]) + i);
                table.append(...sourceLine(file, Number(part[0]) + i, String(text)));
            });
        }
        for (const l of kernel.lines)
            if (l.file === file && !seen.has(l.line)) table.append(...sourceLine(file, l.line, "(this line's source was not found)"));
        box.append(table);
    }
    return box;
}

/** @param {number} file @param {number} at @param {string} text */
function sourceLine(file, at, text) {
    const { l, faults, chips, worst } = lineParts(file, at);
    const row = make("tr", { class: (l ? "counts heat" + worst : "") + (faults.length ? " faulty" : ""), "data-source": file + ":" + at },
        make("th", { scope: "row" }, String(at || "?")), make("td", null, make("code", null, text || " ")));
    if (l) row.addEventListener("click", () => choose(file, at, ""));
    const rows = [row];
    if (chips.length || faults.length)
        rows.push(make("tr", { class: "notes" + (l ? " heat" + worst : "") }, make("td", null), make("td", null, make("div", null, ...chips,
            ...faults.map((f) => make("p", { class: f.level, "data-fault": f.kind }, make("strong", null, faultLevel(f) + ": " + f.text + ". "),
                f.message))))));
    return rows;
}

// ---- one line ----

/** @param {number} file @param {number} at @param {string} c counter, or "" for the one that wastes most */
function choose(file, at, c) {
    line = kernel.lines.find((x) => x.file === file && x.line === at) || null;
    const counters = line ? Object.entries(line.counters) : [];
    counters.sort((a, b) => ratio(b[1][1], b[1][2]) - ratio(a[1][1], a[1][2]));
    counter = counters.some((x) => x[0] === c) ? c : counters.length ? counters[0][0] : "";
    if (line) writeFragment({ line: String(at), counter });
    for (const e of document.querySelectorAll("[data-source]"))
        e.classList.toggle("chosen", e.getAttribute("data-source") === file + ":" + at);
    for (const e of document.querySelectorAll(".chip"))
        e.setAttribute("aria-pressed", String(Boolean(line) && e.getAttribute("data-metric") === counter &&
            e.getAttribute("data-line") === String(at) && e.getAttribute("data-file") === data.files[file].name));
    const row = document.querySelector("tr.chosen"), box = byId("source");
    if (row && box) {
        const r = row.getBoundingClientRect(), b = box.getBoundingClientRect();
        if (r.top < b.top || r.bottom > b.bottom - 40) box.scrollTop += r.top - b.top - b.height / 3;
    }
    showLine();
}

/** The picture of a sample, in words, and its lanes. @param {Sample} s @param {string} c counter */
function sampleParts(s, c) {
    if (c.startsWith("tma")) {
        const b = kernel.boxes[s[0]];
        if (!b) return [make("p", null, "The box was left out: there were too many.")];
        const p = boxPicture(b, boxAt(b, s), c, placeText(kernel, s[5], s[6], 4));
        return [p.svg, make("p", { class: "caption" }, p.text)];
    }
    const pattern = kernel.patterns[s[0]], second = c === "async_copy_shared";
    if (!pattern) return [make("p", null, "The request's pattern was left out: there were too many.")];
    /** @type {Shot} */
    const shot = { kernel, pattern, second, counter: c, region: second ? s[5] : s[3], base: second ? s[6] : s[4] };
    const p = requestPicture(shot);
    return [p.svg, make("p", { class: "caption" }, p.text), laneTable(shot, null)].filter(Boolean);
}

/** Where a box begins in its tensor, as far as the recorded block says. @param {Box} b @param {Sample} s */
function boxAt(b, s) {
    const t = kernel.trace;
    for (const e of t ? t.events : [])
        if (e[0] === EVENT.TMA && kernel.boxes[e[3]] === b && e[4] === s[3] && e[5] === s[4]) return e.slice(8, 13);
    return null;
}

/** What one counter of a line has to say. @param {Line} l @param {string} c @param {"worst"|"first"} which */
function lineDetail(l, c, which) {
    const n = l.counters[c], s = l.samples[c], out = [make("h2", null, "Line " + l.line + ": " + counterName(c))];
    if (Object.keys(l.counters).length > 1)
        out.push(make("p", { class: "tabs" }, ...Object.keys(l.counters).map((other) => make("button", { "aria-pressed": String(other === c),
            click: () => choose(l.file, l.line, other) }, counterName(other)))));
    out.push(make("p", null, number(n[0]) + " request" + (n[0] === 1 ? "" : "s") + " took " + number(n[1]) + " " + unit(c, n[1]) + "; " +
        (n[1] === n[2] ? "that is the least." : number(n[2]) + " would do: " + times(ratio(n[1], n[2])) + ".")));
    if (!s) return out;
    if (s.advice) out.push(make("p", { class: waste(n) > 0 ? "advice" : "" }, s.advice));
    /** @param {Sample} x */
    const who = (x) => "block " + x[1] + ", warp " + x[2];
    const same = String(s.worst) === String(s.first);
    out.push(same ? make("p", { class: "caption" }, "Of " + who(s.first) + (n[0] > 1 ? ", the first request; none takes more." : "."))
        : make("p", { class: "tabs" }, ...["worst", "first"].map((w) => make("button", { "aria-pressed": String(which === w),
            click: () => { byId("detail").replaceChildren(...lineDetail(l, c, w === "worst" ? "worst" : "first")); } },
        "The " + w + ": " + who(w === "worst" ? s.worst : s.first)))),
    ...sampleParts(which === "worst" ? s.worst : s.first, c), legend(COUNTER[c][1]));
    return out;
}

/** The chosen line; with all=1, every line, to print or to test. */
function showLine() {
    const box = byId("detail"), none = make("p", { class: "caption" }, "Choose a line with counts.");
    if (wanted.all !== "1") return box.replaceChildren(...(line && counter ? lineDetail(line, counter, "worst") : [none]));
    box.replaceChildren(...kernel.lines.flatMap((l) => Object.keys(l.counters).map((c) => make("div", { "data-detail": l.line,
        "data-counter": c }, ...lineDetail(l, c, "worst")))));
}

/** @param {string} u */
function legend(u) {
    const swatch = (/** @type {string} */ kind) => make("span", { class: "swatch " + kind });
    return make("p", { class: "legend" }, ...(u === "wavefront" ? [swatch("used"), "lane served; the first row would do for all", make("br"),
        swatch("waste"), "a wavefront more, because its bank was busy", make("br"), swatch("idle"), "a bank with nothing to do"]
        : u === "sector" ? [swatch("used"), "a lane's bytes", make("br"), swatch("hatched"), "moved, and used by no lane of this request",
            make("br"), swatch("idle"), "not moved"] : [swatch("used"), "16 bytes of the box, with its row and place in it", make("br"),
            swatch("hatched"), "outside the tensor"]));
}

// ---- the player ----

/** Where a fault is in a trace. @param {Fault} f */
function spotOf(f) {
    for (const block of ["trace", "faulty"]) {
        const t = block === "trace" ? kernel.trace : kernel.faulty;
        const at = t ? t.events.findIndex((e) => e[0] === EVENT.FAULT && data.faults[e[6]] === f) : -1;
        if (at >= 0) return { block, at };
    }
    return null;
}

/** @type {number|undefined} */
let timer;
/** @type {ReturnType<typeof makePlayer>|null} */
let player = null;
let shown = 0;
/** Lines whose conflicts have stopped the player. @type {Set<string>} */
let stopped = new Set();

/** @param {number} index */
function kindOf(index) {
    const e = /** @type {any} */ (player).events[index];
    return e[0] === EVENT.FAULT ? "fault" : e[0] === EVENT.BARRIER || e[0] === EVENT.MBARRIER || e[0] === EVENT.WARP ? "sync"
        : e[0] === EVENT.REQUEST || e[0] === EVENT.ATOMIC ? (/** @type {any} */ (player).wastes(index < 0 ? [] : e) ? "conflict" : "access") : "async";
}

function strip() {
    const p = /** @type {any} */ (player), n = p.events.length, h = Math.max(4, Math.min(12, 160 / p.warps)), height = p.warps * h;
    const svg = make("svg", { viewBox: "0 0 1000 " + height, preserveAspectRatio: "none", class: "strip", "aria-hidden": "true",
        style: "height:" + Math.max(28, height) + "px", click: (/** @type {any} */ e) => {
            const r = svg.getBoundingClientRect();
            moveTo(Math.min(n - 1, Math.floor(((e.clientX - r.left) / r.width) * n)));
        } });
    /** @type {Object<string, string>} */
    const paths = { sync: "", access: "", async: "", conflict: "", fault: "" };
    const w = 1000 / n;
    for (let i = 0; i < n; i++) {
        const e = p.events[i], kind = kindOf(i), whole = e[0] === EVENT.BARRIER || e[0] === EVENT.FAULT;
        const x = (i * w).toFixed(2), wide = Math.max(w * 0.85, 0.7).toFixed(2);
        paths[kind] += "M" + x + " " + (whole ? 0 : e[1] * h + 0.5) + "h" + wide + "v" + (whole ? height : h - 1) + "h-" + wide + "z";
    }
    for (const [kind, d] of Object.entries(paths)) if (d) svg.append(make("path", { d, class: "strip-" + kind }));
    svg.append(make("rect", { id: "cursor", x: 0, y: 0, width: Math.max(w, 2), height, class: "cursor" }));
    return svg;
}

/** @param {number} at */
function moveTo(at) {
    const p = /** @type {any} */ (player);
    shown = Math.max(0, Math.min(p.events.length - 1, at));
    writeFragment({ play: String(shown) });
    showEvent();
}

function stop() {
    if (timer !== undefined) clearInterval(timer);
    timer = undefined;
    const b = byId("play");
    if (b) b.textContent = "\u25b6 play";
}

function play() {
    const p = /** @type {any} */ (player);
    if (timer !== undefined) return stop();
    if (shown >= p.events.length - 1) shown = -1;
    byId("play").textContent = "\u25a0 stop";
    timer = setInterval(() => {
        moveTo(shown + 1);
        const e = p.events[shown], key = e[0] + ":" + e[2] + ":" + e[3];
        if (shown >= p.events.length - 1) stop();
        else if (e[0] === EVENT.FAULT || (p.wastes(e) && !stopped.has(String(e[2])))) {
            stopped.add(String(e[2]));
            stop();
        }
        return key;
    }, Math.max(30, Math.min(350, 30000 / p.events.length)));
}

/** The next event of a kind, forward. @param {(e: number[]) => boolean} is */
function next(is) {
    const p = /** @type {any} */ (player);
    stop();
    for (let i = shown + 1; i < p.events.length; i++) if (is(p.events[i])) return moveTo(i);
    for (let i = 0; i <= shown; i++) if (is(p.events[i])) return moveTo(i);
}

function showPlayer() {
    const box = byId("player"), t = wanted.block === "faulty" && kernel.faulty ? kernel.faulty : kernel.trace || kernel.faulty;
    stop();
    stopped = new Set();
    player = null;
    box.replaceChildren(make("h2", null, "Player"));
    if (!t || !t.events.length) {
        box.append(make("p", { class: "caption" }, "No block of this kernel was recorded."));
        return;
    }
    player = makePlayer(kernel, t);
    const p = player, n = p.events.length;
    /** @param {string} text @param {() => void} click @param {string} [id] */
    const button = (text, click, id) => make("button", { click, id }, text);
    const isBarrier = (/** @type {number[]} */ e) => e[0] === EVENT.BARRIER || (e[0] === EVENT.MBARRIER && e[5] === 5);
    const has = (/** @type {(e: number[]) => boolean} */ is) => p.events.some(is);
    box.append(make("p", { class: "caption" }, "Block (" + t.index.join(",") + ") of launch " + t.launch + ", " + count(p.warps, "warp") + ": " +
        count(n, "event") + " in the order of this run." + (t.left ? " The last " + number(t.left) + " are left out." : "") +
        " The hardware may run the warps in another order; barriers hold in each."),
    kernel.faulty && kernel.trace ? make("p", { class: "tabs" }, ...[["trace", kernel.trace], ["faulty", kernel.faulty]].map(([name, x]) => make("button",
        { "aria-pressed": String(t === x), click: () => { writeFragment({ block: String(name), play: null }); showPlayer(); } },
        "block (" + /** @type {Trace} */ (x).index.join(",") + ")" + (name === "faulty" ? ", the first with a fault" : "")))) : "",
    strip(),
    make("p", { class: "controls" }, button("|\u25c0 first", () => { stop(); moveTo(0); }), button("\u25c0 back", () => { stop(); moveTo(shown - 1); }),
        button("\u25b6 play", play, "play"), button("forward \u25b6", () => { stop(); moveTo(shown + 1); }),
        has(isBarrier) ? button("next barrier", () => next(isBarrier)) : null,
        has(p.wastes) ? button("next conflict", () => next(p.wastes)) : null,
        has((e) => e[0] === EVENT.FAULT) ? button("next fault", () => next((e) => e[0] === EVENT.FAULT)) : null),
    make("label", { class: "slider" }, "event ", make("input", { type: "range", id: "slider", min: 0, max: n - 1, value: 0,
        input: (/** @type {any} */ e) => { stop(); moveTo(Number(e.target.value)); } })),
    make("div", { id: "event", "aria-live": "polite" }));
    shown = Math.max(0, Math.min(n - 1, Number(wanted.play) || 0));
    showEvent();
}

/** A picture of the event's request, if it is one. @param {number[]} e */
function eventPictures(e) {
    const p = kernel.patterns[e[3]], parts = [];
    if ((e[0] === EVENT.REQUEST || e[0] === EVENT.ATOMIC || e[0] === EVENT.COPY) && p) {
        const sides = e[0] === EVENT.COPY ? [false, true] : [false];
        for (const second of sides) {
            /** @type {Shot} */
            const shot = { kernel, pattern: p, second, counter: second ? "async_copy_shared" : p.c, region: e[second ? 6 : 4], base: e[second ? 7 : 5] };
            const picture = requestPicture(shot);
            if (picture.svg) parts.push(picture.svg);
            parts.push(make("p", { class: "caption" }, picture.text));
            const st = /** @type {any} */ (player).state();
            const reads = !second && p.c === "shared_load" && shot.region === -1;
            parts.push(make("details", null, make("summary", null, "lanes and addresses" + (reads ? ", and who wrote what they read" : "")),
                laneTable(shot, reads ? (at) => /** @type {any} */ (player).whoWrote(st.writer[at >> 2], st.lane[at >> 2]) : null)));
        }
    } else if (e[0] === EVENT.TMA && kernel.boxes[e[3]]) {
        const picture = boxPicture(kernel.boxes[e[3]], e.slice(8, 13), e[13] ? "tma_load" : "tma_store", placeText(kernel, e[6], e[7], 4));
        parts.push(picture.svg, make("p", { class: "caption" }, picture.text));
    }
    return parts;
}

function showEvent() {
    const p = /** @type {any} */ (player), box = byId("event"), e = p.events[shown], state = p.goTo(shown + 1);
    byId("slider").value = shown;
    byId("slider").setAttribute("aria-valuetext", p.say(shown));
    byId("cursor").setAttribute("x", String((shown * 1000) / p.events.length));
    const written = state.writer.reduce((/** @type {number} */ n, /** @type {number} */ w) => n + (w ? 1 : 0), 0);
    box.replaceChildren(make("p", { class: "say " + kindOf(shown), "data-event": shown, "data-kind": kindOf(shown), "data-words-written": written },
        make("b", null, number(shown + 1) + " of " + number(p.events.length) + " "), p.say(shown)),
    make("p", { class: "sums", hidden: true }, ...Object.entries(state.sums).map(([c, n]) => make("span", { "data-block-metric": c,
        "data-requests": n[0], "data-work": n[1], "data-ideal": n[2] }))));
    const left = make("div", null, ...eventPictures(e)), right = make("div", null);
    if (p.wordCount) right.append(...memory(e));
    if (state.barriers.size) right.append(make("table", { class: "barriers" }, make("thead", null, make("tr", null,
        ...["mbarrier", "phase", "pending", "bytes expected"].map((h) => make("th", { scope: "col" }, h)))), make("tbody", null,
        ...[...state.barriers.values()].map((b) => make("tr", null, make("td", null, b.name), make("td", null, b.phase + (b.phase % 2 ? " (odd)" : " (even)")),
            make("td", null, b.pending + " of " + b.expected), make("td", null, number(b.bytes)))))));
    box.append(make("div", { class: "pair" }, left, right));
    draw(e);
    const places = p.state().place.map((/** @type {number} */ x) => (x < 0 ? 0 : kernel.places[x][1]));
    for (const row of document.querySelectorAll("tr.here")) row.classList.remove("here");
    const [file, at] = kernel.places[e[2]];
    const row = document.querySelector('[data-source="' + file + ":" + at + '"]');
    if (row) row.classList.add("here");
    return places;
}

// ---- shared memory in the player ----

/** How shared memory is drawn: the words in a row, and where each variable begins. */
function rowsOfMemory() {
    const p = /** @type {any} */ (player), t = wanted.block === "faulty" && kernel.faulty ? kernel.faulty : kernel.trace || kernel.faulty;
    /** @type {Variable[]} */
    const list = /** @type {Trace} */ (t).variables.slice();
    if (t && t.dynamic) list.unshift({ name: "dynamic shared memory", type: "", offset: 0, bytes: t.dynamic });
    list.sort((a, b) => a.offset - b.offset);
    /** @type {{variable: Variable, columns: number, rows: number}[]} */
    const parts = [];
    for (const v of list) {
        const d = dimensions(v.type), all = d.reduce((a, b) => a * b, 1), size = v.bytes / all;
        let columns = d.length ? (d[d.length - 1] * size) / 4 : 32;
        if (wanted.view === "banks" || d.length < 2 || columns > 140 || columns < 1 || columns % 1) columns = 32;
        if (v.bytes >= 64) parts.push({ variable: v, columns, rows: Math.ceil(v.bytes / 4 / columns) });
    }
    return { parts, p };
}

/** @param {number[]} e */
function memory(e) {
    const { parts } = rowsOfMemory(), banks = wanted.view === "banks";
    const out = [];
    if (!parts.length) return [];
    out.push(make("p", { class: "tabs" }, ...[["array", "as declared"], ["banks", "32 banks a row"]].map(([v, text]) => make("button",
        { "aria-pressed": String(banks === (v === "banks")), click: () => { writeFragment({ view: v === "banks" ? "banks" : null }); showEvent(); } }, text))));
    parts.forEach((part, i) => out.push(make("figure", null, make("figcaption", null, part.variable.name + ", " + number(part.variable.bytes) +
        " bytes, " + part.columns + " words a row"), make("div", { class: "scroll memory" }, make("canvas", { "data-part": i, role: "img",
        "aria-label": part.variable.name + ": words written so far, by warp", mousemove: tellWord })))));
    out.push(make("p", { id: "word", class: "caption" }, "A word's shade and number: the warp that wrote it; T: TMA. Framed: what this event touches. " +
        "Point at a word to see who wrote it."));
    return e ? out : [];
}

/** @param {any} event */
function tellWord(event) {
    const { parts, p } = rowsOfMemory(), part = parts[Number(event.target.dataset.part)], r = event.target.getBoundingClientRect();
    const column = Math.floor(((event.clientX - r.left) / r.width) * part.columns), row = Math.floor(((event.clientY - r.top) / r.height) * part.rows);
    const at = part.variable.offset + 4 * (row * part.columns + column), w = at >> 2, state = p.state();
    if (at < part.variable.offset + part.variable.bytes)
        byId("word").textContent = placeText(kernel, -1, at, 4) + ", bank " + (w % 32) + ": " + (state.arriving[w] ? "a copy into it is under way"
            : "written by " + p.whoWrote(state.writer[w], state.lane[w]));
}

/** @param {number[]} e */
function draw(e) {
    const { parts, p } = rowsOfMemory(), state = p.state(), css = getComputedStyle(document.documentElement);
    /** @param {string} name */
    const colour = (name) => css.getPropertyValue("--" + name).trim();
    const dark = colour("paper") === "#10151b";
    const now = new Map();
    const f = e[0] === EVENT.FAULT ? e : null;
    if (f && f[4] === -1) now.set(f[5] >> 2, 0);
    const source = e[0] === EVENT.ARRIVED ? p.events[e[4]] : e;
    if ([EVENT.REQUEST, EVENT.COPY, EVENT.ATOMIC, EVENT.TMA].includes(source[0])) p.eachWord(source, (/** @type {number} */ w, /** @type {number} */ lane) => now.set(w, lane));
    parts.forEach((part, i) => {
        const c = /** @type {any} */ (document.querySelector('canvas[data-part="' + i + '"]')), room = c.parentElement.clientWidth || 600;
        const size = Math.max(6, Math.min(18, Math.floor(room / part.columns))), high = part.rows > 64 ? Math.max(6, size / 2) : size, scale = 2;
        c.width = part.columns * size * scale, c.height = part.rows * high * scale;
        c.style.width = part.columns * size + "px", c.style.height = part.rows * high + "px";
        const g = c.getContext("2d");
        g.scale(scale, scale);
        g.font = "9px system-ui, sans-serif", g.textAlign = "center", g.textBaseline = "middle";
        let first = -1;
        for (let n = 0; n < part.variable.bytes / 4; n++) {
            const w = (part.variable.offset >> 2) + n, x = (n % part.columns) * size, y = Math.floor(n / part.columns) * high;
            const by = state.writer[w] ? p.events[state.writer[w] - 1] : null, tma = by && by[0] === EVENT.TMA;
            const share = by ? (by[1] % 16) / 15 : 0;
            g.fillStyle = state.arriving[w] ? colour("mark") : !by ? colour("idle") : tma ? (dark ? "#2f6b4f" : "#a9d8bf")
                : "hsl(212, 55%, " + (dark ? 24 + 34 * share : 88 - 34 * share) + "%)";
            g.fillRect(x, y, size - 1, high - 1);
            if (size >= 13 && high >= 10 && (now.has(w) || by || state.arriving[w])) {
                g.fillStyle = dark ? "#f2f6fa" : "#10161c";
                g.fillText(state.arriving[w] ? "\u2026" : tma ? "T" : by ? String(by[1]) : "", x + size / 2 - 0.5, y + high / 2);
            }
            if (now.has(w)) {
                if (first < 0) first = y;
                g.strokeStyle = f ? colour("fault") : colour("waste"), g.lineWidth = 2;
                g.strokeRect(x + 0.5, y + 0.5, size - 2, high - 2);
            }
        }
        if (first >= 0 && (first < c.parentElement.scrollTop || first > c.parentElement.scrollTop + c.parentElement.clientHeight - 20))
            c.parentElement.scrollTop = first - 40;
    });
}

// ---- all of it ----

function showKernel() {
    const n = Number(wanted.kernel) - 1, named = data.kernels.findIndex((k) => k.name === wanted.kernel);
    const faulty = data.faults.length ? data.kernels.findIndex((k) => faultsOf(k).length) : -1;
    kernel = data.kernels[named >= 0 ? named : n >= 0 && n < data.kernels.length ? n : Math.max(0, faulty)];
    const page = byId("page");
    page.replaceChildren();
    document.body.classList.toggle("embed", wanted.embed === "1");
    if (!kernel) {
        page.append(make("p", null, "No kernel has run."), ...data.faults.map((f) => make("p", { class: f.level }, f.text + ": " + f.message)));
        return;
    }
    const others = data.faults.filter((f) => !data.kernels.some((k) => k.name === f.kernel));
    page.append(topOfPage(), ...others.map((f) => make("p", { class: f.level }, make("strong", null, faultLevel(f) + ": " + f.text + ". "), f.message)),
        verdict(), totals(), make("div", { class: "main" }, source(), make("section", { id: "detail", "aria-label": "one line's requests" })),
        make("section", { id: "player", "aria-label": "player" }),
        make("footer", null, make("p", null, "Counts are those of all blocks, as the hardware's counters have them; point at one for its name in " +
            "Nsight Compute. Pictures are of single requests: the first and the worst of each line. The player has one block of the first launch" +
            (kernel.faulty ? ", and the first with a fault" : "") + "; others are left out. Which word comes in which wavefront is not known " +
            "and follows the numbers of the lanes here.")));
    const worst = worstOf(kernel), wish = kernel.lines.find((l) => String(l.line) === wanted.line);
    const begin = wish || (worst && worst.line) || kernel.lines[0];
    if (begin) choose(begin.file, begin.line, wish ? wanted.counter || "" : worst ? worst.counter : "");
    else showLine();
    showPlayer();
}

readFragment();
showKernel();
addEventListener("hashchange", () => { readFragment(); showKernel(); });
addEventListener("resize", () => { if (player) draw(player.events[shown]); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (player) draw(player.events[shown]); });
