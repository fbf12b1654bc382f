# A page that lists what lies in a folder: names on standard input, one a line.
#
#   awk -v room=PATH -v pages=PAGES -f text.awk -f frame.awk -f folder.awk
#
# Every name gets a page of its own: book.sh makes it.
BEGIN {
    read_pages(pages)
    html = room "/index.html"
    head(room " - Transpose workbook", html, "source")
    print "<main id=text>\n<h1>" escaped(room) "</h1>\n<ul>"
}
{ print "<li><a href=\"" escaped($0) ".html\">" escaped($0) "</a></li>" }
END {
    print "</ul>\n</main>"
    contents(room, html)
    print "</div>\n<script src=\"" up(html) "book.js\"></script>\n</body>\n</html>"
}
