/* What is wrong with the looks of a page: texts whose contrast with their background is below WCAG AA, texts of less than
 * 10 px, and what is wider than the window. */
(() => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const known = {};
    const rgba = (colour) => {
        if (!known[colour]) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
            known[colour] = Array.from(canvas.getImageData(0, 0, 1, 1).data);
        }
        return known[colour];
    };
    const light = (colour) => colour.slice(0, 3).map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = (element) => {
        for (; element; element = element.parentElement) {
            const colour = rgba(getComputedStyle(element).backgroundColor);
            if (colour[3] === 255)
                return colour;
        }
        return [255, 255, 255, 255];
    };
    const found = {};
    let texts = 0;
    for (const element of document.querySelectorAll('body *')) {
        const own = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.data.trim());
        if (!own || !element.checkVisibility({opacityProperty: true}) || element.closest('.stale, noscript, script'))
            continue;
        const name = element.tagName + '.' + (element.getAttribute('class') || ''), drawn = element.closest('svg');
        const high = drawn ? element.getBoundingClientRect().height : parseFloat(getComputedStyle(element).fontSize);
        texts++;
        if (high < 9.9 && (high > 0 || !drawn))
            found[name + ' px'] = high;
        if (drawn)
            continue;
        const a = light(rgba(getComputedStyle(element).color)), b = light(ground(element));
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5)
            found[name + ' contrast'] = contrast.toFixed(2);
    }
    if (document.documentElement.scrollWidth > innerWidth)
        found.wide = document.documentElement.scrollWidth;
    return 'looks ' + texts + ' ' + JSON.stringify(found);
})()
