/*
 * The search: finds words by their beginnings, without their endings, and two words written as one. Lessons come
 * first, then tools and exercises, then results and logs.
 */

/**
 * @typedef {[number, string, string, string, number]} Entry page, anchor, heading, text, 1 if folded
 * @typedef {{pages: [string, string, number][], entries: Entry[]}} Index pages: path, title, rank (high is first)
 */

/** Returns the part of an English word that its forms share: conflicting, conflicts and conflict begin alike. */
function stem(word) {
    const short = word.replace(/(?:ing|ed|es|s|e)$/, '').replace(/([b-df-hj-np-tv-z])\1$/, '$1').replace(/(?:y|i)$/, '');
    return /^[a-z]+$/.test(word) && short.length >= 3 ? short : word;
}

/** Returns the stems of a text's words; a hyphen parts words. */
const stems = (said) => said.toLowerCase().split(/[ -]/).map(stem).join(' ');

/** Returns the pattern that finds a word's forms; a word with other characters than letters is found anywhere. */
function pattern_of(word) {
    const literal = stem(word).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp((/^[a-z]/.test(word) ? '(?<![a-z])' : '') + literal, 'gi');
}

/** Returns the entries that have all words, the best first, and the patterns of the words. */
function find(index, words) {
    const has = (pattern) => index.entries.some((entry) => entry[2].search(pattern) >= 0 || entry[3].search(pattern) >= 0);
    const patterns = words.flatMap(function patterns_of(word) {
        const whole = pattern_of(word), marked = word.split(/[^a-z0-9]+/).filter((part) => part);
        if (marked.length > 1 && !has(whole)) // bank-conflicts
            return marked.flatMap(patterns_of);
        if (has(whole) || !/^[a-z]{6,}$/.test(word))
            return [whole];
        for (let i = 3; i <= word.length - 3; i++) { // two words written as one
            const parts = [pattern_of(word.slice(0, i)), pattern_of(word.slice(i))];
            if (index.entries.some((entry) => parts.every((part) => entry[3].search(part) >= 0)))
                return parts;
        }
        return [whole];
    });
    const count = (said, pattern) => (said.match(pattern) || []).length;
    const hits = index.entries.map((entry) => {
        const [, title, rank] = index.pages[entry[0]];
        const scores = patterns.map((pattern) => 6 * Math.min(1, count(entry[2], pattern)) +
            3 * Math.min(1, count(title, pattern)) + Math.min(3, count(entry[3], pattern)));
        const named = [title, ...entry[2].split(', ')].some((one) => stems(one) === stems(words.join(' ')));
        const together = named ? 40 : entry[3].toLowerCase().includes(words.join(' ')) ? 4 : 0;
        return {entry, score: scores.includes(0) ? -1
            : scores.reduce((sum, one) => sum + one, 0) + 10 * rank + together - (entry[4] ? 2 : 0)};
    }).filter((hit) => hit.score >= 0);
    hits.sort((a, b) => b.score - a.score || a.entry[0] - b.entry[0]);
    return {hits: hits.map((hit) => hit.entry), patterns};
}

/** Returns the words of a text around the words as they stand together, or its first hit, with all hits marked. */
function snippet(said, patterns, words) {
    const together = said.toLowerCase().indexOf(words.join(' '));
    const firsts = patterns.map((pattern) => said.search(pattern)).filter((at) => at >= 0);
    const first = together >= 0 ? together : firsts.length ? Math.min(...firsts) : 0;
    const from = first > 60 ? said.indexOf(' ', first - 60) + 1 : 0;
    const piece = (from ? '…' : '') + said.slice(from, from + 190).trim() + '…', out = make('span');
    const any = new RegExp(patterns.map((pattern) => pattern.source).join('|'), 'gi');
    let done = 0;
    for (const hit of piece.matchAll(any)) {
        const at = hit.index || 0;
        out.append(piece.slice(done, at), make('mark', hit[0]));
        done = at + hit[0].length;
    }
    out.append(piece.slice(done));
    return out;
}

function set_up_search() {
    const form = /** @type {HTMLFormElement} */ (document.querySelector('form.search'));
    const input = /** @type {HTMLInputElement} */ (form.querySelector('input'));
    const found = /** @type {HTMLElement} */ (form.querySelector('.found'));
    const count = make('span', undefined, {role: 'status'});
    form.hidden = false;
    if (matchMedia('(hover: none)').matches)
        input.placeholder = 'Search'; // a phone has no key `/`

    /** @type {HTMLElement | null} */
    let before = null; // what had the focus when `/` was pressed
    let loading = false;
    function load() {
        if (loading)
            return;
        loading = true;
        const script = make('script', undefined, {src: base + 'search.js'});
        script.addEventListener('load', look);
        document.body.append(script);
    }
    function look() {
        const index = /** @type {Index | undefined} */ (/** @type {any} */ (window).bookSearch);
        const words = input.value.toLowerCase().split(/[\s"“”„]+|[,;:!?.]+(?=\s|$)/).filter((word) => word).slice(0, 8);
        found.hidden = !index || words.length === 0 || input.value.trim().length < 2;
        if (found.hidden || !index)
            return;
        const {hits, patterns} = find(index, words);
        const shown = hits.slice(0, 30).map((entry) => {
            const [path, page] = index.pages[entry[0]];
            const link = make('a', undefined, {href: base + path + (entry[1] ? '#' + entry[1] : '')});
            link.append(make('b', entry[2] === page ? page : `${page}: ${entry[2]}`),
                        entry[4] ? make('span', 'in a folded result') : snippet(entry[3], patterns, words));
            return link;
        });
        found.replaceChildren(count, ...shown);
        count.textContent = hits.length > 30 ? `the best 30 of ${hits.length} places` : plural(hits.length, 'place');
    }
    /** Closes the search and gives back the focus, and with it the place, that it took. */
    function leave() {
        found.hidden = true;
        input.blur(); // the page itself takes no focus
        (before || input).focus({preventScroll: true});
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
            leave();
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
            before = /** @type {HTMLElement} */ (document.activeElement);
            input.focus({preventScroll: true});
        }
    });
    for (const leaving of ['click', 'focusin'])
        document.addEventListener(leaving, (event) => {
            if (!form.contains(/** @type {Node} */ (event.target)))
                found.hidden = true;
        });
}

