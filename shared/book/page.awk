# One page of the book: reads cmark-gfm's HTML of a Markdown file and writes a whole HTML page.
#
#   cmark-gfm ... FILE | awk -v page=FILE -v pages=PAGES -v tree=TREE -v uses=USES -v search=SEARCH \
#       -v player=1 -f text.awk -f frame.awk -f page.awk
#
# pages: see frame.awk. tree: lines "f PATH" and "d PATH", what there is to link to. Appended to:
# uses, lines "KIND PATH" of what the page links to and is no page (image, file, folder); search,
# entries of the search index. player: whether player.html lies beside the page.
# own: a file of names, one a line: figures of the reader's own runs.
BEGIN {
    while ((getline line < tree) > 0)
        there[substr(line, 3)] = substr(line, 1, 1)
    close(tree)
    while (own != "" && (getline line < own) > 0)
        is_own[line] = 1
    read_pages(pages)
    here = html_of[page]
    lines = 0
    anchor = ""
    heading = title_of[page]
}

# target(HREF): where a link of this page leads to in the book.
function target(href,    anchor, path, as) {
    if (href ~ /^(#|[a-zA-Z][a-zA-Z+.-]*:)/)
        return href
    if (match(href, /#.*/)) {
        anchor = substr(href, RSTART)
        href = substr(href, 1, RSTART - 1)
    }
    path = normal(folder(page) href)
    if (path in html_of)
        as = html_of[path]
    else if ((path "/README.md") in html_of)
        as = html_of[path "/README.md"]
    else if (path ~ /[.](png|svg)$/ && there[path] == "f") {
        as = path
        print "image " path >>uses
    } else if (there[path] == "f") {
        as = path ".html"
        print "file " path >>uses
    } else if (there[path] == "d") {
        as = path "/index.html"
        print "folder " path >>uses
    } else {
        print "book: " page ": a link leads nowhere: " href >"/dev/stderr"
        return href anchor
    }
    return up(here) as anchor
}

# own_figure(HREF): is there a figure of that name among the reader's own?
function own_figure(href) {
    sub(/.*\//, "", href)
    return href in is_own
}

# linked(LINE): the line with the links and images of its tags rewritten.
function linked(line,    out, tag, at, href) {
    while (match(line, /<(a|img)( [^<>]*)? (href|src)="[^"]*"|<(a|img) (href|src)="[^"]*"/)) {
        out = out substr(line, 1, RSTART - 1)
        tag = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        match(tag, /(href|src)="/)
        at = RSTART + RLENGTH
        href = substr(tag, at, length(tag) - at)
        out = out substr(tag, 1, at - 1) target(href) "\""
        if (tag ~ /^<img/)
            out = out " loading=lazy" (own_figure(href) ? " class=own" : "")
    }
    line = out line
    gsub(/<img [^>]*class=own[^>]*>/, "&<small>drawn from your own run</small>", line)
    return line
}

# End a section of the search index; `folded` text is found, and not shown before it is opened.
function end_section(    i) {
    for (i = 0; i < 2; i++) {
        gsub(/[ \t]+/, " ", said[i])
        if (said[i] ~ /[^ ]/)
            print "[" (number_of[page] - 1) "," json(anchor) "," json(heading) "," \
                json(said[i]) "," i "]," >>search
        said[i] = ""
    }
}

{ gsub(/<!--[^>]*-->/, "") }

# cmark keeps a comment of several lines as it is.
in_html_comment { if (!sub(/.*-->/, "")) next; in_html_comment = 0 }
/<!--/ { in_html_comment = 1; sub(/<!--.*/, "") }

# The line of links to the neighbours, which the frame has too.
NR <= 4 && /^<p>(<a [^>]*>[^<]*<\/a>( · )?)+<\/p>$/ && /ontents/ { next }

!in_code && /<pre><code/ {
    language = match($0, /language-[a-z+]*/) ? substr($0, RSTART + 9, RLENGTH - 9) : ""
    in_comment = 0
    in_code = 1
    match($0, /<pre><code[^>]*>/)
    line = substr($0, RSTART + RLENGTH)
    put(substr($0, 1, RSTART - 1) "<pre class=\"code " (language == "c++" ? "c" : language) "\" tabindex=0><code>")
    glue = 1
    if (line ~ /<\/code><\/pre>/) {
        sub(/<\/code><\/pre>.*/, "", line)
        said[folds > 0] = said[folds > 0] " " plain(line)
        put(colour(language, line) "</code></pre>")
        in_code = 0
    } else {
        said[folds > 0] = said[folds > 0] " " plain(line)
        put(colour(language, line))
    }
    next
}
in_code && /<\/code><\/pre>/ {
    line = $0
    sub(/<\/code><\/pre>.*/, "", line)
    put(colour(language, line) "</code></pre>")
    in_code = 0
    next
}
in_code {
    said[folds > 0] = said[folds > 0] " " plain($0)
    put(colour(language, $0))
    next
}

/^<h[1-6]>.*<\/h[1-6]>$/ {
    end_section()
    level = substr($0, 3, 1)
    text = substr($0, 5, length($0) - 9)
    heading = plain(text)
    if (player && ran && level == 2) {
        put_player()
        player = 0
    }
    ran = ran || heading == "Run it"
    anchor = slug(heading)
    if (anchor in used_anchor)
        anchor = anchor "-" used_anchor[anchor]++
    else
        used_anchor[anchor] = 1
    if (level == 1) {
        put("<h1 id=\"" anchor "\">" linked(text) "</h1>")
        anchor = ""
    } else {
        put("<h" level " id=\"" anchor "\">" linked(text) " <a class=here href=\"#" anchor \
            "\" aria-label=\"Link to this section\">#</a></h" level ">")
        if (level == 2) {
            sections++
            section_anchor[sections] = anchor
            section_text[sections] = text
        }
    }
    next
}

{
    folds += gsub(/<details[^>]*>/, "&")
    said[folds > 0] = said[folds > 0] " " plain($0)
    folds -= gsub(/<\/details>/, "&")
    gsub(/<table>/, "<div class=wide tabindex=0><table>")
    gsub(/<\/table>/, "</table></div>")
    put(linked($0))
}

function put_player() {
    put("<details class=\"plain player\"><summary>Play the kernels of this step</summary>")
    put("<p>Every access of the warps of a block, forward and back, and what each line of the source costs, " \
        "as a run on the CPU counted it. <a href=\"player.html\">In a page of its own</a>; " \
        "<code>make page</code> in the step's folder makes it anew.</p>")
    put("<iframe src=\"player.html\" loading=lazy title=\"What the kernels of this step did\"></iframe></details>")
}

function put(line) {
    if (glue) {
        body[lines] = body[lines] line
        glue = 0
    } else
        body[++lines] = line
}

END {
    end_section()
    frame_begin(page, sections, section_anchor, section_text)
    for (i = 1; i <= lines; i++)
        print body[i]
    frame_end(page)
}
