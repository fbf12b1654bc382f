"""usage: links.py BOOK

Prints what is wrong with the links of a book's pages, one a line: a file or an anchor that is not
there, and what is loaded from a network. The last line is the number of links to files.
"""
import os
import posixpath
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote


class Page(HTMLParser):
    """The anchors of a page, and its links: pairs of a tag and where it leads."""

    def __init__(self):
        super().__init__()
        self.anchors, self.links = set(), []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src") and tag in ("a", "img", "script", "link", "iframe"):
                self.links.append((tag, value))


def read(path):
    """The anchors and links of a file."""
    page = Page()
    with open(path, encoding="utf-8", errors="replace") as file:
        page.feed(file.read())
    page.close()
    return page


def main():
    """Look at every link of the book."""
    os.chdir(sys.argv[1])
    files = {os.path.relpath(os.path.join(folder, name)) for folder, _, names in os.walk(".") for name in names}
    pages = {name: read(name) for name in sorted(files) if name.endswith(".html")}
    count = 0
    for name, page in pages.items():
        for tag, link in page.links:
            if re.match("[a-z]+:", link):
                if tag != "a" and not link.startswith("data:,"):
                    print(f"{name}: loads {link}")
                continue
            count += 1
            way, _, anchor = link.partition("#")
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(way))) if way else name
            if path not in files:
                print(f"{name}: {link} is not there")
            elif anchor and path in pages and not path.endswith(("bench.html", "player.html")) and anchor not in pages[path].anchors:
                print(f"{name}: {link} has no such anchor")
    print(count)


main()
