/*
 * What every page does in the browser: copy buttons, the drawer of contents, and the place to continue at. Without
 * scripts the pages are still readable. No script uses a network: what a reader types stays in the browser.
 */

const here = document.body.dataset.page || '';
const base = document.body.dataset.top || '';
const text = /** @type {HTMLElement} */ (document.getElementById('text'));

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
        const button = make('button', 'Copy', {class: 'copy', type: 'button', 'aria-live': 'polite'}), whole = make('div', undefined, {class: 'listing'});
        button.addEventListener('click', async () => {
            const holder = make('div', code.textContent || '', {class: element.className});
            button.textContent = await copy(commands(holder)) ? 'Copied' : 'Not allowed';
            setTimeout(() => { button.textContent = 'Copy'; }, 1500);
        });
        element.replaceWith(whole);
        whole.append(button, element);
    });
}

// ---- code and tables that are wider than the page ----

/** Lets the keyboard scroll a block where it is cut off, and only there. */
function set_up_wide_blocks() {
    const look = new ResizeObserver((all) => all.forEach(({target}) => {
        const cut = target.scrollWidth > target.clientWidth + 1;
        for (const [name, value] of [['tabindex', '0'], ['role', 'group'], ['aria-label', target.matches('pre') ? 'code' : 'table']])
            if (cut)
                target.setAttribute(name, value);
            else
                target.removeAttribute(name);
    }));
    text.querySelectorAll('pre.code, .wide').forEach((block) => look.observe(block));
}

// ---- the player: as high as what it shows, and a second one beside it ----

function set_up_player() {
    const frame = /** @type {HTMLIFrameElement | null} */ (document.querySelector('.player iframe'));
    if (!frame)
        return;
    const both = make('div', undefined, {class: 'frames'}), label = make('label', 'Compare with ');
    const choice = /** @type {HTMLSelectElement} */ (make('select'));
    frame.replaceWith(label, both);
    both.append(frame);
    label.append(choice);
    choice.append(make('option', 'no other kernel', {value: ''}), make('option', 'another kernel of this step', {value: 'player.html#embed=1&kernel=other'}));
    document.querySelectorAll('.contents a[href*="steps/"][href$="/index.html"]').forEach((link) => {
        const way = (link.getAttribute('href') || '').replace('index.html', 'player.html#embed=1');
        if (!link.hasAttribute('aria-current'))
            choice.append(make('option', link.textContent || '', {value: way}));
    });
    choice.addEventListener('change', () => {
        while (both.children[1]) // the first stays as it is: a frame that moves loads anew
            both.children[1].remove();
        if (choice.value)
            both.append(make('iframe', undefined, {src: choice.value, title: `Beside it: ${choice.selectedOptions[0].text}`}));
    });
    addEventListener('message', (event) => {
        const height = Number(event.data && event.data.height);
        for (const one of both.children)
            if (event.source === /** @type {HTMLIFrameElement} */ (one).contentWindow && height > 0)
                /** @type {HTMLIFrameElement} */ (one).style.height = `${Math.min(height, 4000)}px`;
    });
}

// ---- the drawer of contents, on a narrow screen ----

function set_up_drawer() {
    const link = /** @type {HTMLElement | null} */ (document.querySelector('a.menu'));
    const contents = document.getElementById('contents');
    if (!link || !contents)
        return;
    const button = make('button', link.textContent || '', {class: 'menu', type: 'button', 'aria-expanded': 'false',
                                                           'aria-controls': 'contents'});
    link.replaceWith(button);
    function open(is) {
        if (!contents)
            return;
        contents.classList.toggle('open', is);
        button.setAttribute('aria-expanded', String(is));
        const first = contents.querySelector('[aria-current]') || contents.querySelector('a');
        /** @type {HTMLElement} */ (is ? first : button).focus();
    }
    const sections = document.querySelector('nav.sections ul'), current = contents.querySelector('[aria-current]');
    if (sections && current)
        /** @type {HTMLElement} */ (current.parentElement).append(sections.cloneNode(true));
    document.body.classList.add('drawer');
    button.addEventListener('click', () => open(!contents.classList.contains('open')));
    document.addEventListener('keydown', (event) => {
        if (event.key === 'Escape' && contents.classList.contains('open'))
            open(false);
    });
    document.addEventListener('click', (event) => {
        const on = /** @type {Node} */ (event.target);
        if (contents.classList.contains('open') && on !== button && (!contents.contains(on) || on instanceof HTMLAnchorElement))
            open(false);
    });
}

// ---- the place to continue at ----

/** Keeps the reader's place in this lesson, and how far the reader scrolled: the share of its sections. */
function keep_place() {
    const heads = Array.from(text.querySelectorAll('h2[id]'));
    let furthest = Number(stored('read:' + here)) || 0;
    function look(read) {
        const passed = heads.filter((head) => head.getBoundingClientRect().top < innerHeight * 0.8);
        const last = passed[passed.length - 1];
        furthest = Math.max(furthest, read ? Math.round(100 * passed.length / heads.length) : 0);
        if (furthest)
            store('read:' + here, String(furthest));
        store('place', JSON.stringify({page: here, anchor: last ? last.id : '',
            title: document.title.replace(/ - .*/, ''), section: last ? (last.textContent || '').replace(/ #$/, '') : ''}));
    }
    let soon = 0;
    addEventListener('scroll', () => {
        clearTimeout(soon);
        soon = setTimeout(look, 300, true);
    }, {passive: true});
    look(false);
}

/** On the landing page: Continue instead of Start, how far each lesson is, and charts for who has read them all. */
function set_up_landing() {
    const start = document.getElementById('start');
    if (!start)
        return;
    let place = {page: '', anchor: '', title: '', section: ''};
    try {
        place = JSON.parse(stored('place'));
    } catch (error) { // the reader is new
    }
    if (/^steps\/[\w./-]+\.html$/.test(place.page)) {
        const link = make('a', `Continue: ${place.title}` + (place.section ? `, ${place.section}` : ''),
                          {class: 'go', href: place.page + (place.anchor ? '#' + place.anchor : '')});
        start.prepend(link);
    }
    const lessons = Array.from(document.querySelectorAll('#steps-read [data-lesson]'));
    let all = lessons.length > 0;
    lessons.forEach((row) => {
        const page = row.getAttribute('data-lesson') || '', read = Number(stored('read:' + page)) || 0;
        const made = all_predictions().filter(([other]) => other === page).length;
        const solved = stored_keys().filter((key) => key.startsWith('lab:' + page.replace('index.html', ''))).length;
        if (solved)
            row.append(make('span', `${solved} solved in the lab`));
        all = all && read > 0;
        if (read)
            row.append(make('span', `${read} % read` + (made ? `, ${made} predicted` : '')));
    });
    document.querySelectorAll('details.spoiler').forEach((fold) => {
        /** @type {HTMLDetailsElement} */ (fold).open = all;
    });
    if (all_predictions().length)
        start.append(save_button());
}
