/*
 * The lab on a page of exercises: the reader edits the code, the page runs it and judges its goals (the program `lab` as
 * WebAssembly), and shows where lanes land. The mark of an exercise comes from the checker alone.
 */

/** @type {{run: function(string[]): Promise<Said>} | null} */
let lab_program = null;
const lab_key = (name) => `lab:${(document.body.dataset.page || '').replace('exercises.html', name)}`;
const LAB_WORDS = 'work: sectors of global memory, or wavefronts of shared memory; ideal: the least that their bytes allow.';

/**
 * @typedef {{line: string, counter: string, requests: number, work: number, ideal: number, bytes: number,
 *     addresses: (number | null)[]}} Site
 * @typedef {{solved: boolean, fault: [string, string] | null, goals: string[][], sites: Site[]}} LabReport
 */

/** Judges a source by a task. @returns {Promise<LabReport>} */
async function lab_run(source, task) {
    lab_program = lab_program || layoutProgram(labBase64, 20000);
    const said = await lab_program.run([source, task]);
    /** @type {LabReport} */
    const report = {solved: said.status === 0, fault: null, goals: [], sites: []};
    said.out.split('\n').map((line) => line.split('\t')).forEach(([word, ...rest]) => {
        if (word === 'fault')
            report.fault = [rest[0], rest[1]];
        else if (word === 'goal')
            report.goals.push(rest);
        else if (word === 'site')
            report.sites.push({line: rest[0], counter: rest[1], requests: Number(rest[2]), work: Number(rest[3]),
                               ideal: Number(rest[4]), bytes: Number(rest[5]),
                               addresses: rest[6].split(',').map((one) => one === '-' ? null : Number(one))});
    });
    if (said.err)
        report.fault = ['0', said.err.trim()];
    return report;
}

/** Sets up one exercise: its field, its button, its outcome. */
function set_up_lab(fold) {
    const {lab: name, first} = fold.dataset, above = '\n'.repeat(Number(first) - 1);
    const code = document.querySelector(`[id="${name}-${first}"]`);
    const lines = code ? Array.from(/** @type {Element} */ (code.parentElement).children, (line) => line.textContent || '') : [];
    const task = above + lines.join('\n');
    const field = /** @type {HTMLTextAreaElement} */ (make('textarea', undefined, {spellcheck: 'false', wrap: 'off',
        rows: String(Math.min(lines.length + 1, 24)), 'aria-label': `Your code for ${name}`, autocapitalize: 'off'}));
    const run = make('button', 'Run it here', {type: 'button'}), again = make('button', 'Start again', {type: 'button'});
    const outcome = make('div', undefined, {role: 'status', tabindex: '-1'}), picture = make('div', undefined, {class: 'pictures'});
    let thrown = '', blind = false;
    field.value = stored('code:' + name) || lines.join('\n');
    fold.append(make('p', 'Edit the code; Ctrl+Enter runs it, Tab leaves the field. Lines are numbered as in answer.cu. ' +
                    'The lab runs one block after another and finds no race; the checker does.'), field, run, ' ', again, outcome, picture);
    lab_run(task, task).then((report) => {
        blind = report.solved;
        if (blind)
            field.before(make('p', 'The code of the task meets all that the lab can judge, so the lab cannot see its mistake: ' +
                              'only the checker judges this exercise.'));
    });

    /** Returns a line of the source with its number. */
    const line_of = (source, number) => `Line ${number}` + (source.split('\n')[number - first] ? ` (${source.split('\n')[number - first].trim()})` : '');
    /** Runs the source and shows what came of it. */
    async function show(source) {
        outcome.setAttribute('aria-busy', 'true');
        run.textContent = 'Running…';
        const report = await lab_run(above + source, task), list = make('ul', undefined, {class: 'goals'});
        run.textContent = 'Run it here';
        picture.replaceChildren();
        const heads = {met: 'met: ', unmet: 'not met: ', unjudged: 'only the checker can judge this: '};
        report.goals.sort((a, b) => Number(a[0] === 'met') - Number(b[0] === 'met'));
        list.append(...report.goals.map(([how, text, medal]) =>
            make('li', (medal ? medal + ': ' : '') + heads[how] + text, {class: how === 'met' ? 'met' : 'unmet'})));
        outcome.replaceChildren(list);
        if (report.fault)
            outcome.append(make('p', `${line_of(source, Number(report.fault[0]))}: ${report.fault[1]}.`, {class: 'unmet'}));
        else
            outcome.append(make('p', LAB_WORDS, {class: 'legend'}));
        if (blind && report.solved)
            outcome.append(make('p', 'So it was before you began: only the checker judges this exercise.'));
        else if (report.solved) {
            store(lab_key(name), 'solved');
            outcome.append(make('p', 'Solved in the lab. Copy it into answer.cu: the checker gives the mark, and explains the answer.', {class: 'met'}));
        } else if (!report.fault && report.goals.every(([how, , medal]) => medal || how !== 'unmet'))
            outcome.append(make('p', 'What the lab can judge is met. Copy it into answer.cu: the checker judges the rest.'));
        if (report.sites.length && !/^\/\/ predict:/m.test(source))
            show_sites(report.sites, source);
        outcome.removeAttribute('aria-busy');
        outcome.scrollIntoView({block: 'nearest'});
    }
    /** Draws the worst request of an access, chosen by its line. */
    function show_sites(sites, source) {
        const choice = /** @type {HTMLSelectElement} */ (make('select')), label = make('label', 'Worst request of ');
        const drawn = make('div');
        sites.forEach((site, i) => choice.append(make('option', `${(site.work / site.requests).toFixed(1)} ${
            site.counter.startsWith('g') ? 'sectors' : 'wavefronts'} each: ${site.counter.replace('_', ' ')}, ${site.requests} requests, ${
            line_of(source, site.line)}`, {value: String(i)})));
        function draw() {
            const site = sites[Number(choice.value)];
            const cost = request_cost(site.counter, site.bytes, site.addresses), width = Math.max(280, picture.clientWidth);
            drawn.replaceChildren(site.counter.startsWith('shared') ? draw_piles(cost, width)
                : draw_sectors(cost, site.bytes, site.addresses, width));
        }
        choice.value = String(sites.indexOf(sites.slice().sort((a, b) => b.work / b.ideal - a.work / a.ideal)[0]));
        choice.addEventListener('change', draw);
        label.append(choice);
        picture.append(label, drawn, make('p', 'Solid blue: bytes of a lane, by its number. Hatched: moves or waits without need.', {class: 'legend'}));
        draw();
    }
    run.addEventListener('click', () => show(field.value));
    again.addEventListener('click', () => {
        [field.value, thrown] = [thrown || lines.join('\n'), thrown ? '' : field.value];
        again.textContent = thrown ? 'Take my code back' : 'Start again';
        outcome.replaceChildren();
        picture.replaceChildren();
        store('code:' + name, thrown ? '' : field.value);
    });
    field.addEventListener('input', () => {
        [thrown, again.textContent] = ['', 'Start again'];
        store('code:' + name, field.value);
    });
    field.addEventListener('focus', () => {
        const blank = field.value.indexOf('___');
        if (blank >= 0)
            field.setSelectionRange(blank, blank + 3);
    }, {once: true});
    field.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            show(field.value);
    });
}

document.querySelectorAll('details[data-lab]').forEach((fold) => {
    /** @type {HTMLElement} */ (fold).hidden = false;
    fold.addEventListener('toggle', () => set_up_lab(fold), {once: true});
    if (stored(lab_key(fold.getAttribute('data-lab'))))
        /** @type {Element} */ (fold.firstElementChild).append(' (solved in the lab)');
});
