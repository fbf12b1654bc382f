/*
 * Runs the program `layout`, compiled to WebAssembly, in the page. Implements the functions of WASI, its
 * system interface, that the program calls: reading arguments, and writing to stdout and stderr.
 */
'use strict';

/**
 * @typedef {{status: number, out: string, err: string}} Said a run's exit status, stdout and stderr
 */

/**
 * Loads the program and returns a function that runs it. All runs share one WebAssembly memory, which is
 * reset before each run, because browsers allow few memories and free them late.
 * @param {Uint8Array} bytes the program
 * @returns {function(string[]): Said} runs the program with these arguments (without the program's name).
 *     Throws if the program traps, which is a bug.
 */
function layoutMachine(bytes) {
    const module = new WebAssembly.Module(bytes);
    const ended = {status: 0};
    /** @type {Uint8Array[]} */
    let args = [];
    /** @type {Object<number, Uint8Array[]>} */
    let written = {};
    /** @type {WebAssembly.Memory} */
    let memory;
    const all = () => new Uint8Array(memory.buffer);
    const view = () => new DataView(memory.buffer);
    const system = {
        args_sizes_get(count, size) {
            view().setUint32(count, args.length, true);
            view().setUint32(size, args.reduce((sum, word) => sum + word.length, 0), true);
            return 0;
        },
        args_get(pointers, text) {
            args.forEach((word, i) => {
                view().setUint32(pointers + 4 * i, text, true);
                all().set(word, text);
                text += word.length;
            });
            return 0;
        },
        fd_write(file, pieces, count, size) {
            let sum = 0;
            for (let i = 0; i < count; i++) {
                const at = view().getUint32(pieces + 8 * i, true);
                const length = view().getUint32(pieces + 8 * i + 4, true);
                if (written[file])
                    written[file].push(all().slice(at, at + length));
                sum += length;
            }
            view().setUint32(size, sum, true);
            return 0;
        },
        fd_fdstat_get(file, stat) {
            all().fill(0, stat, stat + 24);
            view().setUint8(stat, 4); // says that it is a regular file, so that the program buffers its output
            view().setUint32(stat + 8, 0xffffffff, true);
            return file < 3 ? 0 : 8;
        },
        fd_close: () => 0,
        fd_seek: () => 70,
        proc_exit(status) {
            ended.status = status;
            throw ended;
        },
    };
    const {exports} = new WebAssembly.Instance(module, {wasi_snapshot_preview1: system});
    const stack = /** @type {WebAssembly.Global} */ (exports.__stack_pointer);
    memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    const new_memory = all().slice();
    const new_stack = stack.value;

    return (words) => {
        const encoder = new TextEncoder();
        args = ['layout'].concat(words).map((word) => encoder.encode(word.replace(/\0/g, '') + '\0'));
        written = {1: [], 2: []};
        ended.status = 0;
        all().set(new_memory);
        all().fill(0, new_memory.length);
        stack.value = new_stack;
        try {
            /** @type {Function} */ (exports._start)();
        } catch (error) {
            if (error !== ended)
                throw error;
        }
        const text = (file) => {
            const decoder = new TextDecoder();
            return written[file].map((piece) => decoder.decode(piece, {stream: true})).join('');
        };
        return {status: ended.status, out: text(1), err: text(2)};
    };
}

/** The code of the worker. It receives one message with the program, then one message per run with its arguments. */
function layoutWorker() {
    /** @type {function(string[]): Said} */
    let run;
    self.onmessage = (message) => {
        const {program, id, words} = message.data;
        if (program) {
            run = layoutMachine(program);
            return;
        }
        try {
            self.postMessage({id, said: run(words)});
        } catch (error) {
            self.postMessage({id, said: {status: 1, out: '', err: 'layout: ' + error + '\n'}});
        }
    };
}

/**
 * Returns an object whose function run(words) runs the program with these arguments and promises its output.
 * A worker runs one call at a time. A call that takes longer than `patience` is ended with status 1. If the
 * browser allows no worker, the page itself runs the program, without a time limit.
 * @param {string} base64 the program
 * @param {number} patience milliseconds
 * @returns {{run: function(string[]): Promise<Said>}}
 */
function layoutProgram(base64, patience) {
    const program = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    /** @type {Worker | null} */
    let worker = null;
    /** @type {(function(string[]): Said) | null} */
    let machine = null;
    /** @type {Promise<any>} */
    let last = Promise.resolve();
    let count = 0;

    /** Starts a worker and sends it the program. */
    function start() {
        const source = `'use strict';\n${layoutMachine}\n(${layoutWorker})();\n`;
        const address = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
        worker = new Worker(address);
        worker.postMessage({program});
    }

    /**
     * Runs the program once; no other run may be going on.
     * @param {string[]} words
     * @returns {Promise<Said>}
     */
    function ask(words) {
        return new Promise((resolve) => {
            const id = ++count;
            if (machine) {
                resolve(machine(words));
                return;
            }
            const asked = /** @type {Worker} */ (worker);
            const late = setTimeout(() => {
                asked.terminate();
                start();
                resolve({status: 1, out: '', err: `layout: ended after ${patience / 1000} seconds\n`});
            }, patience);
            asked.onmessage = (message) => {
                if (message.data.id !== id)
                    return;
                clearTimeout(late);
                resolve(message.data.said);
            };
            asked.postMessage({id, words});
        });
    }

    try {
        start();
    } catch (error) {
        machine = layoutMachine(program);
    }
    return {
        run(words) {
            const said = last.then(() => ask(words));
            last = said;
            return said;
        },
    };
}
