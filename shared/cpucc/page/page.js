/* Builds the page: the source, the requests of one line, and the player. The fragment of its address has its
 * state: #kernel=2 (or a name, or other)&line=42&counter=shared_load&play=17, theme=dark or light, embed=1 for only the player. */

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/** @type {Object<string, string>} */
let wanted = {};
/** @type {Kernel} */
let kernel;
/** @type {Line|null} */
let line = null;
let counter = "";

/**
 * Decodes a percent-encoded text; returns "" if it is malformed.
 * @param {string} text
 */
function decoded(text)
{
    try {
        return decodeURIComponent(text);
    } catch {
        return "";
    }
}

function readFragment()
{
    wanted = {};
    for (const part of location.hash.slice(1).split("&")) {
        const at = part.indexOf("=");
        if (at > 0)
            wanted[part.slice(0, at)] = decoded(part.slice(at + 1));
    }
    if (wanted.theme === "dark" || wanted.theme === "light")
        document.documentElement.setAttribute("data-theme", wanted.theme);
}

/** @type {number|undefined} */
let writing;

/** @param {Object<string, string|null>} change */
function writeFragment(change)
{
    for (const [name, value] of Object.entries(change))
        if (value === null)
            delete wanted[name];
        else
            wanted[name] = value;
    clearTimeout(writing); // delayed, because browsers block pages that change their address too often
    writing = setTimeout(() => {
        const parts = Object.entries(wanted).map(([ n, v ]) => n + "=" + encodeURIComponent(v));
        history.replaceState(null, "", "#" + parts.join("&"));
    }, 200);
}

/**
 * Returns the work above the ideal.
 * @param {Count} c
 */
const waste = (c) => c[1] - c[2];
/**
 * Returns the shade for a ratio of work to the ideal: 0 for 1, 1 below 2, 2 below 8, 3 from 8 on.
 * @param {number} r
 */
const heat = (r) => (r <= 1.001 ? 0 : r < 2 ? 1 : r < 8 ? 2 : 3);

/**
 * Returns the line and counter with the most work above the ideal.
 * @param {Kernel} k
 */
function worstOf(k)
{
    /** @type {{line: Line, counter: string, waste: number}|null} */
    let worst = null;
    for (const l of k.lines)
        for (const [c, n] of Object.entries(l.counters)) {
            const w = c.startsWith("tma") ? waste(n) / 128 : waste(n);
            if (!worst || w > worst.waste)
                worst = {line : l, counter : c, waste : w};
        }
    return worst;
}

/**
 * Returns a kernel's names: those that its program calls it, or that of the source.
 * @param {Kernel} k
 */
const calledName = (k) => k.called.join(", ") || k.name;

/** @param {Fault} f */
const faultLevel = (f) => (f.level === "fault" ? "Fault" : "Remark");
/** @param {Kernel} k */
const faultsOf = (k) => data.faults.filter((f) => f.kernel === k.name);

// ---- the top ----

function topOfPage()
{
    const choice = make("select", {
        id : "kernel",
        change : (/** @type {any} */ e) => {
            writeFragment({kernel : String(Number(e.target.value) + 1), line : null, counter : null, play : null, block : null});
            showKernel();
        }
    });
    data.kernels.forEach((k, i) => {
        const worst = worstOf(k),
              n = worst && worst.waste > 0 ? worst.line.counters[worst.counter] : null;
        choice.append(make("option", {value : i, selected : k === kernel},
                           calledName(k) + (faultsOf(k).some((f) => f.level === "fault") ? " (fault)"
                                     : n ? " (worst line " + times(ratio(n[1], n[2])) + ")"
                                         : "")));
    });
    const k = kernel,
          parameters = (k.parameters || []).map((p) => p.name + (p.value === undefined ? "" : "=" + p.value));
    return make("header", null,
                make("h1", null, data.program.replace(/\.cpu$/, ""), make("span", null, "what the kernel did")),
                make("p", {class : "kernels"}, make("label", { for: "kernel" }, "Kernel "), choice),
                make("p", {class : "launch"},
                     make("code", null,
                          k.name + "<<<(" + k.grid.join(",") + "), (" + k.block.join(",") +
                              ")>>>(" + parameters.join(", ") + ")"),
                     " " + count(k.launches, "launch").replace(/launchs$/, "launches") + ", " +
                         number(k.shared) + " bytes of shared memory per block"));
}

function verdict()
{
    const box = make("section", {class : "verdict", "aria-label" : "what to try next"});
    box.append(...differenceParts(kernel.doubts));
    for (const f of faultsOf(kernel)) {
        const spot = spotOf(f);
        box.append(make(
            "p", {class : f.level}, make("strong", null, faultLevel(f) + ": " + f.text + ". "),
            data.files[f.file].name + ":" + f.line + ": " + f.message +
                (f.times > 1 ? " (" + number(f.times) + " times)" : "") + " ",
            make("button", {click : () => { choose(f.file, f.line, ""); }}, "line " + f.line), " ",
            spot && make("button", {click : () => { showInPlayer(spot.block, spot.at); }}, "in the player")));
    }
    const worst = worstOf(kernel);
    if (worst && worst.waste > 0) {
        box.classList.add("wasteful");
        const n = worst.line.counters[worst.counter], s = worst.line.samples[worst.counter];
        box.append(make("p", null,
                        make("strong", null, "Line " + worst.line.line + " wastes most: "),
                        "its " + counterName(worst.counter) +
                            (worst.counter.startsWith("tma") ? " moves " : "s take ") +
                            number(n[1]) + " " + unit(worst.counter, n[1]) + " where " +
                            number(n[2]) + " would do (" + times(ratio(n[1], n[2])) + "). ",
                        make("span", {"data-advice" : true}, (s && s.advice) || ""), " ",
                        make("button", {
                            click : () => {
                                choose(worst.line.file, worst.line.line, worst.counter);
                                byId("detail").scrollIntoView();
                                byId("detail").focus({preventScroll : true});
                            }
                        },
                             "line " + worst.line.line),
                        " ",
                        eventOf(worst.line) < 0 ? null : make("button", {
                            click : () => { showInPlayer("trace", eventOf(worst.line)); }
                        }, "in the player")));
        box.append(...triedParts());
    } else if (!faultsOf(kernel).some((f) => f.level === "fault")) {
        box.append(make(
            "p", null, make("strong", null, "Nothing is wasted: "),
            "each request does the least work possible. " +
                "These counts do not show how many bytes are in flight at a time, or how often a block waits."));
    }
    return box;
}

/** Says what another declaration of each shared array would have cost, and what exchanged threads would have. */
function triedParts()
{
    const parts = (kernel.exchanged || []).flatMap(([ work, would ], i) => work ? count(would, [ "sector", "wavefront" ][i]) + " instead of " + number(work) : []);
    const exchanged = make("p", {"data-exchanged" : true}, make("strong", null, "Tried: "),
                           "threadIdx.x and threadIdx.y exchanged everywhere in the kernel: the requests of block 0 would take " +
                               parts.join(", and ") + ". Each access was counted again in the warp of thread (y, x).");
    return (parts.length ? [ exchanged ] : []).concat((kernel.tried || []).map((t) => {
        const sizes = dimensions(t.type), now = t.name + "[" + sizes.join("][") + "]";
        if (t.pad)
            sizes.push(Number(sizes.pop()) + t.pad);
        const then = t.pad ? t.name + "[" + sizes.join("][") + "] instead of " + now
                           : now + " with its last two subscripts swapped everywhere";
        return make("p", {"data-tried" : t.name, "data-would" : t.would}, make("strong", null, "Tried: "),
                    then + ": its " + count(t.requests, "request") + " would take " + count(t.would, "wavefront") +
                        (t.would === t.ideal ? ", the least possible," : " (the least is " + number(t.ideal) + ")") +
                        " instead of " + number(t.work) + ". The run counted each again with its addresses moved so.");
    }));
}

function totals()
{
    const rows = Object.entries(kernel.counters).map(([ c, n ]) => {
        const m = data.metrics[c], r = ratio(n[1], n[2]);
        /** @param {number} i @param {string} field */
        const cell = (i, field) => make("td", {
            "data-metric" : c,
            "data-field" : field,
            "data-value" : n[i],
            title : m[i] && m[i] !== "nan" ? m[i] : null
        },
                                        number(n[i]));
        return make("tr", {class : "heat" + heat(r)}, make("th", {scope : "row"}, counterName(c)),
                    cell(0, "requests"), cell(1, "work"), make("td", {class : "unit"}, unit(c, 2)),
                    cell(2, "ideal_work"), make("td", null, (n[1] / n[0]).toFixed(2)),
                    make("td", {class : "times"}, times(r)));
    });
    const head = [ "", "requests", "work", "", "least", "work/request", "above least" ];
    return make("section", {
        class : "scroll",
        tabindex : 0,
        role : "region",
        "aria-label" : "counts of all launches of this kernel"
    },
                make("table", {id : "totals"},
                     make("thead", null, make("tr", null, ...head.map(headCell))),
                     make("tbody", null, ...rows)));
}

// ---- one line ----

/**
 * Selects a line of the source and one of its counters.
 * @param {number} file
 * @param {number} at
 * @param {string} c counter, or "" for the line's most wasteful counter
 */
function choose(file, at, c)
{
    line = kernel.lines.find((x) => x.file === file && x.line === at) || null;
    const counters = line ? Object.entries(line.counters) : [];
    counters.sort((a, b) => ratio(b[1][1], b[1][2]) - ratio(a[1][1], a[1][2]));
    counter = counters.some((x) => x[0] === c) ? c : counters.length ? counters[0][0] : "";
    if (line)
        writeFragment({line : String(at), counter});
    for (const e of document.querySelectorAll("[data-source]"))
        e.classList.toggle("chosen", e.getAttribute("data-source") === file + ":" + at);
    for (const e of document.querySelectorAll(".chip"))
        e.setAttribute("aria-pressed",
                       String(Boolean(line) && e.getAttribute("data-metric") === counter &&
                              e.getAttribute("data-line") === String(at) &&
                              e.getAttribute("data-file") === data.files[file].name));
    const row = document.querySelector("tr.chosen"), box = byId("source");
    if (row && box) {
        const r = row.getBoundingClientRect(), b = box.getBoundingClientRect();
        if (r.top < b.top || r.bottom > b.bottom - 40)
            box.scrollTop += r.top - b.top - b.height / 3;
    }
    showLine();
}

/**
 * Makes the counts, advice and pictures of one counter of a line.
 * @param {Line} l
 * @param {string} c
 * @param {"worst"|"first"} which
 */
function lineDetail(l, c, which)
{
    const n = l.counters[c], s = l.samples[c],
          out = [ make("h2", null, "Line " + l.line + ": " + counterName(c)) ];
    if (Object.keys(l.counters).length > 1)
        out.push(make("p", {class : "tabs"},
                      ...Object.keys(l.counters)
                          .map((other) => make("button", {
                                   "aria-pressed" : String(other === c),
                                   click : () => choose(l.file, l.line, other)
                               },
                                               counterName(other)))));
    out.push(
        make("p", null,
             number(n[0]) + " request" + (n[0] === 1 ? "" : "s") + " took " + number(n[1]) + " " +
                 unit(c, n[1]) + "; " +
                 (n[1] === n[2] ? "that is the least."
                                : number(n[2]) + " would do: " + times(ratio(n[1], n[2])) + ".")));
    if (!s)
        return out;
    if (s.advice)
        out.push(make("p", {class : waste(n) > 0 ? "advice" : ""}, s.advice));
    /** @param {Sample} x */
    const who = (x) => "block " + x[1] + ", warp " + x[2];
    const same = String(s.worst) === String(s.first);
    out.push(
        same ? make("p", {class : "caption"},
                    "Of " + who(s.first) +
                        (n[0] > 1 ? ", the first request; no other takes more." : "."))
             : make("p", {class : "tabs"},
                    ...["worst", "first"].map(
                        (w) => make("button", {
                            "aria-pressed" : String(which === w),
                            click : () => {
                                byId("detail").replaceChildren(...lineDetail(l, c, w === "worst" ? "worst" : "first"));
                            }
                        },
                                    "The " + w + ": " + who(w === "worst" ? s.worst : s.first)))),
        ...sampleParts(which === "worst" ? s.worst : s.first, c), legend(COUNTER[c][1]));
    return out;
}

/** Shows the selected line; with all=1 in the fragment every line, for printing and tests. */
function showLine()
{
    const box = byId("detail"), none = make("p", {class : "caption"}, "Choose a line with counts.");
    if (wanted.all !== "1")
        return box.replaceChildren(...(line && counter ? lineDetail(line, counter, "worst") : [ none ]));
    box.replaceChildren(...kernel.lines.flatMap(
        (l) => Object.keys(l.counters)
                   .map((c) => make("div", {"data-detail" : l.line, "data-counter" : c},
                                    ...lineDetail(l, c, "worst")))));
}

/** @param {string} u */
function legend(u)
{
    const swatch = (/** @type {string} */ kind) => make("span", {class : "swatch " + kind});
    return make("p", { class: "legend" }, ...(u === "wavefront" ? [swatch("used"), "lane served; without conflicts the first row would serve all", make("br"),
        swatch("hatched"), "an extra wavefront, because its bank was busy", make("br"), swatch("idle"), "an idle bank"]
        : u === "sector" ? [swatch("used"), "a lane's bytes", make("br"), swatch("hatched"), "moved, but used by no lane of this request",
            make("br"), swatch("idle"), "not moved"] : [swatch("used"), "16 bytes of the box, with their row and place in it", make("br"),
            swatch("hatched"), "outside the tensor"]));
}

// ---- the whole page ----

function showKernel()
{
    const n = Number(wanted.kernel) - 1, named = data.kernels.findIndex(
                                             (k) => k.name === wanted.kernel || k.called.includes(wanted.kernel));
    const above = data.kernels.map((k) => (worstOf(k) || {waste : 0}).waste),
          faulty = data.kernels.findIndex((k) => faultsOf(k).some((f) => f.level === "fault")),
          first = data.kernels.findIndex((k) => k.first);
    const usual = faulty >= 0 ? faulty : first >= 0 ? first : above.indexOf(Math.max(...above));
    kernel = data.kernels[wanted.kernel === "other"           ? (usual + 1) % data.kernels.length
                          : named >= 0                        ? named
                          : n >= 0 && n < data.kernels.length ? n
                                                              : usual];
    const page = byId("page");
    page.replaceChildren();
    document.body.classList.toggle("embed", wanted.embed === "1");
    if (!kernel) {
        page.append(
            make("p", null, "No kernel has run."),
            ...data.faults.map((f) => make("p", {class : f.level}, f.text + ": " + f.message)));
        return;
    }
    const others = data.faults.filter((f) => !data.kernels.some((k) => k.name === f.kernel));
    page.append(
        topOfPage(),
        ...others.map((f) => make("p", {class : f.level},
                                  make("strong", null, faultLevel(f) + ": " + f.text + ". "),
                                  f.message)),
        verdict(), totals(),
        make("div", {class : "main"}, source(),
             make("section", {id : "detail", tabindex : -1, "aria-label" : "one line's requests"})),
        make("section", {id : "player", "aria-label" : "player"}),
        make(
            "footer", null,
            make(
                "p", null,
                "Counts cover all blocks, like the hardware's counters; point at a count for its name in " +
                    "Nsight Compute. A picture shows a single request: the first or the worst of its line. The player shows one block of the first launch" +
                    (kernel.faulty ? ", and the first block with a fault" : "") +
                    ". The hardware does not say which wavefront serves which word; " +
                    "here words follow the lane numbers.")));
    const worst = worstOf(kernel), wish = kernel.lines.find((l) => String(l.line) === wanted.line);
    const begin = wish || (worst && worst.line) || kernel.lines[0];
    if (begin)
        choose(begin.file, begin.line, wish ? wanted.counter || "" : worst ? worst.counter : "");
    else
        showLine();
    showPlayer();
}

// A page that embeds this one learns its height, so that it can show all of it.
new ResizeObserver(() => {
    if (wanted.embed === "1")
        parent.postMessage({height : byId("page").scrollHeight + 24}, "*");
}).observe(byId("page"));
readFragment();
showKernel();
addEventListener("hashchange", () => {
    readFragment();
    showKernel();
});
addEventListener("resize", () => {
    if (player)
        drawMemory(player.events[shown]);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (player)
        drawMemory(player.events[shown]);
});
