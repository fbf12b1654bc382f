/*
 * The layout bench: runs the program `layout` and draws its output; the page calculates no costs itself.
 * What the reader types is kept in the fragment of the page's address.
 */
'use strict';
(function () {
    const LONGEST = 2000; // characters read from a field; the rest is ignored
    const CELLS = 64; // rows and columns of the tile that the page draws
    const program = layoutProgram(layoutBase64, 20000);

    /**
     * @template {HTMLElement} T
     * @param {string} id
     * @returns {T}
     */
    const $ = (id) => /** @type {T} */ (document.getElementById(id));
    const form = /** @type {HTMLFormElement} */ ($('bench'));
    const algebra = /** @type {HTMLFormElement} */ ($('algebra'));
    const request = /** @type {HTMLInputElement} */ ($('request'));
    const show = /** @type {HTMLSelectElement} */ ($('show'));

    /**
     * @param {HTMLFormElement} where
     * @param {string} name
     * @returns {HTMLInputElement | HTMLSelectElement}
     */
    const field = (where, name) => /** @type {any} */ (where.elements.namedItem(name));
    /** Returns a field's text; one dash replaces several at its start, which the program would take for an option. */
    const value = (where, name) => field(where, name).value.slice(0, LONGEST).trim().replace(/^--+/, '-');

    /** Returns the rows of a TSV text as objects, column -> text, without its `#` lines. */
    function table(text) {
        const lines = text.split('\n').filter((line) => line && line[0] !== '#');
        const names = lines.length ? lines[0].split('\t') : [];
        return lines.slice(1).map((line) => {
            const row = {};
            line.split('\t').forEach((word, i) => { row[names[i]] = word; });
            return row;
        });
    }

    // ---- the state, and the address that keeps it ----

    const fields = ['layout', 'swizzle', 'bytes', 'vector', 'access', 'memory', 'store'];
    const usual = {layout: '(32,32):(32,1)', swizzle: '', bytes: '4', vector: '1', access: 'column',
                   memory: 'shared', store: '0', request: '0', do: 'compose', a: '', b: '', c: ''};

    /** @param {string} text is escaped for a link; characters that a link allows stay */
    const inLink = (text) => encodeURIComponent(text).replace(/%2C/g, ',').replace(/%3A/g, ':')
        .replace(/%3C/g, '<').replace(/%3E/g, '>').replace(/%20/g, '+');

    function link(change) {
        const state = Object.assign({}, state_of_page(), change);
        return '#' + Object.keys(usual).filter((name) => state[name] !== usual[name])
            .map((name) => name + '=' + inLink(state[name])).join('&');
    }
    function state_of_page() {
        const state = {request: request.value};
        fields.forEach((name) => { state[name] = value(form, name); });
        ['do', 'a', 'b', 'c'].forEach((name) => { state[name] = value(algebra, name); });
        return state;
    }
    function read_address() {
        const said = new URLSearchParams(location.hash.slice(1));
        const take = (where, name) => {
            const text = (said.get(name) || '').slice(0, LONGEST);
            const input = field(where, name);
            input.value = said.has(name) ? text : usual[name];
            if (input.value === '' && text !== '') // the select has no such option
                input.value = usual[name];
        };
        if (said.has('layout') || location.hash === '') {
            fields.forEach((name) => take(form, name));
            request.value = String(Number(said.get('request')) || 0);
        }
        if (said.has('a'))
            ['do', 'a', 'b', 'c'].forEach((name) => take(algebra, name));
    }
    function write_address() {
        const state = state_of_page();
        const all = Object.keys(usual).filter((name) => name === 'layout' || state[name] !== usual[name]);
        const hash = '#' + all.map((name) => name + '=' + inLink(state[name])).join('&');
        try {
            history.replaceState(null, '', hash);
        } catch (error) { // some browsers refuse this on file://
        }
    }

    // ---- running the program ----

    /** Returns the layout with its swizzle in the program's notation. */
    function swizzled() {
        const swizzle = value(form, 'swizzle').replace(/^(Sw|Swizzle)?<|>$/g, '');
        return (swizzle ? `Sw<${swizzle}> o 0 o ` : '') + value(form, 'layout');
    }
    function options(accesses) {
        const words = ['--bytes', value(form, 'bytes'), '--vector', value(form, 'vector')];
        accesses.forEach((access) => words.push('--access', access));
        return words.concat(value(form, 'store') === '1' ? ['--store'] : []);
    }

    /** Returns the word quoted for a shell. */
    const quoted = (word) => /^[-\w,.:/]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";

    /** Marks the sum and the pictures as old, or as current. */
    function stale(is) {
        ['sum', 'results'].forEach((id) => {
            $(id).classList.toggle('stale', is);
            $(id).setAttribute('aria-busy', String(is));
        });
    }

    let asked = 0; // the number of the latest query; answers to older ones are dropped
    let requests = 0;

    async function update() {
        const mine = ++asked;
        const global = value(form, 'memory') === 'global';
        const layout = swizzled(), access = value(form, 'access');
        write_address();
        if (searched !== search_key()) {
            searched = '';
            $('tried').textContent = '';
            $('swizzles').replaceChildren();
        }
        const cost = await program.run([global ? 'sectors' : 'banks', layout].concat(options([access])));
        if (mine !== asked)
            return;
        $('trouble').hidden = cost.status === 0;
        if (cost.status !== 0) {
            $('trouble').textContent = cost.err;
            $('sum').textContent = '';
            stale(true);
            done(mine);
            return;
        }
        const line = cost.out.split('\n').filter((text) => /^access /.test(text))[0] || '';
        const found = /requests (\d+), (\w+) (\d+), ideal (\d+)(?:, with conflicts (\d+))?$/.exec(line);
        if (!found) {
            done(mine);
            return;
        }
        requests = Number(found[1]);
        draw_sum(found);
        $('printed').textContent = '$ ' + ['layout', global ? 'sectors' : 'banks', layout]
            .concat(options([access])).map(quoted).join(' ') +
            (global ? '' : ' | sed -n /^access/,\\$p') + '\n' + cost.out.slice(cost.out.search(/^access/m));
        request.max = String(Math.max(requests - 1, 0));
        if (Number(request.value) >= requests)
            request.value = request.max;
        $('of').textContent = `of ${requests}, counted from 0`;
        const grid = await program.run(['banks', layout, '--tsv'].concat(options([access])));
        if (mine !== asked)
            return;
        draw_tile(grid.out);
        await update_request(mine);
    }

    async function update_request(mine) {
        const global = value(form, 'memory') === 'global';
        const words = ['requests', swizzled(), '--request', String(Number(request.value) || 0)]
            .concat(options([value(form, 'access')]), global ? ['--global'] : []);
        const said = await program.run(words);
        if (mine !== asked)
            return;
        const lanes = table(said.out);
        draw_request(lanes, global);
        mark_lanes(lanes);
        stale(false);
        done(mine);
    }
    const done = (mine) => { document.body.dataset.done = String(mine); };

    // ---- drawing ----

    const NAMES = {
        wavefronts: 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_',
        sectors: 'smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_',
    };

    /** @param {RegExpExecArray} found requests, unit, work, ideal, with conflicts */
    function draw_sum(found) {
        const work = Number(found[3]), ideal = Number(found[4]);
        const degree = ideal ? work / ideal : 1;
        const name = NAMES[found[2]] + (value(form, 'store') === '1' ? 'st' : 'ld') + '.sum';
        const sum = $('sum');
        sum.textContent = '';
        sum.className = 'sum stale ' + (work > ideal ? 'bad' : 'good');
        sum.append(`${found[1]} request${found[1] === '1' ? ' takes' : 's take'} `, make('b', found[3], {id: 'work'}), ' ',
                   make('abbr', found[2], {title: 'Nsight Compute: ' + name}),
                   `; the ideal is ${ideal}. `,
                   make('b', work > ideal ? `${Number(degree.toFixed(2))} times the ideal.`
                                          : 'Nothing is wasted.'));
    }

    /** @param {string} text the TSV of the tile to draw, row by row; of a large tile only the start is drawn */
    function draw_tile(text) {
        const head = make('tr'), body = [];
        let columns = 0, more = false, at = text.indexOf('\nrow\t') + 1;
        head.append(make('th', 'row', {scope: 'col'}));
        for (at = text.indexOf('\n', at) + 1; at > 0 && at < text.length; at = text.indexOf('\n', at) + 1) {
            const end = text.indexOf('\n', at);
            const [row, col, offset, bank] = text.slice(at, end < 0 ? text.length : end).split('\t');
            if (Number(row) >= CELLS || Number(col) >= CELLS) {
                more = true;
                if (Number(row) >= CELLS)
                    break;
                continue;
            }
            if (Number(row) === body.length) {
                body.push(make('tr'));
                body[body.length - 1].append(make('th', row, {scope: 'row'}));
            }
            columns = Math.max(columns, Number(col) + 1);
            const box = make('td', undefined, {style: '--bank:' + bank,
                title: `(${row},${col}): offset ${offset}, bank ${bank}`});
            box.dataset.offset = offset;
            box.dataset.bank = bank;
            body[Number(row)].append(box);
        }
        for (let col = 0; col < columns; col++)
            head.append(make('th', String(col), {scope: 'col'}));
        $('tile').replaceChildren(head, ...body);
        $('clipped').hidden = !more;
        $('clipped').textContent = `The page draws the first ${CELLS} rows and columns.`;
    }

    /** Frames the elements of this request in the tile, and writes the chosen value into each cell. */
    function mark_lanes(lanes) {
        const first = {};
        lanes.forEach((lane) => { first[lane.row + ',' + lane.col] = lane.lane; });
        const rows = /** @type {HTMLTableElement} */ ($('tile')).rows;
        for (let row = 1; row < rows.length; row++)
            for (let col = 1; col < rows[row].cells.length; col++) {
                const cell = rows[row].cells[col], lane = first[row - 1 + ',' + (col - 1)];
                cell.classList.toggle('wanted', lane !== undefined);
                if (lane === undefined)
                    delete cell.dataset.lane;
                else
                    cell.dataset.lane = lane;
                cell.textContent = cell.dataset[show.value] || '';
            }
    }

    /** Returns the lanes' rows of the program as the cost of a request, for the pictures of draw.js. */
    function cost_of(lanes) {
        const cost = /** @type {Cost} */ ({work: 0, ideal: 0, packets: 0, sectors: [], waves: []}), sectors = new Map();
        lanes.forEach((row) => {
            const lane = Number(row.lane);
            if (row.sector !== undefined) {
                const sector = sectors.get(row.sector) || {number: Number(row.sector), lanes: []};
                sectors.set(row.sector, sector);
                sector.lanes.push(lane);
                return;
            }
            const wave = cost.waves[Number(row.wavefront)] = cost.waves[Number(row.wavefront)] ||
                {group: Number(row.group), banks: new Array(32).fill(null)};
            const bank = wave.banks[Number(row.bank)] = wave.banks[Number(row.bank)] || {word: Number(row.word), lanes: []};
            bank.lanes.push(lane);
        });
        cost.sectors = [...sectors.values()];
        cost.work = cost.sectors.length + cost.waves.length;
        return cost;
    }

    /** Draws a request and says what the picture shows. */
    function draw_request(lanes, global) {
        const cost = cost_of(lanes), width = Math.max(300, Math.min(680, $('piles').clientWidth));
        const addresses = new Array(32).fill(null);
        lanes.slice().reverse().forEach((row) => { addresses[Number(row.lane)] = Number(row.byte); });
        const bytes = Number(value(form, 'bytes')) * Number(value(form, 'vector'));
        $('piles').replaceChildren(global ? draw_sectors(cost, bytes, addresses, width) : draw_piles(cost, width));
        const waits = $('piles').querySelector('.waste');
        $('said').textContent = global
            ? `${plural(cost.work, 'sector')} of 32 bytes. Each row is a line of 128. Hatched: bytes that move, ` +
              'and that no lane of this request uses.'
            : `${plural(cost.work, 'wavefront')}, one per row, from bottom to top. ` + (waits
                ? 'Orange and hatched: these lanes waited because their bank was busy.' : 'No lane waited for its bank.');
    }

    // ---- swizzles ----

    let searched = ''; // what the swizzles on the page were searched for

    const search_key = () => [value(form, 'layout'), ...options([value(form, 'access')])].join(' ');

    async function search() {
        const mine = searched = search_key();
        const accesses = ['row', 'column', value(form, 'access')]
            .filter((name, i, all) => all.indexOf(name) === i);
        $('tried').textContent = 'trying…';
        $('swizzles').replaceChildren();
        const said = await program.run(['search', value(form, 'layout')].concat(options(accesses)));
        if (mine !== search_key())
            return;
        const lines = said.out.split('\n').filter((line) => line);
        const sum = lines.filter((line) => /^(free|none)/.test(line)).join('; ');
        const found = lines.filter((line) => /^Sw<[-0-9,]+>$/.test(line)).slice(0, 40);
        const best = /^Sw<([-0-9,]+)> o/.exec(lines[lines.length - 1] || '');
        $('tried').textContent = said.status ? said.err.split('\n')[0] : `${accesses.join(', ')}: ${sum}`;
        (found.length ? found : best ? [`Sw<${best[1]}>`] : []).forEach((name) => {
            $('swizzles').append(make('a', name, {href: link({swizzle: name.slice(3, -1)})}), ' ');
        });
        document.body.dataset.searched = String(Date.now());
    }

    // ---- algebra ----

    const operands = {complement: 2, coalesce: 1, inverse: 1, tile: 3, partition: 3};

    let calculations = 0; // answers to older ones are dropped

    async function calculate() {
        const mine = ++calculations;
        const words = value(algebra, 'do').split(' ');
        const many = operands[words[0]] || 2;
        const given = ['a', 'b', 'c'].slice(0, many).map((name) => value(algebra, name));
        if (words[0] === 'complement' && !given[1])
            given.pop();
        const said = await program.run(words.concat(given));
        if (mine !== calculations)
            return;
        $('answer').classList.remove('stale');
        const lines = said.out.trimEnd().split('\n');
        const result = lines[lines.length - 1];
        $('answer').textContent = said.status === 2 || !said.out ? said.err : said.out;
        $('use').hidden = said.status !== 0 || !/^[(0-9S].*:/.test(result) || words[0] === 'equal';
        if (!$('use').hidden) {
            const parts = /^Sw<([-0-9,]+)> o 0 o (.*)$/.exec(result);
            $('use').setAttribute('href', link(parts ? {layout: parts[2], swizzle: parts[1]}
                                                     : {layout: result, swizzle: '', access: 'row'}));
            const drawn = await program.run(['show', result]);
            if (mine === calculations && words[0] !== 'threads' && drawn.status === 0 && drawn.out.length < 20000)
                $('answer').textContent = said.out + '\n' + drawn.out.split('\n').slice(0, -2).join('\n') + '\n';
        }
        document.body.dataset.calculated = String(Number(document.body.dataset.calculated || 0) + 1);
    }

    // ---- events ----

    let soon = 0;
    const later = () => {
        clearTimeout(soon);
        soon = setTimeout(update, 150);
    };
    form.addEventListener('input', () => {
        request.value = '0';
        stale(true);
        later();
    });
    form.addEventListener('submit', (event) => event.preventDefault());
    algebra.addEventListener('submit', (event) => {
        event.preventDefault();
        write_address();
        calculate();
    });
    algebra.addEventListener('input', () => {
        calculations++;
        $('answer').classList.add('stale');
        $('use').hidden = true;
    });
    const turn_to = (number) => {
        request.value = String(Math.min(Math.max(number, 0), Math.max(requests - 1, 0)));
        write_address();
        update_request(++asked);
    };
    request.addEventListener('input', () => turn_to(Number(request.value) || 0));
    $('before').addEventListener('click', () => turn_to(Number(request.value) - 1));
    $('after').addEventListener('click', () => turn_to(Number(request.value) + 1));
    show.addEventListener('change', () => update_request(++asked));
    $('search').addEventListener('click', search);
    window.addEventListener('hashchange', () => {
        read_address();
        update();
        calculate();
    });
    read_address();
    update();
    calculate();
})();
