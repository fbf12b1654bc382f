/*
 * The model of what a request costs (shared/traffic, compiled to WebAssembly), and how elements of a tile lie in memory.
 */

/**
 * @typedef {Object} Cost of one request
 * @property {number} work sectors of global memory or wavefronts of shared memory
 * @property {number} ideal
 * @property {number} packets to another GPU
 * @property {{number: number, lanes: number[]}[]} sectors
 * @property {{group: number, banks: ({word: number, lanes: number[]} | null)[]}[]} waves
 */

const KIND = {global_load: 0, global_store: 1, shared_load: 2, shared_store: 3};
const LANES = Array.from({length: 32}, (_, lane) => lane);

/** @param {number} mask */
const lanes_of = (mask) => LANES.filter((lane) => (mask >>> lane) & 1);

/**
 * Returns a function that computes a request: its kind, the bytes per lane, and the address of each lane (null: inactive).
 * @param {string} base64 the model as a WebAssembly module
 * @returns {(kind: string, bytes: number, addresses: (number | null)[]) => Cost}
 */
function traffic_model(base64) {
    const module = new WebAssembly.Module(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
    const model = /** @type {any} */ (new WebAssembly.Instance(module).exports);
    return (kind, bytes, addresses) => {
        model.begin(KIND[kind], bytes);
        addresses.forEach((address, lane) => {
            if (address !== null)
                model.lane(lane, address);
        });
        const work = model.end(), shared = kind.startsWith('shared');
        const list = Array.from({length: work}, (_, i) => i);
        return {
            work, ideal: model.ideal(), packets: model.packets(),
            sectors: shared ? [] : list.map((i) => ({number: model.sector_number(i) >>> 0,
                                                     lanes: lanes_of(model.sector_lanes(i))})),
            waves: !shared ? [] : list.map((i) => ({group: model.group(i), banks: LANES.map((bank) => {
                const lanes = lanes_of(model.word_lanes(i, bank));
                return lanes.length ? {word: model.word(i, bank) >>> 0, lanes} : null;
            })})),
        };
    };
}

/**
 * Returns Swizzle<bits, base, shift> of an offset: `bits` bits of it, from bit base + shift on, XOR those from base on.
 */
function swizzled(offset, {bits = 0, base = 0, shift = 0}) {
    return offset ^ (((offset >> (base + shift)) & ((1 << bits) - 1)) << base);
}
