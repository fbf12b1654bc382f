/*
 * The types of the data that report_html.c writes into the page, and the functions that read it.
 * All counts come from the run; the page only adds and compares them.
 */

/** @typedef {[number, number, number]} Count requests, work, ideal work */
/** @typedef {Object<string, Count>} Counters by the names of the counts file */
/**
 * @typedef {Object} Pattern a request: its lanes and their addresses
 * @property {string} c counter, "atomic" or "async_copy_global", which has a second side
 * @property {number} b bytes per lane
 * @property {number} m active lanes, a mask
 * @property {number} w work
 * @property {number} i least work possible
 * @property {number[]} o offsets of the active lanes: the first, then pairs of a step and its repetitions
 * @property {string} [v] per lane and word the wavefront that serves it, a digit in base 36
 * @property {number[]} [g] per wavefront the group of lanes that it serves, 0 the first
 * @property {number} [z] 1: zeros are written
 * @property {number} [w2] work, least work and offsets of the side in shared memory
 * @property {number} [i2]
 * @property {number[]} [o2]
 */
/**
 * @typedef {Object} Box what a bulk copy (without dimensions) or a tensor copy moves
 * @property {number} bytes
 * @property {number} inside bytes inside the tensor
 * @property {number} element bytes of an element
 * @property {number} swizzle bytes of its span, 0: none
 * @property {number[]} box
 * @property {number[]} dim
 * @property {number[]} pieces pairs: offset in shared memory, bytes (negative: outside, zeros)
 */
/** @typedef {number[]} Sample pattern or box, block, warp, region, offset[, region, offset] */
/** @typedef {{first: Sample, worst: Sample, advice?: string}} Samples */
/** @typedef {string[]} Difference why the hardware may count differently: counter, word, text */
/**
 * @typedef {Object} Line
 * @property {number} file
 * @property {number} line
 * @property {Counters} counters
 * @property {Difference[]} doubts
 * @property {Object<string, Samples|null>} samples
 */
/** @typedef {{name: string, type: string, offset: number, bytes: number}} Variable */
/**
 * @typedef {Object} Trace of one block
 * @property {number} number
 * @property {number[]} index
 * @property {number} launch
 * @property {number} dynamic bytes of dynamic shared memory
 * @property {Variable[]} variables
 * @property {number[][]} events see EVENT
 * @property {number} left events at the end that are not in the page
 */
/**
 * @typedef {Object} Kernel
 * @property {string} name
 * @property {number} launches
 * @property {number[]} grid
 * @property {number[]} block
 * @property {number} shared
 * @property {Counters} counters
 * @property {Difference[]} doubts of launches as a whole
 * @property {{name: string, at?: number[], value?: number}[]} [parameters]
 * @property {Line[]} lines
 * @property {Trace} [trace]
 * @property {Trace} [faulty] the first block with a fault, if it is a different block
 * @property {number[][]} places file, line
 * @property {Pattern[]} patterns
 * @property {Box[]} boxes
 */
/**
 * @typedef {Object} Fault
 * @property {string} level
 * @property {string} kind
 * @property {string} text
 * @property {number} file
 * @property {number} line
 * @property {string} kernel
 * @property {number[]} [block]
 * @property {number[]} [thread]
 * @property {number} times
 * @property {string} message
 */
/** @typedef {{name: string, text: (number|string)[][]}} SourceFile */
/** @typedef {{bytes: number, name?: string, type?: string, where?: string}} Region */
/**
 * @typedef {Object} Data
 * @property {string} program
 * @property {Object<string, string[]>} metrics
 * @property {number} faultCount
 * @property {Fault[]} faults
 * @property {Kernel[]} kernels
 * @property {Region[]} regions
 * @property {SourceFile[]} files
 */

/** @type {Data} */
const data =
    JSON.parse(/** @type {HTMLElement} */ (document.getElementById("data")).textContent || "");

/** The kind of an event, its first number; trace.h describes the numbers that follow. */
const EVENT = {
    REQUEST : 0,
    COPY : 1,
    ATOMIC : 2,
    TMA : 3,
    ARRIVED : 4,
    COMMIT : 5,
    WAIT : 6,
    BARRIER : 7,
    WARP : 8,
    MBARRIER : 9,
    FAULT : 10,
};

/** The name of each counter and the unit of its work. */
const COUNTER = /** @type {Object<string, string[]>} */ ({
    global_load : [ "global load", "sector" ],
    global_store : [ "global store", "sector" ],
    shared_load : [ "shared load", "wavefront" ],
    shared_store : [ "shared store", "wavefront" ],
    async_copy_global : [ "cp.async from global", "sector" ],
    async_copy_shared : [ "cp.async to shared", "wavefront" ],
    tma_load : [ "TMA load", "byte" ],
    tma_store : [ "TMA store", "byte" ],
    atomic : [ "atomic", "" ],
});

/** @param {string} counter */
const counterName = (counter) => COUNTER[counter][0];
/** @param {string} counter @param {number} n */
const unit = (counter, n) => COUNTER[counter][1] + (n === 1 ? "" : "s");
/** @param {number} n */
const number = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
/** @param {number} work @param {number} ideal */
const ratio = (work, ideal) => (ideal ? work / ideal : 1);
/** @param {number} r */
const times = (r) => "\u00d7" + (r >= 10 ? r.toFixed(1) : r.toFixed(2));
/** @param {number} n @param {string} word */
const count = (n, word) => number(n) + " " + word + (n === 1 ? "" : "s");

/**
 * The lanes of a mask.
 * @param {number} mask
 * @returns {number[]}
 */
function lanesOf(mask)
{
    const lanes = [];
    for (let lane = 0; lane < 32; lane++)
        if ((mask >>> lane) & 1)
            lanes.push(lane);
    return lanes;
}

/**
 * Lanes as text: "0-3, 8".
 * @param {number[]} lanes
 */
function laneText(lanes)
{
    const parts = [];
    for (let i = 0; i < lanes.length;) {
        let end = i;
        while (end + 1 < lanes.length && lanes[end + 1] === lanes[end] + 1)
            end++;
        parts.push(end > i ? lanes[i] + "\u2013" + lanes[end] : String(lanes[i]));
        i = end + 1;
    }
    return parts.join(", ");
}

/**
 * The active lanes of a pattern with their offsets; `second`: on the side in shared memory.
 * @param {Pattern} p
 * @param {boolean} second
 * @returns {{lane: number, offset: number}[]}
 */
function accesses(p, second)
{
    const steps = (second ? p.o2 : p.o) || [];
    const list = [];
    let offset = steps[0], next = 1, left = steps[2] || 0;
    for (const lane of steps.length ? lanesOf(p.m) : []) {
        list.push({lane, offset});
        if (!left) {
            next += 2;
            left = steps[next + 1] || 0;
        }
        offset += steps[next] || 0;
        left--;
    }
    return list;
}

/**
 * The sizes of an LLVM array type: 32 and 33 for "[32 x [33 x float]]".
 * @param {string} type
 */
function dimensions(type)
{
    const sizes = [];
    for (let m; (m = /^\[(\d+) x /.exec(type)); type = type.slice(m[0].length))
        sizes.push(Number(m[1]));
    return sizes;
}

/**
 * A byte offset in a variable as an element: "tile[3][0]".
 * @param {string} name
 * @param {string} type
 * @param {number} bytes
 * @param {number} at
 */
function element(name, type, bytes, at)
{
    const sizes = dimensions(type || "");
    const all = sizes.reduce((a, b) => a * b, 1);
    const size = bytes / all;
    if (!sizes.length || size % 1 || at < 0 || at >= bytes)
        return at ? name + (at < 0 ? " \u2212 " : " + ") + Math.abs(at) + " B" : name;
    let index = Math.floor(at / size), text = "";
    for (const n of sizes.slice().reverse()) {
        text = "[" + (index % n) + "]" + text;
        index = Math.floor(index / n);
    }
    return name + text + (at % size ? " + " + (at % size) + " B" : "");
}

/**
 * The variable at an offset of the block's shared memory; null if there is none.
 * @param {Kernel} k
 * @param {number} offset
 * @returns {Variable|null}
 */
function variableAt(k, offset)
{
    for (const t of [k.trace, k.faulty]) {
        if (!t)
            continue;
        for (const v of t.variables)
            if (offset >= v.offset && offset < v.offset + v.bytes)
                return v;
        if (offset >= 0 && offset < t.dynamic)
            return {
                name : "dynamic",
                type : "[" + t.dynamic / 4 + " x i32]",
                offset : 0,
                bytes : t.dynamic
            };
    }
    return null;
}

/**
 * The kernel parameter that points nearest to a place in an allocation; null if none points into it.
 * @param {Kernel} k
 * @param {number} region
 * @param {number} offset
 */
function parameterOf(k, region, offset)
{
    /** @type {{name: string, offset: number}|null} */
    let best = null;
    for (const p of k.parameters || [])
        if (p.at && p.at[0] === region &&
            (!best || Math.abs(offset - p.at[1]) < Math.abs(offset - best.offset)))
            best = {name : p.name, offset : p.at[1]};
    return best;
}

/**
 * A place in memory as text: an element of a variable or parameter.
 * @param {Kernel} k
 * @param {number} region
 * @param {number} offset
 * @param {number} bytes of an element
 */
function placeText(k, region, offset, bytes)
{
    if (region === -1 || region <= -3) {
        const v = variableAt(k, offset);
        const own = v ? element(v.name, v.type, v.bytes, offset - v.offset)
                      : "shared memory + " + offset + " B";
        return region === -1 ? own : own + " of rank " + (-3 - region);
    }
    if (region < 0)
        return "0x" + offset.toString(16);
    const p = parameterOf(k, region, offset);
    if (p) {
        const at = offset - p.offset;
        return at % bytes ? p.name + " + " + at + " B" : p.name + "[" + at / bytes + "]";
    }
    const r = data.regions[region];
    if (r.name)
        return element(r.name, r.type || "", r.bytes, offset);
    return "memory of " + number(r.bytes) + " B [" +
           (offset % bytes ? offset + " B" : offset / bytes) + "]";
}

/** @param {Kernel} k @param {number} place */
function placeLine(k, place)
{
    const [file, line] = k.places[place];
    return line ? data.files[file].name + ":" + line : "";
}

/**
 * Makes an element of the page. Strings become text nodes, so nothing in the data is parsed as HTML.
 * @param {string} tag
 * @param {Object<string, any>|null} [attributes]
 * @param {...(Node|string|null)} content
 * @returns {any}
 */
function make(tag, attributes, ...content)
{
    const svg = /^(svg|g|rect|text|title|path|line|pattern|defs)$/.test(tag);
    const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag)
                  : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
        if (typeof value === "function")
            e.addEventListener(name, value);
        else if (value !== null && value !== undefined && value !== false)
            e.setAttribute(name, value === true ? "" : String(value));
    for (const c of content)
        if (c !== null)
            e.append(c);
    return e;
}
