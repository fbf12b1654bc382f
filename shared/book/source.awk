# A page that shows a file of the workbook: C and CUDA in colours with numbered lines, TSV as a
# table, anything else as it is.
#
#   awk -v file=PATH -v pages=PAGES -f text.awk -f frame.awk -f source.awk FILE
BEGIN {
    read_pages(pages)
    html = file ".html"
    name = file
    sub(/.*\//, "", name)
    ending = name
    sub(/.*[.]/, "", ending)
    head(name " - Transpose workbook", html, "source")
    print "<main id=text>\n<h1>" escaped(name) "</h1>\n<p class=path>" escaped(file) "</p>"
    code = ending ~ /^(cu|cuh|c|h|sh)$/
    if (ending != "tsv")
        printf "%s", "<pre class=\"code lines\" tabindex=0><code>"
}
ending != "tsv" {
    print "<span id=L" FNR ">" (code ? colour(ending, escaped($0)) : escaped($0)) "</span>"
    next
}
/^#/ { print "<p>" escaped(substr($0, 2)) "</p>"; next }
{
    if (!rows++)
        print "<div class=wide tabindex=0><table>"
    n = split($0, field, "\t")
    printf "<tr>"
    for (i = 1; i <= n; i++)
        printf "%s", (rows == 1 ? "<th>" : field[i] ~ /^[-0-9.e+]+$/ ? "<td align=right>" : "<td>") \
            escaped(field[i])
    print ""
}
END {
    print ending == "tsv" ? (rows ? "</table></div>" : "") : "</code></pre>"
    print "</main>"
    contents(file, html)
    print "</div>\n<script src=\"" up(html) "book.js\"></script>\n</body>\n</html>"
}
