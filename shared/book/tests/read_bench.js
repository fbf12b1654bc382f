/** Returns what the layout bench shows of the states in `states` (fragments of its address). */
async function read_bench(states) {
    const lines = [];
    const done = () => document.body.dataset.done;
    const until = async (so) => { while (!so()) await new Promise((later) => setTimeout(later, 2)); };
    await until(done); // the page's own first state, which would else be taken for an answer
    for (const [number, state] of states.entries()) {
        const before = done();
        location.hash = state + '&n=' + number;
        await until(() => done() !== before);
        lines.push('state ' + number);
        const trouble = document.getElementById('trouble');
        if (!trouble.hidden) {
            lines.push('trouble ' + trouble.textContent.split('\n')[0]);
            continue;
        }
        lines.push('sum ' + document.getElementById('sum').textContent.match(/[0-9]+/g).slice(0, 3).join(' '));
        for (const cell of document.querySelectorAll('#tile td'))
            lines.push('cell ' + cell.title.match(/-?[0-9]+/g).join(' '));
        for (const {dataset} of document.querySelectorAll('#piles [data-lanes]'))
            if (dataset.word)
                lines.push('pile ' + [dataset.wave, dataset.bank, dataset.word, dataset.lanes].join(' '));
            else
                lines.push('sector ' + dataset.sector + ' ' + dataset.lanes);
    }
    return lines.join('\n');
}
