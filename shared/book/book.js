/*
 * Predictions, copy buttons and search. Without this script the pages are still readable. It uses no
 * network: what a reader types stays in the browser.
 */
'use strict';
(function () {
    const top = document.body.dataset.top || '';
    const here = document.body.dataset.page || '';
    const text = /** @type {HTMLElement} */ (document.getElementById('text'));

    /**
     * @param {string} name
     * @param {string} [said]
     * @param {Object<string, string>} [attributes]
     */
    function make(name, said, attributes) {
        const element = document.createElement(name);
        if (said !== undefined)
            element.textContent = said;
        for (const key in attributes)
            element.setAttribute(key, attributes[key]);
        return element;
    }

    // ---- storage ----

    /** @typedef {{guess: string, mark: string, what: string}} Prediction */
    const PREFIX = 'transpose-workbook:';
    /** @type {Object<string, Object<string, Prediction>>} page -> predictions, if the browser has no storage */
    const memory = {};

    /** @param {string} page @returns {Object<string, Prediction>} */
    function kept(page) {
        try {
            const said = JSON.parse(localStorage.getItem(PREFIX + page) || '{}');
            return said && typeof said === 'object' ? said : {};
        } catch (error) {
            return memory[page] || {};
        }
    }
    /** @param {Object<string, Prediction>} predictions */
    function keep(predictions) {
        memory[here] = predictions;
        try {
            localStorage.setItem(PREFIX + here, JSON.stringify(predictions));
        } catch (error) { // no storage, or it is full: the predictions are lost when the page is closed
        }
    }
    let predictions = kept(here);

    // ---- predictions ----

    const MARKS = ['right', 'partly', 'wrong'];

    /** @param {string} id @param {string} what @returns {Prediction} */
    function prediction(id, what) {
        const known = predictions[id];
        return known && typeof known.guess === 'string' ? known : {guess: '', mark: '', what};
    }
    /** @param {string} id @param {string} what @param {Object} change */
    function change(id, what, change) {
        predictions[id] = Object.assign(prediction(id, what), {what}, change);
        keep(predictions);
        draw_guesses();
    }

    /** @type {{id: string, what: string, fold: HTMLElement | null, box: HTMLElement | null}[]} */
    const asked = [];

    /** Makes the field for a prediction. folded: the field's name if it stands before a folded result, else empty. */
    function guess_field(id, what, folded) {
        const label = make('label', !folded ? 'Your prediction' : `Your ${folded}, before you open it`,
                           {class: 'guess' + (folded ? ' folded' : '')});
        const area = /** @type {HTMLTextAreaElement} */ (make('textarea', undefined, {rows: '1'}));
        area.value = prediction(id, what).guess;
        area.maxLength = 2000;
        area.dataset.prediction = id;
        area.addEventListener('input', () => change(id, what, {guess: area.value}));
        label.append(area);
        return label;
    }

    /** Makes the box beside an outcome: the guess, and radio buttons for how it went. */
    function guess_shown(id, what, group) {
        const said = prediction(id, what);
        const box = make('div', undefined, {class: 'guessed', 'data-shown': id});
        const line = make('p', `You ${group === 'f' ? 'guessed' : 'predicted'}: `);
        line.append(make('q', said.guess));
        const marks = make('fieldset', undefined, {class: 'marks', 'aria-label': 'How did it go?'});
        MARKS.forEach((mark) => {
            const label = make('label');
            const radio = /** @type {HTMLInputElement} */ (make('input', undefined, {type: 'radio', value: mark,
                name: `${group}-${id}`}));
            radio.checked = said.mark === mark;
            radio.addEventListener('change', () => change(id, what, {mark}));
            label.append(radio, ' ' + mark);
            marks.append(label);
        });
        box.append(line, marks);
        return box;
    }

    /** @param {Element} element a question; its text is cut to 90 characters */
    const short = (element) => {
        const words = (element.textContent || '').replace(/\s+/g, ' ').trim();
        return words.length > 90 ? words.slice(0, 88).replace(/ [^ ]*$/, '') + '…' : words;
    };

    function ask_for_predictions() {
        let section = '', predicting = false, after = false, number = 0;
        const list = Array.from(text.querySelectorAll('h2, details, li'));
        list.forEach((element) => {
            if (element.tagName === 'H2') {
                section = element.id;
                predicting = section === 'predict';
                after = after || predicting;
                number = 0;
            } else if (element.tagName === 'LI') {
                if (!predicting || element.parentElement !== element.closest('ul, ol') ||
                    element.closest('details'))
                    return;
                const id = `${section}-${++number}`;
                asked.push({id, what: short(element), fold: null, box: null});
                element.append(guess_field(id, short(element), ''));
            } else if (!element.classList.contains('plain') && element.parentElement === text) {
                const summary = element.querySelector('summary');
                if (!summary)
                    return;
                const id = `${section}-${++number}`;
                const question = element.previousElementSibling;
                const answer = /^Answers?$/.test(summary.textContent || '');
                const what = short(answer && question ? question : summary);
                const box = make('div');
                element.before(guess_field(id, what, answer ? 'answer' : 'guess'));
                summary.after(box);
                asked.push({id, what, fold: /** @type {HTMLElement} */ (element), box});
                element.addEventListener('toggle', draw_guesses);
                if (after && !/^(try-this|questions|exercises)/.test(section))
                    box.dataset.outcome = 'yes';
            }
        });
        if (asked.length === 0)
            return;
        const sum = make('section', undefined, {class: 'tally-of-page', id: 'tally', 'aria-live': 'polite'});
        const end = text.querySelector('footer.turn');
        text.insertBefore(sum, end);
        draw_guesses();
    }

    /** Shows each guess beside its outcome, if that is unfolded, and the page's tally at its end. */
    function draw_guesses() {
        const early = asked.filter((one) => !one.fold && prediction(one.id, one.what).guess);
        asked.forEach((one) => {
            if (!one.fold || !one.box || one.box.contains(document.activeElement))
                return;
            const open = /** @type {HTMLDetailsElement} */ (one.fold).open;
            const shown = [];
            if (open && prediction(one.id, one.what).guess)
                shown.push(guess_shown(one.id, one.what, 'f'));
            if (open && one.box.dataset.outcome)
                early.forEach((other) => shown.push(guess_shown(other.id, other.what, one.id)));
            one.box.replaceChildren(...shown);
        });
        draw_sum();
    }

    function draw_sum() {
        const sum = document.getElementById('tally');
        if (!sum)
            return;
        const made = asked.filter((one) => prediction(one.id, one.what).guess);
        const of = (mark) => made.filter((one) => prediction(one.id, one.what).mark === mark).length;
        const table = make('table');
        const head = make('tr');
        ['what', 'your guess', 'how it went'].forEach((name) => head.append(make('th', name)));
        table.append(head);
        made.forEach((one) => {
            const said = prediction(one.id, one.what);
            const row = make('tr');
            row.append(make('td', one.what), make('td', said.guess), make('td', said.mark || 'not marked'));
            table.append(row);
        });
        const box = make('div', undefined, {class: 'wide', tabindex: '0'});
        box.append(table);
        sum.replaceChildren(make('h2', 'Your predictions'), make('p', made.length === 0
            ? `None of ${asked.length} yet. What you write in the fields above stays in this browser.`
            : `${made.length} of ${asked.length} made: ${of('right')} right, ${of('partly')} partly, ` +
              `${of('wrong')} wrong, ${made.length - of('right') - of('partly') - of('wrong')} not marked.`));
        if (made.length)
            sum.append(box);
    }

    /** Shows in the contents how many predictions the reader made for each lesson, and how many were right. */
    function tally_contents() {
        document.querySelectorAll('nav.contents a').forEach((link) => {
            const page = (link.getAttribute('href') || '').replace(/^(\.\.\/)+/, '');
            const made = Object.values(kept(page)).filter((one) => one && one.guess);
            if (made.length === 0)
                return;
            const right = made.filter((one) => one.mark === 'right').length;
            link.append(' ', make('span', `${right} of ${made.length}`,
                                  {class: 'tally', title: `${made.length} predictions, ${right} right`}));
        });
    }

    // ---- copy buttons ----

    /** @param {HTMLElement} block a listing; of a console only the lines after a prompt are copied */
    function commands(block) {
        const lines = (block.textContent || '').replace(/\n$/, '').split('\n');
        return block.classList.contains('console')
            ? lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2)).join('\n')
            : lines.join('\n');
    }
    /** Copies a text to the clipboard, also on file://, where browsers can refuse that; promises true on success. */
    async function copy(said) {
        try {
            await navigator.clipboard.writeText(said);
            return true;
        } catch (error) {
            const area = /** @type {HTMLTextAreaElement} */ (make('textarea', said));
            document.body.append(area);
            area.select();
            const done = document.execCommand('copy');
            area.remove();
            return done;
        }
    }
    function add_copy_buttons() {
        text.querySelectorAll('pre.code').forEach((block) => {
            const element = /** @type {HTMLElement} */ (block);
            if (element.id || !/\b(sh|console|cuda|c|lines)\b/.test(element.className))
                return;
            const code = /** @type {HTMLElement} */ (element.querySelector('code') || element);
            const button = make('button', 'Copy', {class: 'copy', type: 'button'});
            button.addEventListener('click', async () => {
                const holder = make('div', code.textContent || '', {class: element.className});
                button.textContent = await copy(commands(holder)) ? 'Copied' : 'Not allowed';
                setTimeout(() => { button.textContent = 'Copy'; }, 1500);
            });
            element.prepend(button);
        });
    }

    // ---- search ----

    /** @typedef {[number, string, string, string, number]} Entry page, anchor, heading, text, folded */

    function set_up_search() {
        const form = /** @type {HTMLFormElement} */ (document.querySelector('form.search'));
        const input = /** @type {HTMLInputElement} */ (form.querySelector('input'));
        const found = /** @type {HTMLElement} */ (form.querySelector('.found'));
        form.hidden = false;

        let loading = false;
        function load() {
            if (loading)
                return;
            loading = true;
            const script = make('script', undefined, {src: top + 'search.js'});
            script.addEventListener('load', look);
            document.body.append(script);
        }
        function look() {
            /** @type {{pages: [string, string][], entries: Entry[]} | undefined} */
            const index = /** @type {any} */ (window).bookSearch;
            const words = input.value.toLowerCase().split(/\s+/).filter((word) => word).slice(0, 8);
            found.hidden = !index || words.length === 0 || input.value.trim().length < 2;
            if (found.hidden || !index)
                return;
            const hits = [];
            index.entries.forEach((entry) => {
                const title = (index.pages[entry[0]][1] + ' ' + entry[2]).toLowerCase();
                const said = entry[3].toLowerCase();
                if (!words.every((word) => title.includes(word) || said.includes(word)))
                    return;
                const score = words.reduce((sum, word) =>
                    sum + (entry[2].toLowerCase().includes(word) ? 6 : title.includes(word) ? 3 : 0) +
                    Math.min(3, said.split(word).length - 1), 0) -
                    (/exercises\.html$/.test(index.pages[entry[0]][0]) ? 4 : 0) +
                    (said.includes(words.join(' ')) ? 4 : 0) - (entry[4] ? 2 : 0);
                hits.push({entry, score});
            });
            hits.sort((a, b) => b.score - a.score || a.entry[0] - b.entry[0]);
            const shown = hits.slice(0, 30).map(({entry}) => {
                const link = make('a', undefined, {href: top + index.pages[entry[0]][0] +
                    (entry[1] ? '#' + entry[1] : '')});
                const page = index.pages[entry[0]][1];
                link.append(make('b', entry[2] === page ? page : `${page}: ${entry[2]}`),
                            entry[4] ? make('span', 'in a folded result') : snippet(entry[3], words));
                return link;
            });
            found.replaceChildren(make('span', hits.length > 30 ? `the best 30 of ${hits.length} places`
                : `${hits.length} place${hits.length === 1 ? '' : 's'}`), ...shown);
        }
        /** Returns the words around the first hit, with all hits marked. */
        function snippet(said, words) {
            const lower = said.toLowerCase();
            const at = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((i) => i >= 0)
                .concat(words.some((word) => lower.includes(word)) ? [] : [0])) - 60);
            const piece = (at ? '…' : '') + said.slice(at, at + 190).trim() + '…';
            const out = make('span');
            let rest = piece;
            while (rest) {
                const next = words.map((word) => ({word, i: rest.toLowerCase().indexOf(word)}))
                    .filter((hit) => hit.i >= 0).sort((a, b) => a.i - b.i)[0];
                if (!next)
                    break;
                out.append(rest.slice(0, next.i), make('mark', rest.slice(next.i, next.i + next.word.length)));
                rest = rest.slice(next.i + next.word.length);
            }
            out.append(rest);
            return out;
        }
        input.addEventListener('focus', load);
        input.addEventListener('input', () => { load(); look(); });
        form.addEventListener('submit', (event) => {
            event.preventDefault();
            const first = found.querySelector('a');
            if (first && !found.hidden)
                first.click();
        });
        form.addEventListener('keydown', (event) => {
            const links = Array.from(found.querySelectorAll('a'));
            const at = links.indexOf(/** @type {any} */ (document.activeElement));
            if (event.key === 'Escape') {
                found.hidden = true;
                input.focus();
            } else if (event.key === 'ArrowDown' && links.length) {
                event.preventDefault();
                links[Math.min(at + 1, links.length - 1)].focus();
            } else if (event.key === 'ArrowUp' && at >= 0) {
                event.preventDefault();
                (at ? links[at - 1] : input).focus();
            }
        });
        document.addEventListener('keydown', (event) => {
            const in_field = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement ? document.activeElement.tagName : '');
            if (event.key === '/' && !in_field && !event.ctrlKey && !event.metaKey && !event.altKey) {
                event.preventDefault();
                input.focus();
            }
        });
        document.addEventListener('click', (event) => {
            if (!form.contains(/** @type {Node} */ (event.target)))
                found.hidden = true;
        });
    }

    // ---- start ----

    if (document.body.classList.contains('lesson') || here === 'shared/layout/index.html')
        ask_for_predictions();
    tally_contents();
    add_copy_buttons();
    set_up_search();
    window.addEventListener('beforeprint', () => {
        text.querySelectorAll('details').forEach((fold) => { fold.open = true; });
    });
    const current = document.querySelector('nav.contents [aria-current]');
    if (current && matchMedia('(min-width: 56.01rem)').matches)
        current.scrollIntoView({block: 'nearest'});
})();
