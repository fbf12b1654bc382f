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
    before: bool = False  # a chapter to be read before its lesson


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
    """Return links to the pages before and after this page; empty if the contents do not list it.

    A lesson leads to its exercises and to the next lesson, a chapter to its lesson, the next chapter and the next lesson.
    A chapter to be read before its lesson leads to that lesson."""
    at = next((number for number, entry in enumerate(entries) if entry.html == path), None)
    if at is None:
        return ""
    top, level = up(path), entries[at].level
    first = max(number for number in range(at + 1) if entries[number].level == 1)
    lesson = next((entry for entry in entries[at + 1:] if entry.level == 1), None)
    chapter = entries[at + 1] if level > 1 and at + 1 < len(entries) and entries[at + 1].level > 1 else None
    if level == 1:
        before = next((entry for entry in reversed(entries[:at]) if entry.level == 1), None)
        chapter = next((entry for entry in entries[at + 1:] if entry.html == folder(path) + "exercises.html"), None)
    else:
        before = entries[first]
    links = [("next", "Next", before)] if entries[at].before else [
        ("prev", "Before" if level == 1 else "Back to", before), ("next", "Then" if level == 1 else "Next", chapter),
        ("next", "Next lesson" if lesson and lesson.group == "Steps" else "Next", lesson)]
    return "<footer class=turn>\n" + "".join(turn(entry, relation, word, top) for relation, word, entry in links if entry) + "</footer>\n"


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
<a class=skip href="#contents">To the contents</a>
<header class=bar>
<a class=brand href="{top}index.html">Transpose workbook</a>
<a class=menu href="#contents">Contents</a>
<form class=search role=search hidden><input type=search name=q autocomplete=off \
placeholder="Search ( / )" aria-label="Search in the book"><div class=found hidden></div></form>
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
