/*
 * The lab on a page of exercises: the reader edits the code, the page runs it (lab.c in WebAssembly), shows where lanes
 * land, and judges the exercise's goals. The mark of an exercise comes from the checker alone.
 */

const NOT_JUDGED = ': only the checker can judge this';
const LAB_SIZES = [[1, 1], [33, 65], [100, 60]]; // beside the counted one

/**
 * @typedef {{fault: [string, string] | null, verified: string, numbers: Object<string, number>,
 *     sites: {line: string, counter: string, requests: number, work: number, ideal: number, bytes: number,
 *     addresses: (number | null)[]}[]}} LabReport numbers: each quantity that a goal can name
 */

/** Runs a source at one size. @returns {LabReport} */
function lab_run(source, operation, bytes, rows, cols, count) {
    const module = lab_module = lab_module || new WebAssembly.Module(Uint8Array.from(atob(labBase64), (c) => c.charCodeAt(0)));
    const imports = /** @type {any} */ ({});
    WebAssembly.Module.imports(module).forEach((one) => { (imports[one.module] = imports[one.module] || {})[one.name] = () => 0; });
    const lab = /** @type {any} */ (new WebAssembly.Instance(module, imports).exports);
    const memory = () => new Uint8Array(lab.memory.buffer);
    memory().set(new TextEncoder().encode(source.slice(0, 60000) + '\0'), lab.source_text());
    let trapped = '';
    try {
        lab.run(operation.charCodeAt(0), bytes, rows, cols, count);
    } catch (error) { // a fault: the report has its line and its reason
        trapped = String(error);
    }
    const from = lab.report_text(), all = memory();
    return lab_report(new TextDecoder().decode(all.slice(from, all.indexOf(0, from))), trapped);
}
/** @type {WebAssembly.Module | null} */
let lab_module = null;

/** Reads the lines of a report; see lab.h. @returns {LabReport} */
function lab_report(text, trapped) {
    /** @type {LabReport} */
    const report = {fault: null, verified: '', numbers: {}, sites: []};
    text.split('\n').map((line) => line.split('\t')).forEach(([word, ...rest]) => {
        if (word === 'fault')
            report.fault = [rest[0], rest[1]];
        else if (word === 'verified')
            report.verified = rest[0];
        else if (word === 'counter') {
            const [requests, work, ideal] = rest.slice(1).map(Number);
            Object.entries({requests, work, ideal, extra: work - ideal, conflict_degree: ideal ? work / ideal : 1,
                            work_per_request: requests ? work / requests : 0})
                .forEach(([name, value]) => { report.numbers[`${rest[0]} ${name}`] = value; });
        } else if (word === 'site')
            report.sites.push({line: rest[0], counter: rest[1], requests: Number(rest[2]), work: Number(rest[3]),
                               ideal: Number(rest[4]), bytes: Number(rest[5]),
                               addresses: rest[6].split(',').map((one) => one === '-' ? null : Number(one))});
        else if (rest.length === 1)
            report.numbers[word] = Number(rest[0]);
    });
    if (trapped && !report.fault)
        report.fault = ['0', 'the lab failed: ' + trapped];
    return report;
}

/** Returns what the goals and predictions of a source say about a report: [text, true if met, kind] each. */
function lab_goals(source, report) {
    const number = (value) => Number.isInteger(value) ? String(value) : value.toFixed(2);
    const judged = [];
    for (const [, kind, what] of source.matchAll(/^\/\/ (goal|silver|gold|predict): (.*)$/gm)) {
        const goal = /^(.*?) (<=|==|>=|=) (.*)$/.exec(what);
        if (what === 'verified' || (what.startsWith('through_shared') && report.verified !== 'yes'))
            continue;
        if (!goal || report.numbers[goal[1]] === undefined) {
            judged.push([what + NOT_JUDGED, false, kind]);
            continue;
        }
        const is = report.numbers[goal[1]], wanted = Number(goal[3]);
        if (kind === 'predict') {
            const near = goal[3].includes('.') ? 0.0101 : 1e-9;
            judged.push([`${goal[1]}: ${Number.isNaN(wanted) ? 'no prediction yet' : `you predict ${goal[3]}`}`,
                         Math.abs(is - wanted) <= near, kind]);
            continue;
        }
        const met = goal[2] === '<=' ? is <= wanted + 1e-9 : goal[2] === '>=' ? is >= wanted - 1e-9 : Math.abs(is - wanted) < 1e-9;
        const said = what.replace('through_shared', 'percent of the output that came out of shared memory');
        judged.push([`${kind === 'goal' ? '' : kind + ': '}${said}: it is ${number(is)}`, met, kind]);
    }
    return judged;
}

/** Sets up one exercise: its field, its button, its outcome. */
function set_up_lab(fold) {
    const {lab: name, first, operation, bytes, count, rows, cols, multiple} = fold.dataset;
    const code = document.querySelector(`[id="${name}-${first}"]`);
    const lines = code ? Array.from(/** @type {Element} */ (code.parentElement).children, (line) => line.textContent || '') : [];
    const field = /** @type {HTMLTextAreaElement} */ (make('textarea', undefined, {spellcheck: 'false', wrap: 'off',
        rows: String(Math.min(lines.length + 1, 44)), 'aria-label': `Your code for ${name}`, autocapitalize: 'off'}));
    const run = make('button', 'Run it here', {type: 'button'}), again = make('button', 'Start again', {type: 'button'});
    const outcome = make('div', undefined, {role: 'status'}), picture = make('div', undefined, {class: 'pictures'});
    const up = (size) => Math.max(Number(multiple), Math.ceil(size / Number(multiple)) * Number(multiple));
    field.value = stored('code:' + name) || lines.join('\n');
    fold.append(make('p', 'Edit the code; Ctrl+Enter runs it. The lab runs one block after another and finds no race; the checker does.'),
                field, run, ' ', again, outcome, picture);

    /** Returns the first size at which the output is wrong, as text; empty if there is none. */
    function wrong_elsewhere(source) {
        for (const [r, c] of LAB_SIZES) {
            const tall = up(r), wide = operation === 'in_place' ? tall : up(c);
            const report = lab_run(source, operation, Number(bytes), tall, wide, Number(count));
            const why = report.fault ? `line ${report.fault[0]}: ${report.fault[1]}` : report.verified === 'yes' ? '' : report.verified;
            if (why)
                return `at ${tall} x ${wide}: ${why}`;
        }
        return '';
    }
    /** Returns a report on a source, and its judged goals; only the report if it has a fault. */
    function judge(source) {
        const code = '\n'.repeat(Number(first) - 1) + source;
        const report = lab_run(code, operation, Number(bytes), Number(rows), Number(cols), Number(count));
        if (report.fault)
            return {report, goals: []};
        const wrong = report.verified === 'yes' ? wrong_elsewhere(code) : `at ${rows} x ${cols}: ${report.verified}`;
        const goals = lab_goals(`${source}\n${fold.dataset.implied}`, report);
        goals.unshift([wrong ? `the output is wrong ${wrong}` : `the output is right at ${rows} x ${cols} and three other sizes`, !wrong, 'goal']);
        return {report, goals};
    }
    const missed_of = (goals) => goals.filter(([, met, kind]) => !met && kind !== 'silver' && kind !== 'gold');
    function show(source) {
        const {report, goals} = judge(source), list = make('ul', undefined, {class: 'goals'});
        picture.replaceChildren();
        if (report.fault) {
            outcome.replaceChildren(make('p', `Line ${report.fault[0]}: ${report.fault[1]}.`, {class: 'unmet'}));
            return;
        }
        goals.forEach(([text, met]) => list.append(make('li', `${met ? 'met' : 'not met'}: ${text}`, {class: met ? 'met' : 'unmet'})));
        const missed = missed_of(goals), task = missed.length ? null : judge(lines.join('\n'));
        const solved = task !== null && (task.report.fault !== null || missed_of(task.goals).length > 0);
        outcome.replaceChildren(list);
        if (task && !solved)
            outcome.append(make('p', 'The code of the task meets these goals too, so the lab cannot see its mistake: only the checker judges this exercise.'));
        else if (!solved && missed.every(([text]) => text.endsWith(NOT_JUDGED)))
            outcome.append(make('p', 'What the lab can judge is met. Copy it into answer.cu: the checker judges the rest.'));
        if (solved) {
            store('lab:' + name, 'solved');
            outcome.append(make('p', 'Solved in the lab. Copy it into answer.cu: the checker gives the mark.', {class: 'met'}));
        }
        if (!/^\/\/ predict:/m.test(source))
            show_sites(report.sites);
    }
    /** Draws the worst request of an access, chosen by its line. */
    function show_sites(sites) {
        const choice = /** @type {HTMLSelectElement} */ (make('select')), label = make('label', 'Worst request of ');
        const drawn = make('div');
        sites.forEach((site, i) => choice.append(make('option', `line ${site.line}, ${site.counter.replace('_', ' ')}: ` +
            `${site.requests} requests, ${(site.work / site.requests).toFixed(1)} ${site.counter.startsWith('g') ? 'sectors' : 'wavefronts'} each`,
            {value: String(i)})));
        function draw() {
            const site = sites[Number(choice.value)];
            const cost = request_cost(site.counter, site.bytes, site.addresses), width = Math.max(280, picture.clientWidth);
            drawn.replaceChildren(site.counter.startsWith('shared') ? draw_piles(cost, width)
                : draw_sectors(cost, site.bytes, site.addresses, width));
        }
        choice.value = String(sites.indexOf(sites.slice().sort((a, b) => b.work / b.ideal - a.work / a.ideal)[0]));
        choice.addEventListener('change', draw);
        label.append(choice);
        picture.append(label, drawn);
        if (sites.length)
            draw();
    }
    run.addEventListener('click', () => show(field.value));
    again.addEventListener('click', () => {
        field.value = lines.join('\n');
        store('code:' + name, '');
    });
    field.addEventListener('input', () => store('code:' + name, field.value));
    field.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            show(field.value);
    });
}

document.querySelectorAll('details[data-lab]').forEach((fold) => {
    /** @type {HTMLElement} */ (fold).hidden = false;
    fold.addEventListener('toggle', () => set_up_lab(fold), {once: true});
    if (stored('lab:' + fold.getAttribute('data-lab')))
        /** @type {Element} */ (fold.firstElementChild).append(' (solved in the lab)');
});
