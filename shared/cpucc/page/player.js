/*
 * The player: replays the recorded accesses, barriers and copies of one block, forward and back, and keeps
 * the state of shared memory after each.
 */

/** @typedef {Object} Barrier the state of an mbarrier
 * @property {string} name
 * @property {number} phase
 * @property {number} pending
 * @property {number} bytes
 * @property {number} expected
 */
/** @typedef {Object} State the block's state after `at` events
 * @property {number} at number of events replayed
 * @property {Int32Array} writer per word of shared memory: 1 + the event that wrote it, 0: not written
 * @property {Int8Array} lane per word: the lane that wrote it
 * @property {Uint8Array} arriving per word: 1 while a copy into it is in flight
 * @property {Map<number, Barrier>} barriers offset in shared memory -> barrier
 * @property {number[]} place per warp: its current place in the source
 * @property {{warp: number, group: number[], event: number}[]} copies cp.async copies in flight; group: per lane
 * @property {Map<number, number[]>} open warp -> the open group of each lane
 * @property {Counters} sums counts of the events replayed
 */

/**
 * Returns the cost of an event in units of 128 bytes: wavefronts of shared memory, or four sectors each.
 * @param {number[]} e
 */
function costOf(e)
{
    const p = kernel.patterns[e[3]], box = kernel.boxes[e[3]];
    if (e[0] === EVENT.TMA)
        return box ? Math.max(1, box.bytes / 128) : 1;
    if (e[0] > EVENT.ATOMIC || !p)
        return 1;
    return Math.max(1, e[0] === EVENT.COPY ? p.w2 || 0 : p.c.startsWith("global") ? p.w / 4 : p.w);
}

/**
 * Returns the events as if the warps took turns: each begins its next event when its earlier ones are done.
 * What orders warps (barriers, copies, atomics, faults) keeps its place.
 * @param {number[][]} events
 */
function inTurns(events)
{
    /** @type {number[][]} */
    const all = [];
    /** @type {{e: number[], start: number}[]} */
    let run = [];
    /** @type {Map<number, number>} */
    let clock = new Map();
    const flush = () => {
        all.push(...run.sort((a, b) => a.start - b.start).map((x) => x.e));
        run = [], clock = new Map();
    };
    for (const e of events)
        if (e[0] === EVENT.REQUEST || e[0] === EVENT.WARP) {
            const start = clock.get(e[1]) || 0;
            run.push({e, start});
            clock.set(e[1], start + costOf(e));
        } else {
            flush();
            all.push(e);
        }
    flush();
    return all;
}

/** @param {Kernel} k @param {Trace} t */
function makePlayer(k, t)
{
    const events = t.events,
          sharedBytes = Math.max(t.dynamic, 0, ...t.variables.map((v) => v.offset + v.bytes));
    const warps = Math.max(1, Math.ceil((k.block[0] * k.block[1] * k.block[2]) / 32)),
          wordCount = Math.ceil(sharedBytes / 4);

    /** @returns {State} */
    const start = () => ({
        at : 0, writer : new Int32Array(wordCount), lane : new Int8Array(wordCount), arriving : new Uint8Array(wordCount),
        barriers : new Map(), place : new Array(warps).fill(-1), copies : [], open : new Map(), sums : {}
    });
    let state = start();

    /** @param {string} counter @param {number} work @param {number} ideal */
    function add(counter, work, ideal)
    {
        const c = state.sums[counter] || (state.sums[counter] = [ 0, 0, 0 ]);
        c[0]++, (c[1] += work), (c[2] += ideal);
    }

    /**
     * Calls f for each word of shared memory that a request or copy accesses.
     * @param {number[]} e
     * @param {(index: number, lane: number) => void} f
     */
    function eachWord(e, f)
    {
        if (e[0] === EVENT.TMA) {
            const b = k.boxes[e[3]];
            for (let i = 0; b && e[6] === -1 && i < b.pieces.length; i += 2)
                for (let o = 0; o < Math.abs(b.pieces[i + 1]); o += 4)
                    f((e[7] + b.pieces[i] + o) >> 2, -1);
            return;
        }
        const p = k.patterns[e[3]], second = e[0] === EVENT.COPY, region = second ? e[6] : e[4],
              base = second ? e[7] : e[5];
        if (!p || region !== -1)
            return;
        for (const {lane, offset} of accesses(p, second))
            for (let b = 0; b < p.b; b += 4)
                f((base + offset + b) >> 2, lane);
    }

    /** Replays the next event. */
    function step()
    {
        const index = state.at++, e = events[index], p = k.patterns[e[3]];
        if (e[0] !== EVENT.BARRIER && e[1] < warps && e[0] !== EVENT.ARRIVED && e[0] !== EVENT.FAULT)
            state.place[e[1]] = e[2];
        if (p && (e[0] === EVENT.ATOMIC || (e[0] === EVENT.REQUEST && p.c === "shared_store")))
            eachWord(e, (w, lane) => { state.writer[w] = index + 1, (state.lane[w] = lane); });
        if (e[0] === EVENT.REQUEST && p) {
            add(p.c, p.w, p.i);
        } else if (e[0] === EVENT.COPY && p) {
            add("async_copy_global", p.w, p.i);
            add("async_copy_shared", p.w2 || 0, p.i2 || 0);
            eachWord(e, (w) => { state.arriving[w] = 1; });
            state.copies.push({warp : e[1], group : (state.open.get(e[1]) || new Array(32).fill(0)).slice(), event : index});
        } else if (e[0] === EVENT.COMMIT) {
            const open = state.open.get(e[1]) || new Array(32).fill(0);
            for (const lane of lanesOf(e[3]))
                open[lane]++;
            state.open.set(e[1], open);
        } else if (e[0] === EVENT.WAIT) {
            const open = state.open.get(e[1]) || new Array(32).fill(0), waits = e[3];
            for (const c of state.copies) {
                if (c.warp !== e[1])
                    continue;
                eachWord(events[c.event], (w, lane) => {
                    if (((waits >>> lane) & 1) && c.group[lane] < open[lane] - e[4])
                        land(w, c.event, lane);
                });
            }
        } else if (e[0] === EVENT.TMA) {
            const b = k.boxes[e[3]], load = isLoad(e);
            if (b)
                add(load ? "tma_load" : "tma_store", b.bytes, b.inside);
            if (load)
                eachWord(e, (w) => { state.arriving[w] = 1; });
        } else if (e[0] === EVENT.ARRIVED && isLoad(events[e[4]])) {
            eachWord(events[e[4]], (w) => land(w, e[4], -1));
        } else if (e[0] === EVENT.MBARRIER) {
            state.barriers.set(e[4], {name : barrierName(e[4]), phase : e[6], pending : e[7], bytes : e[8], expected : e[9]});
            if (e[5] === 6)
                state.barriers.delete(e[4]);
        }
    }

    /**
     * Marks a copied word as arrived in shared memory.
     * @param {number} w @param {number} event @param {number} lane
     */
    function land(w, event, lane)
    {
        state.arriving[w] = 0, (state.writer[w] = event + 1), (state.lane[w] = lane);
    }

    /** @param {number[]} e a TMA event */
    const isLoad = (e) => e[13] === 1;

    /** @param {number} offset */
    const barrierName = (offset) =>
        (offset < 0 ? "barrier " + (-1 - offset) : placeText(k, -1, offset, 8));

    /**
     * Returns the state after the first `at` events.
     * @param {number} at
     */
    function goTo(at)
    {
        if (at < state.at)
            state = start();
        while (state.at < at)
            step();
        return state;
    }

    /**
     * Returns the writer of a word as text.
     * @param {number} index event + 1 @param {number} lane
     */
    function whoWrote(index, lane)
    {
        if (!index)
            return "nobody";
        const e = events[index - 1], line = placeLine(k, e[2]);
        return (e[0] === EVENT.TMA ? "TMA"
                                   : "warp " + e[1] + " lane " + lane +
                                         (e[0] === EVENT.COPY ? ", cp.async" : "")) +
               (line ? ", line " + line.slice(line.lastIndexOf(":") + 1) : "");
    }

    /**
     * True if an event's work exceeds the ideal.
     * @param {number[]} e
     */
    function wastes(e)
    {
        const p = e[0] === EVENT.REQUEST || e[0] === EVENT.COPY ? k.patterns[e[3]] : null;
        return Boolean(p && (p.w > p.i || (p.w2 || 0) > (p.i2 || 0)));
    }

    /**
     * Returns an event as text.
     * @param {number} index
     */
    function say(index)
    {
        const e = events[index], line = placeLine(k, e[2]), where = line ? line + ": " : "";
        const warp = "warp " + e[1];
        /** @param {number} mask */
        const lanes = (mask) => (mask === -1 ? warp
                                             : warp + ", lane" + (mask & (mask - 1) ? "s " : " ") +
                                                   laneText(lanesOf(mask)));
        const p = k.patterns[e[3]];
        switch (e[0]) {
        case EVENT.REQUEST:
            return p ? where + lanes(p.m) + ": " + counterName(p.c) + " of " + p.b +
                           " bytes per lane, " + count(p.w, COUNTER[p.c][1]) +
                           (p.w > p.i ? " where " + p.i + " would do" : "")
                     : where + warp + ": a request whose pattern is not in the page";
        case EVENT.COPY:
            return p ? where + lanes(p.m) + ": cp.async of " + p.b + " bytes per lane, " +
                           count(p.w, "sector") + ", " + count(p.w2 || 0, "wavefront")
                     : where + warp;
        case EVENT.ATOMIC: return where + (p ? lanes(p.m) : warp) + ": atomic";
        case EVENT.TMA: {
            const b = k.boxes[e[3]];
            return where + warp + ": TMA " + (isLoad(e) ? "load into " : "store from ") +
                   placeText(k, e[6], e[7], 4) + (b ? ", " + number(b.bytes) + " bytes" : "");
        }
        case EVENT.ARRIVED:
            return where + (isLoad(events[e[4]]) ? "TMA's bytes are in shared memory"
                            : e[5]               ? "TMA has read the shared memory of the store"
                                                 : "TMA's bytes are in global memory");
        case EVENT.COMMIT: return where + lanes(e[3]) + ": cp.async group committed";
        case EVENT.WAIT:
            return where + lanes(e[3]) + ": waited until " +
                   (e[4] ? "at most " + count(e[4], "group") + " of cp.async " +
                               (e[4] === 1 ? "is" : "are") + " in flight"
                         : "its cp.async copies arrived");
        case EVENT.BARRIER:
            return where + [
                "all threads of the block reached the barrier",
                "all blocks of the cluster reached the barrier", "all blocks of the grid reached the barrier"
            ][e[4]];
        case EVENT.WARP:
            return where + lanes(e[3]) + ": " +
                   (e[4] >= 200   ? "an instruction of the whole warp"
                    : e[4] >= 100 ? "__syncwarp"
                    : e[4] >= 20  ? "shuffle"
                    : e[4] >= 3   ? "reduction"
                                  : "vote");
        case EVENT.MBARRIER: {
            const name = barrierName(e[4]);
            const text = [
                name + " is initialised for " + count(e[9], "arrival"),
                name + ": arrival, " + e[7] + " pending" +
                    (e[8] ? ", " + number(e[8]) + " bytes expected" : ""),
                name + ": " + number(e[8]) + " bytes expected", name + ": waits for phase " + e[6],
                name + ": the wait ends", name + ": phase " + (e[6] - 1) + " is complete"
            ][e[5]];
            return where + (e[5] === 5 ? "" : lanes(e[3]) + ": ") + text;
        }
        default: {
            const f = data.faults[e[6]];
            return where + lanes(e[3]) + ": " + f.level.toUpperCase() + ", " + f.text + ": " +
                   f.message;
        }
        }
    }

    return {events, goTo, say, whoWrote, wastes, isLoad, eachWord, warps, wordCount, sharedBytes, state : () => state};
}
