/*
 * Draws a kernel's source: each line with its counts, its faults, and why hardware could count differently.
 */

/**
 * Makes the list of reasons why hardware could count differently, without repetitions.
 * @param {Difference[]} reasons
 */
function differenceParts(reasons)
{
    return reasons.filter((d, i) => reasons.findIndex((x) => x[1] === d[1]) === i)
        .map((d) => make("p", {class : "remark", "data-doubt" : d[1]},
                         make("strong", null, "The hardware may count differently: "),
                         d[2] + "."));
}

/**
 * Makes the counts of each array of a line, and says what merged accesses are.
 * @param {Line} l
 */
function arrayParts(l)
{
    const each = l.arrays.map(
        ([ c, name, requests, work, ideal ]) =>
            make("li", {"data-array" : name}, make("code", null, name),
                 ", " + counterName(c) + ": " + times(ratio(work, ideal)) + ", " +
                     count(requests, "request") + ", " + number(work) + " " + unit(c, work)));
    const merged = l.merged.map(
        ([ c, bytes ]) =>
            make("p", {class : "caption", "data-merged" : c},
                 "Merged: one " + counterName(c) + " of " + bytes +
                     " bytes per lane stands for several of the source, as in nvcc's code."));
    return [...(each.length ? [ make("ul", {class : "arrays"}, ...each) ] : []), ...merged ];
}

/** @param {number} file @param {number} at */
function lineParts(file, at)
{
    const l = kernel.lines.find((x) => x.file === file && x.line === at);
    const faults = data.faults.filter((f) => f.file === file && f.line === at &&
                                             (f.kernel === kernel.name || !f.kernel));
    const chips =
        l ? Object.entries(l.counters)
                .map(([ c, n ]) => make("button", {
                         class : "chip heat" + heat(ratio(n[1], n[2])),
                         "data-file" : data.files[file].name,
                         "data-line" : at,
                         "data-metric" : c,
                         "data-requests" : n[0],
                         "data-work" : n[1],
                         "data-ideal" : n[2],
                         "aria-pressed" : "false",
                         click : () => choose(file, at, c)
                     },
                                        make("b", null, times(ratio(n[1], n[2]))),
                                        " " + counterName(c) + ": " + count(n[0], "request") +
                                            ", " + number(n[1]) + " " + unit(c, n[1]) +
                                            (l.doubts.some((d) => d[0] === c) ? " ~" : "")))
          : [];
    const worst =
        l ? Math.max(...Object.values(l.counters).map((n) => heat(ratio(n[1], n[2])))) : -1;
    return {l, faults, chips, worst};
}

function source()
{
    const box = make("section", {
        class : "source scroll",
        id : "source",
        tabindex : 0,
        role : "region",
        "aria-label" : "source"
    });
    const files = [...new Set([...kernel.lines, ...faultsOf(kernel) ].map((l) => l.file)) ];
    for (const file of files) {
        box.append(make("h2", null, data.files[file].name));
        const table = make("table", {class : "code"});
        const seen = new Set();
        for (const part of data.files[file].text) {
            if (seen.size)
                table.append(make("tr", null, make("td", {colspan : 2, class : "gap"}, "\u22ee")));
            part.slice(1).forEach((text, i) => {
                seen.add(Number(part[0]) + i);
                table.append(...sourceLine(file, Number(part[0]) + i, String(text)));
            });
        }
        for (const l of kernel.lines)
            if (l.file === file && !seen.has(l.line))
                table.append(...sourceLine(file, l.line, "(this line's source was not found)"));
        box.append(table);
    }
    return box;
}

/** @param {number} file @param {number} at @param {string} text */
function sourceLine(file, at, text)
{
    const {l, faults, chips, worst} = lineParts(file, at);
    const row = make("tr", {
        class : (l ? "counts heat" + worst : "") + (faults.length ? " faulty" : ""),
        "data-source" : file + ":" + at
    },
                     make("th", {scope : "row"}, String(at || "?")),
                     make("td", null, make("code", null, text || " ")));
    if (l)
        row.addEventListener("click", () => choose(file, at, ""));
    const rows = [ row ];
    if (chips.length || faults.length)
        rows.push(make(
            "tr", {class : "notes" + (l ? " heat" + worst : "")}, make("td", null),
            make("td", null,
                 make("div", null, ...chips, ...(l ? arrayParts(l) : []),
                      ...(l ? differenceParts(l.doubts) : []),
                      ...faults.map(
                          (f) => make("p", {class : f.level, "data-fault" : f.kind},
                                      make("strong", null, faultLevel(f) + ": " + f.text + ". "),
                                      f.message))))));
    return rows;
}
