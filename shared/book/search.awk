# The head of the search index: the pages, out of book.sh's list of them. Entries follow.
BEGIN { FS = "\t"; printf "window.bookSearch = {pages: [" }
{ printf "%s[%s,%s]", (NR > 1 ? "," : ""), json($2), json($5) }
END { print "],\nentries: [" }
