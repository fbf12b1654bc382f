# What surrounds every page of the book: head, bar, contents, and the links to its neighbours.
# Pages are lines "MARKDOWN HTML GROUP LEVEL TITLE" between tabs, in reading order.

function read_pages(file,    line, field, n) {
    while ((getline line < file) > 0) {
        split(line, field, "\t")
        order[++pages_count] = field[1]
        html_of[field[1]] = field[2]
        group_of[field[1]] = field[3]
        level_of[field[1]] = field[4]
        title_of[field[1]] = field[5]
        number_of[field[1]] = pages_count
    }
    close(file)
}

# head(TITLE, HTML, KIND): up to the page's text. HTML is where the page will lie.
function head(title, html, kind,    top) {
    top = up(html)
    print "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>"
    print "<meta name=viewport content=\"width=device-width, initial-scale=1\">"
    print "<meta name=color-scheme content=\"light dark\">"
    print "<title>" escaped(title) "</title>"
    print "<link rel=stylesheet href=\"" top "style.css\">"
    print "<link rel=icon href=\"data:,\">\n</head>"
    print "<body class=" kind " data-top=\"" top "\" data-page=\"" escaped(html) "\">"
    print "<a class=skip href=\"#text\">To the text</a>"
    print "<header class=bar>"
    print "<a class=brand href=\"" top "index.html\">Transpose workbook</a>"
    print "<a class=menu href=\"#contents\">Contents</a>"
    print "<form class=search role=search hidden><input type=search name=q autocomplete=off " \
        "placeholder=\"Search ( / )\" aria-label=\"Search in the book\">" \
        "<div class=found aria-live=polite hidden></div></form>"
    print "</header>\n<div class=columns>"
}

# contents(PAGE): the list of all pages, this one marked.
function contents(page, html,    i, file, group, top) {
    top = up(html)
    print "<nav class=contents id=contents aria-label=\"Contents of the book\">"
    for (i = 1; i <= pages_count; i++) {
        file = order[i]
        # Of chapters those beside this page, and all of them on the first page.
        if (level_of[file] > 1 && folder(html_of[file]) != folder(html) && html != "index.html")
            continue
        if (group_of[file] != group) {
            if (group != "")
                print "</ul>"
            group = group_of[file]
            print "<p>" escaped(group) "</p>\n<ul>"
        }
        print "<li" (level_of[file] > 1 ? " class=chapter" : "") "><a href=\"" top html_of[file] \
            "\"" (file == page ? " aria-current=page" : "") ">" escaped(title_of[file]) "</a></li>"
    }
    print "</ul>\n</nav>"
}

# frame_begin(PAGE, N, ANCHOR, TEXT): all before the text of the page, which has N sections.
function frame_begin(page, n, section_anchor, section_text,    i, kind) {
    kind = page ~ /^steps\// ? "lesson" : "page"
    head(title_of[page] (number_of[page] > 1 ? " - Transpose workbook" : ""), html_of[page], kind)
    if (n > 2) {
        print "<nav class=sections aria-label=\"On this page\">\n<p>On this page</p>\n<ul>"
        for (i = 1; i <= n; i++)
            print "<li><a href=\"#" section_anchor[i] "\">" section_text[i] "</a></li>"
        print "</ul>\n</nav>"
    }
    print "<main id=text>"
}

function turn(file, rel, word, top) {
    return "<a rel=" rel " href=\"" top html_of[file] "\"><small>" word "</small> " \
        escaped(title_of[file]) "</a>"
}

# frame_end(PAGE): all after its text.
function frame_end(page,    i, top) {
    i = number_of[page]
    top = up(html_of[page])
    print "<footer class=turn>"
    if (i > 1)
        print turn(order[i - 1], "prev", "Before", top)
    if (i < pages_count)
        print turn(order[i + 1], "next", "Next", top)
    print "</footer>\n</main>"
    contents(page, html_of[page])
    print "</div>\n<script src=\"" top "book.js\"></script>\n</body>\n</html>"
}
