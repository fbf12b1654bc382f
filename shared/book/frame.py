"""Makes the frame of every page: head, search field, contents, and links to the pages before and after."""
import html
import posixpath
from dataclasses import dataclass


@dataclass
class Entry:
    """A page in the contents: its source in the tree, its path in the book, its title and level."""
    source: str
    html: str
    group: str
    level: int  # 2: a chapter of the last page of level 1 before it
    title: str


def escaped(text):
    """Return the text escaped for HTML, also for attributes in double quotes."""
    return html.escape(text, quote=False).replace('"', "&quot;")


def up(path):
    """Return the relative path from the page's folder to the top of the book, such as "../../"."""
    return "../" * path.count("/")


def folder(path):
    """Return the folder of a path, with a slash at its end; empty at the top."""
    head = posixpath.dirname(path)
    return head + "/" if head else ""


def contents(entries, path):
    """Return the list of pages as HTML. A page lists only its own chapters; the first page lists all chapters."""
    parts, group = ['<nav class=contents id=contents aria-label="Contents of the book">'], None
    for entry in entries:
        if entry.level > 1 and folder(entry.html) != folder(path) and path != "index.html":
            continue
        if entry.group != group:
            parts.append(("</ul>\n" if group else "") + f"<p>{escaped(entry.group)}</p>\n<ul>")
            group = entry.group
        parts.append(f'<li{" class=chapter" if entry.level > 1 else ""}><a href="{escaped(up(path) + entry.html)}"'
                     f'{" aria-current=page" if entry.html == path else ""}>{escaped(entry.title)}</a></li>')
    return "\n".join(parts) + "\n</ul>\n</nav>"


def turn(entry, relation, word, top):
    """Return the link to a neighbour in reading order, as HTML."""
    return (f'<a rel={relation} href="{escaped(top + entry.html)}"><small>{word}</small> '
            f"{escaped(entry.title)}</a>\n")


def neighbours(entries, path):
    """Return links to the pages before and after this page; empty if the contents do not list it."""
    places = [entry.html for entry in entries]
    if path not in places:
        return ""
    at, top = places.index(path), up(path)
    before = turn(entries[at - 1], "prev", "Before", top) if at > 0 else ""
    after = turn(entries[at + 1], "next", "Next", top) if at + 1 < len(entries) else ""
    return f"<footer class=turn>\n{before}{after}</footer>\n"


def on_this_page(sections):
    """Return a list of links to the sections, pairs (anchor, HTML); empty for two sections or fewer."""
    if len(sections) <= 2:
        return ""
    items = "".join(f'<li><a href="#{escaped(anchor)}">{text}</a></li>\n' for anchor, text in sections)
    return f'<nav class=sections aria-label="On this page">\n<p>On this page</p>\n<ul>\n{items}</ul>\n</nav>\n'


def whole_page(entries, path, title, kind, text, sections=()):
    """Return a page around `text` as HTML. `kind` is lesson, page or source; `path` is its path in the book."""
    top = escaped(up(path))
    script = "lab.js" if " data-lab=" in text else "figures.js" if " data-figure=" in text else ""
    live = f'<script src="{top}{script}"></script>\n' if script else ""
    return f"""<!DOCTYPE html>
<html lang=en>
<head>
<meta charset=utf-8>
<meta name=viewport content="width=device-width, initial-scale=1">
<meta name=color-scheme content="light dark">
<title>{escaped(title)}</title>
<link rel=stylesheet href="{top}style.css">
<link rel=icon href="data:,">
</head>
<body class={kind} data-top="{top}" data-page="{escaped(path)}">
<a class=skip href="#text">To the text</a>
<header class=bar>
<a class=brand href="{top}index.html">Transpose workbook</a>
<a class=menu href="#contents">Contents</a>
<form class=search role=search hidden><input type=search name=q autocomplete=off \
placeholder="Search ( / )" aria-label="Search in the book"><div class=found aria-live=polite hidden></div></form>
</header>
<div class=columns>
{on_this_page(sections)}<main id=text>
{text}
{neighbours(entries, path)}</main>
{contents(entries, path)}
</div>
{live}<script src="{top}book.js"></script>
</body>
</html>
"""
