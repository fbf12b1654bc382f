/*
 * Predictions: a field where a lesson asks, what was typed beside the outcome, numbers compared, a tally at the
 * end of the page, and a file of all predictions. Each prediction is an item of the browser's storage.
 */

/**
 * @typedef {{guess: string, mark: string, judged: string, what: string, at: number}} Prediction mark: the reader's own;
 *     judged: the book's, or empty; at: the question's place in its page
 * @typedef {Object} Question
 * @property {string} id
 * @property {string} what its text
 * @property {number} number in the lesson's list of predictions; 0 elsewhere
 * @property {string} who answers it: cpu, gpu or empty
 * @property {string} expected numbers with `;` between them; `~` before a measured one; empty if there are none
 * @property {HTMLInputElement | HTMLTextAreaElement} field
 * @property {HTMLElement | null} fold the folded outcome that shows it
 * @property {HTMLElement | null} [cell] of a table in an outcome, if the question is a cell of a table
 */

const MARKS = ['right', 'partly', 'wrong'];
const TOLERANCE = 0.1; // of a measured number, but at least a half

/** Returns all stored keys. */
function stored_keys() {
    try {
        return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
    } catch (error) {
        return Object.keys(memory);
    }
}

/** @param {string} key page#question @returns {Prediction} */
function prediction(key) {
    try {
        const said = JSON.parse(stored(key)), word = (name) => String(said[name] || '');
        return {guess: word('guess'), mark: word('mark'), judged: word('judged'), what: word('what'), at: Number(said.at) || 0};
    } catch (error) {
        return {guess: '', mark: '', judged: '', what: '', at: 0};
    }
}

/** Returns [page, prediction] for every prediction that was made. */
function all_predictions() {
    return stored_keys().filter((key) => key.includes('.html#'))
        .map((key) => /** @type {[string, Prediction]} */ ([key.split('#')[0], prediction(key)]))
        .filter(([, said]) => said.guess);
}

// ---- finding the questions of a page ----

/** @param {Element} element @returns {string} its words */
const words_of = (element) => (element.textContent || '').replace(/\s+/g, ' ').trim();

/** Returns a text cut to `most` characters. */
const short = (said, most) => said.length > most ? said.slice(0, most - 2).replace(/ [^ ]*$/, '') + '…' : said;

/** Returns a key for a question that stays when others are added: its section and its first words. */
function id_of(section, what, taken) {
    const words = what.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, 40);
    let id = `${section}.${words}`;
    while (taken.has(id))
        id += '+';
    taken.add(id);
    return id;
}

/** Returns what the page says is right; see `expect` in the book's README. */
const expected_of = (element) =>
    Array.from(element.querySelectorAll('data.expect'), (one) => /** @type {HTMLDataElement} */ (one).value).join(';');

/** Returns who answers a question of the list: cpu, gpu or empty. */
function who_of(element) {
    const first = (element.querySelector('strong, em') || {textContent: ''}).textContent || '';
    return /\bCPU\b/.test(first) ? 'cpu' : /\bGPU\b/.test(first) ? 'gpu' : '';
}

/** Makes a labelled field. */
function field_for(kind, said, label) {
    const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (make(kind, undefined,
        {'aria-label': label, ...(kind === 'input' ? {inputmode: 'decimal', size: '5'} : {rows: '1'})}));
    field.value = said;
    field.maxLength = 2000;
    return field;
}

/** @returns {Question[]} the page's questions, each with its field in its place */
function find_questions() {
    /** @type {Question[]} */
    const found = [];
    const taken = new Set();
    let section = '', predicting = false, number = 0;

    /** @param {Element} element asks @param {(field: HTMLElement) => void} place puts the label in its place */
    function ask(element, label, place) {
        const what = words_of(element), id = id_of(section, what, taken);
        const field = field_for('textarea', prediction(`${here}#${id}`).guess, `${label}: ${what}`);
        const holder = make('label', label, {class: 'guess'});
        holder.append(field);
        found.push({id, what, number: predicting ? number : 0, who: who_of(element), field, fold: null,
                    expected: expected_of(element)});
        place(holder);
    }
    /** @param {HTMLTableElement} table some of whose cells are `?`, or a name and `?` */
    function ask_cells(table) {
        Array.from(table.querySelectorAll('td')).forEach((cell) => {
            const said = (cell.textContent || '').trim(), row = /** @type {HTMLTableRowElement} */ (cell.parentElement);
            if (!/(^|\s)\?$/.test(said))
                return;
            const name = said.replace(/\s*\?$/, '');
            const what = name || `${row.cells[0].textContent}, ${column_name(table, cell.cellIndex)}`;
            const id = id_of(section, what, taken);
            const field = field_for('input', prediction(`${here}#${id}`).guess, `Your prediction: ${what}`);
            const last = cell.lastChild, outcome = outcome_cell(table, cell, name);
            if (last)
                last.textContent = (last.textContent || '').replace(/\?\s*$/, '');
            cell.append(field);
            found.push({id, what, number, who: '', field, fold: null, cell: outcome,
                        expected: outcome ? '~' + (outcome.textContent || '').trim() : ''});
        });
    }

    Array.from(text.children).forEach((element) => {
        const before = element.previousElementSibling;
        if (element.tagName === 'H2') {
            section = element.id;
            predicting = /^predict/.test(section);
            number = 0;
        } else if (/^[OU]L$/.test(element.tagName) && (predicting || /^try-this/.test(section))) {
            number = Number(element.getAttribute('start') || (predicting ? number + 1 : 1)) - 1;
            Array.from(element.children).forEach((item) => {
                number++;
                if (predicting || /\?|[Pp]redict/.test(item.textContent || ''))
                    ask(item, 'Your prediction', (holder) => item.append(holder));
            });
        } else if (predicting && element.tagName === 'P' && /\?\s*$/.test(element.textContent || '')) {
            ask(element, 'Your prediction', (holder) => element.after(holder));
        } else if (predicting && element.matches('.wide')) {
            ask_cells(/** @type {HTMLTableElement} */ (element.querySelector('table')));
        } else if (element.matches('details:not(.plain)') && before && before.tagName === 'P') {
            const answer = /^Answers?$/.test(words_of(element.children[0]));
            if (answer || /\?\s*$/.test(before.textContent || '')) {
                ask(before, answer ? 'Your answer' : 'Your prediction', (holder) => element.before(holder));
                found[found.length - 1].fold = /** @type {HTMLElement} */ (element);
            }
        }
    });
    assign_outcomes(found);
    return found;
}

// ---- tables of predictions: the outcome is a later table that has the same row and column ----

/** Returns a column's name in a table, counted if an earlier column has that name too. */
function column_name(table, at) {
    const names = Array.from(table.rows[0].cells, (cell) => (cell.textContent || '').trim());
    const again = names.slice(0, at).filter((name) => name === names[at]).length;
    return names[at] + (again ? ` (${again + 1})` : '');
}

/** Returns the cell of a later folded table with the same row and column, or the share of the copy of that name; or null. */
function outcome_cell(table, cell, name) {
    const row = /** @type {HTMLTableRowElement} */ (cell.parentElement), column = column_name(table, cell.cellIndex);
    const folded = /** @type {HTMLTableElement[]} */ (Array.from(text.querySelectorAll('details table'))
        .filter((other) => table.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING));
    const find = (first, heads) => {
        for (const other of folded) {
            const line = Array.from(other.rows).find((one) => (one.cells[0].textContent || '').trim() === first);
            const at = Array.from(other.rows[0].cells).findIndex((_, i) => i > 0 && heads(column_name(other, i)));
            if (line && at > 0 && line.cells[at] && /\d/.test(line.cells[at].textContent || ''))
                return line.cells[at];
        }
        return null;
    };
    return (name && find(name, (head) => head === '% of copy')) ||
        find((row.cells[0].textContent || '').trim(), (head) => head === column);
}

// ---- the outcome of a prediction ----

/** Gives every question of the list the fold that answers it: by number, by who answers, or the first one. */
function assign_outcomes(found) {
    const start = text.querySelector('h2[id^=predict]');
    const folds = /** @type {HTMLDetailsElement[]} */ (Array.from(text.querySelectorAll('#text > details:not(.plain)')));
    const after = start ? folds.filter((fold) => start.compareDocumentPosition(fold) & 4) : [];
    const says = (fold) => fold.querySelector('summary').textContent || '';
    const numbers = (fold) => {
        const said = /\b(?:answers?|predictions?)\b(?: to)? ((?:\d+|, |,| and | to )+)/i.exec(says(fold));
        if (!said)
            return [];
        const range = /(\d+) to (\d+)/.exec(said[1]);
        const all = (said[1].match(/\d+/g) || []).map(Number);
        for (let i = range ? Number(range[1]) : 1; range && i < Number(range[2]); i++)
            all.push(i);
        return all;
    };
    found.forEach((one) => {
        if (one.fold)
            return;
        if (!one.number) {
            one.fold = folds.find((fold) => /^What\b.*\b(happens|gives?)\b/.test(says(fold)) &&
                one.field.compareDocumentPosition(fold) & 4) || null;
            return;
        }
        const kind = one.who === 'cpu' ? /CPU run|\bCounted/ : one.who === 'gpu' ? /H200|GPU|[Mm]easure/ : /^\b$/;
        one.fold = after.find((fold) => numbers(fold).includes(one.number)) ||
            after.find((fold) => kind.test(says(fold))) || after.find((fold) => /[Vv]erdict/.test(says(fold))) ||
            after[0] || null;
    });
}

/** Returns the numbers in a text: 1,024 and 1 024 are one number. */
const numbers_in = (said) => (said.replace(/(\d)[, ](?=\d{3}\b)/g, '$1').match(/(?<![\w.])\d+(\.\d+)?/g) || []).map(Number);

/**
 * Returns right, partly or wrong for the numbers in a guess, one for each answer and in the answers' order; empty if the
 * guess has more or fewer numbers, has the answers in another order, or says "not": then the reader judges.
 */
function compared(guess, expected) {
    const wanted = expected.split(';').filter((one) => /\d/.test(one)), given = numbers_in(guess);
    if (wanted.length === 0 || given.length !== wanted.length || /\b(not|no|never)\b|n't/i.test(guess))
        return '';
    const fits = (one, number) => {
        const is = numbers_in(one.replace('~', ''))[0], near = one.startsWith('~') ? Math.max(TOLERANCE * is, 0.5) : 0;
        return Math.abs(number - is) <= near + 1e-9;
    };
    const hits = wanted.filter((one, i) => fits(one, given[i])).length;
    const turned = hits < wanted.length && wanted.every((one) => given.some((number) => fits(one, number)));
    return turned ? '' : hits === wanted.length ? 'right' : hits ? 'partly' : 'wrong';
}

/** Makes the box beside an outcome: the guess, the numbers that are right, and radio buttons for how it went. */
function guess_shown(one, said, changed) {
    const box = make('div', undefined, {class: 'guessed', 'data-shown': one.id});
    const line = make('p', `Your prediction (${short(one.what, 60)}): `, {id: `said-${one.id}`});
    const answers = one.expected.replace(/~/g, '').split(';');
    const byBook = compared(said.guess, one.expected);
    line.append(make('q', said.guess));
    if (one.expected)
        line.append(answers.length > 1 ? `. The answers, in the question's order, are ${answers.join(', ')}`
            : `. The answer is ${answers[0]}`, byBook ? `: ${byBook}.` : '.');
    const marks = make('fieldset', undefined, {class: 'marks', 'aria-label': 'How did it go?', 'aria-describedby': line.id});
    MARKS.forEach((mark) => {
        const label = make('label');
        const radio = /** @type {HTMLInputElement} */ (make('input', undefined, {type: 'radio', value: mark, name: one.id}));
        radio.checked = (said.mark || byBook) === mark;
        radio.addEventListener('change', () => changed(mark));
        label.append(radio, ' ' + mark);
        marks.append(label);
    });
    box.append(line, marks);
    return box;
}

// ---- the page ----

/** Asks the page's questions and keeps fields, outcomes and tally up to date, also with other tabs. */
function ask_for_predictions() {
    const questions = find_questions();
    if (questions.length === 0)
        return;
    const key = (one) => `${here}#${one.id}`;
    const sum = make('section', undefined, {class: 'tally-of-page', id: 'tally'});
    text.insertBefore(sum, text.querySelector('footer.turn'));
    const mark_of = (one) => prediction(key(one)).mark || compared(prediction(key(one)).guess, one.expected);

    function change(one, part) {
        const said = Object.assign(prediction(key(one)), {what: one.what, at: questions.indexOf(one)}, part);
        store(key(one), JSON.stringify({...said, judged: compared(said.guess, one.expected)}));
        draw();
    }
    /** Shows each guess in its outcome, if that is unfolded, in the questions' order. */
    function draw() {
        const last = new Map(); // fold -> what the next guess stands after
        questions.forEach((one) => {
            const fold = /** @type {HTMLDetailsElement | null} */ (one.fold), said = prediction(key(one));
            if (one.cell) {
                one.cell.querySelectorAll('.yours').forEach((note) => note.remove());
                if (said.guess)
                    one.cell.append(make('small', `you: ${said.guess}, ${mark_of(one) || 'no number'}`, {class: 'yours'}));
                return;
            }
            const old = fold && fold.querySelector(`:scope > [data-shown="${CSS.escape(one.id)}"]`);
            if (!fold)
                return;
            let box = old;
            if (!old || !old.contains(document.activeElement)) {
                box = fold.open && said.guess ? guess_shown(one, said, (mark) => change(one, {mark})) : null;
                if (old)
                    old.remove();
                if (box)
                    (last.get(fold) || fold.children[0]).after(box);
            }
            last.set(fold, box || last.get(fold));
        });
        draw_sum();
    }
    function draw_sum() {
        const made = questions.filter((one) => prediction(key(one)).guess);
        const of = (mark) => made.filter((one) => mark_of(one) === mark).length;
        const parts = [make('h2', 'Your predictions'), make('p', made.length === 0
            ? `None of ${questions.length} yet. What you write in the fields above stays in this browser.`
            : `${made.length} of ${questions.length} made: ${of('right')} right, ${of('partly')} partly, ` +
              `${of('wrong')} wrong, ${of('')} not marked.`, {role: 'status'})];
        if (made.length) {
            const box = make('div', undefined, {class: 'wide', tabindex: '0'}), table = make('table');
            const row = (kind, cells) => {
                const line = make('tr');
                line.append(...cells.map((cell) => make(kind, cell)));
                table.append(line);
            };
            row('th', ['what', 'your guess', 'how it went']);
            made.forEach((one) => row('td', [short(one.what, 90), prediction(key(one)).guess, mark_of(one) || 'not marked']));
            box.append(table);
            parts.push(box, save_button());
        }
        sum.replaceChildren(...parts);
    }

    questions.forEach((one) => {
        one.field.dataset.prediction = one.id;
        one.field.addEventListener('input', () => change(one, {guess: one.field.value}));
        if (one.fold)
            one.fold.addEventListener('toggle', draw);
    });
    window.addEventListener('storage', () => {
        questions.forEach((one) => {
            if (one.field !== document.activeElement)
                one.field.value = prediction(key(one)).guess;
        });
        draw();
    });
    draw();
}

/** Makes the button that saves all predictions of the book as a file, for a teacher. */
function save_button() {
    const button = make('button', 'Save all my predictions as a file', {type: 'button'});
    button.addEventListener('click', () => {
        const clean = (word) => word.replace(/\s+/g, ' ').trim();
        const all = all_predictions().sort(([page, one], [other, two]) => page < other ? -1 : page > other ? 1 : one.at - two.at);
        const rows = all.map(([page, said]) => [page, said.what, said.guess, said.mark || said.judged].map(clean));
        const lines = [['page', 'question', 'prediction', 'mark'], ...rows].map((row) => row.join('\t') + '\n');
        const link = make('a', undefined, {download: 'predictions.tsv', href: URL.createObjectURL(
            new Blob(lines, {type: 'text/tab-separated-values'}))});
        link.click();
    });
    return button;
}

/** Shows in the contents how many predictions the reader made for each lesson. */
function tally_contents() {
    const all = all_predictions();
    document.querySelectorAll('nav.contents a').forEach((link) => {
        const page = (link.getAttribute('href') || '').replace(/^(\.\.\/)+/, '');
        const made = all.filter(([other]) => other === page).length;
        if (made)
            link.append(' ', make('span', `${made} predicted`, {class: 'tally'}));
    });
}
