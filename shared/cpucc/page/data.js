/*
 * The types of the data that report_html.c writes into the page, and the functions that read it.
 * All counts come from the run on the CPU; the page only adds and compares them.
 */

/** @typedef {[number, number, number]} Count requests, work, ideal work */
/** @typedef {Object<string, Count>} Counters counter's name, as in the counts file -> Count */
/**
 * @typedef {Object} Pattern a request of a warp: its active lanes and their addresses
 * @property {string} c counter, "atomic", or "async_copy_global", which also accesses shared memory
 * @property {number} b bytes per lane
 * @property {number} m mask of the active lanes
 * @property {number} w work
 * @property {number} i ideal work: the least possible
 * @property {number[]} o byte offsets of the active lanes: the first, then pairs of a step and its repetitions
 * @property {string} [v] a digit in base 36 per lane and word: the wavefront that serves it
 * @property {number[]} [g] per wavefront: the number, from 0, of the group of lanes that it serves
 * @property {number} [z] 1: the request writes zeros
 * @property {number} [w2] work in shared memory, if the request has a second side
 * @property {number} [i2] ideal work in shared memory
 * @property {number[]} [o2] offsets in shared memory, as in o
 */
/**
 * @typedef {Object} Box the data of a TMA copy: a bulk copy (without dimensions) or a tensor copy
 * @property {number} bytes
 * @property {number} inside bytes inside the tensor
 * @property {number} element bytes of an element
 * @property {number} swizzle bytes of its span, 0: no swizzle
 * @property {number[]} box elements per dimension of the box
 * @property {number[]} dim elements per dimension of the tensor
 * @property {number[]} pieces pairs: offset in shared memory, bytes (negative: zeros, outside the tensor)
 */
/** @typedef {number[]} Sample index of a pattern or box, block, warp, region, offset[, region, offset] */
/** @typedef {{first: Sample, worst: Sample, advice?: string}} Samples */
/** @typedef {string[]} Difference why hardware could count differently: counter, word, text */
/**
 * @typedef {Object} Line
 * @property {number} file
 * @property {number} line
 * @property {Counters} counters
 * @property {[string, string, number, number, number][]} arrays counter, name, requests, work, ideal work; if several
 * @property {[string, number][]} merged counter, bytes of an access that stands for several
 * @property {Difference[]} doubts for this line
 * @property {Object<string, Samples|null>} samples
 */
/** @typedef {{name: string, type: string, offset: number, bytes: number}} Variable */
/**
 * @typedef {Object} Trace the recorded events of one block
 * @property {number} number
 * @property {number[]} index
 * @property {number} launch
 * @property {number} dynamic bytes of dynamic shared memory
 * @property {Variable[]} variables
 * @property {number[][]} events the first number is an EVENT
 * @property {number} left number of later events that the page does not have
 */
/**
 * @typedef {Object} Tried a shared array and the best other declaration: `pad` elements more in each row
 * @property {string} name
 * @property {string} type
 * @property {number} pad 0: the last two subscripts swapped
 * @property {number} requests
 * @property {number} work
 * @property {number} would the work of the other declaration
 * @property {number} ideal
 */
/**
 * @typedef {Object} Kernel
 * @property {string} name
 * @property {string[]} called the names that the program gave its launches
 * @property {number} first 1: the page begins with this kernel
 * @property {Tried[]} [tried] arrays that would have taken less work if declared otherwise
 * @property {number[][]} [exchanged] sectors and wavefronts of `trace`, and with threadIdx.x and .y exchanged
 * @property {number} launches
 * @property {number[]} grid
 * @property {number[]} block
 * @property {number} shared
 * @property {Counters} counters
 * @property {Difference[]} doubts for whole launches
 * @property {{name: string, at?: number[], value?: number}[]} [parameters]
 * @property {Line[]} lines
 * @property {Trace} [trace]
 * @property {Trace} [faulty] the first block with a fault, if that is not the block of `trace`
 * @property {number[][]} places pairs (file, line)
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

/** The kinds of events: an event's first number. trace.h describes the numbers after it. */
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

/** Counter -> its name on the page, the unit of its work. */
const COUNTER = /** @type {Object<string, string[]>} */ ({
    global_load : [ "global load", "sector" ],
    global_store : [ "global store", "sector" ],
    shared_load : [ "shared load", "wavefront" ],
    shared_store : [ "shared store", "wavefront" ],
    async_copy_global : [ "cp.async from global", "sector" ],
    async_copy_shared : [ "cp.async to shared", "wavefront" ],
    tma_load : [ "TMA load", "byte" ],
    tma_store : [ "TMA store", "byte" ],
    peer_load : [ "load from a peer", "sector" ],
    peer_store : [ "store to a peer", "sector" ],
    peer_load_packets : [ "load from a peer", "packet" ],
    peer_store_packets : [ "store to a peer", "packet" ],
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
 * Returns the numbers of the lanes in a mask.
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
 * Returns sorted lanes as text: "0-3, 8".
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
 * Returns the active lanes of a pattern with their byte offsets.
 * @param {Pattern} p
 * @param {boolean} second true: the offsets in shared memory of a cp.async
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
 * Returns the sizes of an LLVM array type: [32, 33] for "[32 x [33 x float]]".
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
 * Returns the element at a byte offset of a variable as text: "tile[3][0]".
 * @param {string} name
 * @param {string} type
 * @param {number} bytes size of the variable
 * @param {number} at byte offset
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
 * Returns the variable at an offset of the block's shared memory; null if there is none.
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
            return { name : "dynamic", type : "[" + t.dynamic / 4 + " x i32]", offset : 0, bytes : t.dynamic };
    }
    return null;
}

/**
 * Returns the kernel parameter that points nearest to an offset of an allocation; null if none.
 * @param {Kernel} k
 * @param {number} region
 * @param {number} offset
 */
function parameterOf(k, region, offset)
{
    /** @type {{name: string, offset: number}|null} */
    let best = null;
    for (const p of k.parameters || [])
        if (p.at && p.at[0] === region && (!best || Math.abs(offset - p.at[1]) < Math.abs(offset - best.offset)))
            best = {name : p.name, offset : p.at[1]};
    return best;
}

/**
 * Returns a place in memory as text: an element of a variable or of a parameter's array.
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

/** @param {Kernel} k @param {number} place index in k.places */
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

/**
 * Makes a cell of a table's head; without a text it is none.
 * @param {string} text
 */
const headCell = (text) => make(text ? "th" : "td", {scope : text ? "col" : null}, text);
