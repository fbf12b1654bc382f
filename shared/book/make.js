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

