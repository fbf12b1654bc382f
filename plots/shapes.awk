# A file of shapes (shared/tests/benchmark/shapes.sh), arranged for shapes.gp: a row for each shape, in
# percent of cudaMemcpy's speed. With -v markdown=1 the same as a Markdown table.
#
# Prints `# most:`, where the axis ends, `# beyond:`, 1 if a mark would lie beyond, and the columns
#   y kind label transpose steps geam cutensor contiguous compiled max_autotune ours peer
# where y counts down from the top, kind is head (elements of so many bytes) or shape, steps is the fastest
# variant of the steps before, geam the faster of cuBLAS's two where there are two, ours
# transpose's figure as text, and peer that of the fastest peer; nan, or -, where nothing was measured.

BEGIN { limit = 125 }
/^#/ { next }

{
    bytes = $at["element_bytes"]
    shape = bytes SUBSEP $at["batches"] SUBSEP $at["rows"] SUBSEP $at["cols"]
    v = $at["variant"]
    if (v == "ceiling" || is_peer_copy(v)) next
    if ($at["step"] != "peers") kind = $at["step"] ~ /^08_/ ? (v == "transpose" ? "transpose" : "") : "steps"
    else if (v ~ /^cublas/) kind = "geam"
    else if (v ~ /^cutensor/) kind = "cutensor"
    else { kind = v; sub(/^torch_/, "", kind) }
    if (kind == "") next
    if (!(shape in seen)) { seen[shape]; order[++n] = shape }
    percent = $at["percent_of_memcpy"]
    if ($at["status"] != "ok" || !known(percent)) next
    if (!((shape, kind) in best) || percent + 0 > best[shape, kind] + 0) best[shape, kind] = percent
    if ($at["step"] == "peers" && (!(shape in peer) || percent + 0 > peer[shape] + 0)) peer[shape] = percent
    if (percent + 0 > most) most = percent + 0
}

function cell(shape, kind) { return (shape, kind) in best ? best[shape, kind] : "nan" }
# Small matrices live in L2, where a copy of this size is no bound: their marks stay at the edge.
function place(percent) { return known(percent) && percent + 0 > limit ? limit : percent }
function label(part) {
    return part[2] == 1 ? part[3] " × " part[4] : part[2] " of " part[3] " × " part[4]
}
function rounded(percent) { return known(percent) ? sprintf("%.1f", percent) : "-" }
function elements(bytes) { return bytes == 1 ? "elements of 1 byte" : "elements of " bytes " bytes" }
# With one decimal; the largest of the row in bold.
function shown(text, top) {
    return !known(text) ? "-" : text + 0 >= top + 0 ? sprintf("**%.1f**", text) : sprintf("%.1f", text)
}

# By the size of the elements, in the file's order otherwise.
function sort(    i, j, t, a, b) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1; j--) {
            split(order[j - 1], a, SUBSEP)
            split(order[j], b, SUBSEP)
            if (a[1] + 0 <= b[1] + 0) break
            t = order[j]; order[j] = order[j - 1]; order[j - 1] = t
        }
}

END {
    sort()
    n_kinds = split("transpose steps geam cutensor contiguous compiled max_autotune", kinds, " ")
    if (markdown) {
        for (k = 1; k <= n_kinds; k++)
            for (i = 1; i <= n; i++) if ((order[i], kinds[k]) in best) has[kinds[k]]
        title["transpose"] = "`transpose`"; title["steps"] = "best of steps 04 to 07"
        title["geam"] = "cuBLAS geam"; title["cutensor"] = "cuTENSOR"; title["contiguous"] = "PyTorch"
        title["compiled"] = "compiled"; title["max_autotune"] = "max-autotune"
        printf "| bytes | shape |"
        for (k = 1; k <= n_kinds; k++) if (kinds[k] in has) printf " %s |", title[kinds[k]]
        printf "\n| ---: | ---: |"
        for (k = 1; k <= n_kinds; k++) if (kinds[k] in has) printf " ---: |"
        print ""
        for (i = 1; i <= n; i++) {
            split(order[i], part, SUBSEP)
            top = 0
            for (k = 1; k <= n_kinds; k++) if (cell(order[i], kinds[k]) + 0 > top) top = cell(order[i], kinds[k]) + 0
            printf "| %s | %s |", part[1], label(part)
            for (k = 1; k <= n_kinds; k++) if (kinds[k] in has) printf " %s |", shown(cell(order[i], kinds[k]), top)
            print ""
        }
        exit
    }
    if (!n) exit
    print "# most: " (most > limit ? limit : most + 0)
    print "# beyond: " (most > limit)
    line = "y" OFS "kind" OFS "label"
    for (k = 1; k <= n_kinds; k++) line = line OFS kinds[k]
    print line OFS "ours" OFS "peer"
    nothing = ""
    for (k = -1; k <= n_kinds; k++) nothing = nothing OFS "nan"
    y = 0
    for (i = 1; i <= n; i++) {
        split(order[i], part, SUBSEP)
        if (part[1] != last) {
            if (i > 1) y += 0.4
            print y++ OFS "head" OFS elements(part[1]) nothing
        }
        last = part[1]
        line = y++ OFS "shape" OFS label(part)
        for (k = 1; k <= n_kinds; k++) line = line OFS place(cell(order[i], kinds[k]))
        print line OFS rounded(cell(order[i], "transpose")) OFS rounded(order[i] in peer ? peer[order[i]] : "")
    }
}
