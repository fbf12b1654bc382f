// What all scripts of the book share: elements, words, and the browser's storage.

const PREFIX = 'transpose-workbook:';

/**
 * Makes an element with text and attributes.
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

/** Returns a number with its word: 1 sector, 2 sectors. */
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** @type {Object<string, string>} used if the browser refuses storage */
const memory = {};

/** Returns the text stored under a key; empty if there is none. */
function stored(key) {
    try {
        return localStorage.getItem(PREFIX + key) || '';
    } catch (error) {
        return memory[key] || '';
    }
}

/** Stores a text under a key; the browser forgets it with the page if it refuses storage. */
function store(key, text) {
    memory[key] = text;
    try {
        localStorage.setItem(PREFIX + key, text);
    } catch (error) { // `memory` has it
    }
}

