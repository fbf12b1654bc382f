#!/bin/bash
# Every link of the book leads to a page of it, and to an anchor that is there; nothing is loaded from
# a network. usage: links.sh FOLDER
. "$(dirname "$0")/../../traffic/tests/checks.sh"
[ -d "$1" ] || { skip 'no book was made'; finish; }
cd "$1" || exit 1
find . -type f -printf '%P\n' >"$work/files"
find . -name '*.html' -printf '%P\n' | LC_ALL=C sort >"$work/pages"
mapfile -t all <"$work/pages"
awk -v files="$work/files" -v q='"' '
    BEGIN { while ((getline file < files) > 0) there[file] = 1 }
    function normal(path,    n, i, part, kept, out, k) {
        n = split(path, part, "/")
        for (i = 1; i <= n; i++)
            if (part[i] == "..") kept--
            else if (part[i] != "." && part[i] != "") k[++kept] = part[i]
        for (i = 1; i <= kept; i++) out = out (i > 1 ? "/" : "") k[i]
        return out
    }
    {
        line = $0
        while (match(line, / id="?[^" >]*/)) {
            id = substr(line, RSTART + 4, RLENGTH - 4)
            gsub(q, "", id)
            anchor[FILENAME "#" id] = 1
            line = substr(line, RSTART + RLENGTH)
        }
        if (/^const layoutBase64/)
            next
        line = $0
        while (match(line, /<(a|img|script|link)[^>]* (href|src)="[^"]*"/)) {
            tag = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            match(tag, / (href|src)="[^"]*"$/)
            to = substr(tag, RSTART + 1)
            sub(/^(href|src)="/, "", to)
            sub(/"$/, "", to)
            if (to ~ /^[a-z]+:/) {
                if (tag !~ /^<a/ && to !~ /^data:,/) print FILENAME ": loads " to
                continue
            }
            links++
            from[links] = FILENAME
            target[links] = to
        }
    }
    END {
        for (i = 1; i <= links; i++) {
            to = target[i]
            hash = ""
            if (at = index(to, "#")) { hash = substr(to, at + 1); to = substr(to, 1, at - 1) }
            folder = from[i]
            if (!sub(/\/[^\/]*$/, "/", folder)) folder = ""
            path = to == "" ? from[i] : normal(folder to)
            if (!(path in there)) print from[i] ": " target[i] " is not there"
            else if (hash != "" && path ~ /html$/ && path != "bench.html" && !((path "#" hash) in anchor))
                print from[i] ": " target[i] " has no such anchor"
        }
        print links > "/dev/stderr"
    }' "${all[@]}" >"$work/found" 2>"$work/count"
check "few links were found: $(cat "$work/count")" [ "$(cat "$work/count")" -gt 500 ]
while IFS= read -r line; do fail "$line"; done <"$work/found"
finish
