"""Makes the HTML text of the book's pages from Markdown files, exercises, other files of the tree, and folders."""
import html
import json
import posixpath
import re
import struct
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt

import frame
import highlight
from frame import escaped

NOT_IN_BOOK = (".git", "out", "build")  # at the top of the tree
# what the lab does not know, in the code of an exercise
NOT_IN_LAB = re.compile(r"\b(?:asm|template|extern|volatile|struct|union)\b|__(?:shfl|ballot|byte_perm|align|pipeline|any|all)|"
                        r"\bmake_\w+\(|atomic|mbarrier|tma_|TensorMap|\w \*\)|\w4 \w+ = \{|= \{|[(=,] *[&*]\w|\b(?:goto|alignas|__host__)\b|#define")
NUMBER = re.compile("[-0-9.e+]+")
PLAYER = """<details class="plain player"><summary>Play the kernels of this step</summary>
<p>Replay every access of a block's warps, forward and back, and see what each line of the source costs, as a run on \
the CPU counted it. <a href="player.html">Open it as a page of its own</a>. <code>make page</code> in the step's \
folder makes it again.</p>
<iframe src="player.html#embed=1" loading=lazy title="What the kernels of this step did"></iframe></details>
"""


# still pictures that have a live figure (figures/figures.js): its name, and the state in which it starts
LIVE = {
    "bank_map_plain": ("banks", {}),
    "bank_map_padded": ("padding", {"pad": 1}),
    "bank_map_swizzle_5_0_5": ("swizzle", {}),
    "layout_swizzle_5_0_5_64_wide": ("swizzle", {"cols": 64}),
    "bank_map_guide": ("chunks", {"rows": 8}),
    "sectors_column": ("sectors", {"stride": 32}),
    "windows": ("windows", {}),
}


def listing(_, tokens, index, options, env):
    """Return a listing as HTML; markdown-it calls this for each fenced block."""
    words = tokens[index].info.split()
    language = "c" if words[:1] == ["c++"] else "".join(words[:1])
    return (f'<pre class="code {escaped(language)}" tabindex=0><code>'
            f"{highlight.block(language, tokens[index].content)}</code></pre>\n")


LIVE_HERE = re.compile(r"^<!-- *live: *(\w+) *-->$", re.M)  # a place for a live figure that replaces no picture
EXPECT = re.compile(r"<!-- *expect: *(.*?) *-->", re.S)
TERM = re.compile(r"<tr>\n<td><strong>([^<]*)</strong></td>\n<td>(.*?)</td>")
NO_TERMS = ("a", "code", "pre", "summary", "table", "h1", "h2", "h3", "h4")  # elements in which no term is linked

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# Hints have only `code` and *emphasis*: a line that begins with + is part of a formula, not a list.
HINTS = MarkdownIt("commonmark", {"html": False}).disable(["list", "blockquote", "heading", "lheading", "hr"])
for one in MARKDOWN, HINTS:
    one.add_render_rule("fence", listing)
    one.add_render_rule("code_block", listing)


def slug(text):
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^a-z0-9_\u0080-\U0010ffff-]", "", text.lower().replace(" ", "-"))


def picture_size(path):
    """Return width and height of a PNG or SVG file in pixels; None if the file does not have them."""
    with open(path, "rb") as file:
        head = file.read(2000)
    if head.startswith(b"\x89PNG") and len(head) >= 24:
        return struct.unpack(">II", head[16:24])
    svg = re.search(rb"<svg[^>]*>", head)
    sizes = dict(re.findall(rb'\s(width|height)="([0-9.]+)(?:px)?"', svg.group())) if svg else {}
    return (round(float(sizes[b"width"])), round(float(sizes[b"height"]))) if len(sizes) == 2 else None


def glossary(root, entries):
    """Return the terms of the page that has a section Glossary, a table of words in bold and their meanings."""
    for entry in entries:
        path = root / entry.source
        text = read(path) if path.suffix == ".md" else ""
        found = re.search(r"^#+ Glossary *\n(.*?)(?=^#|\Z)", text, flags=re.M | re.S)
        if found:
            rows = TERM.findall(MARKDOWN.render(found[1]))
            return {word.lower(): (f"{entry.html}#{term_anchor(name)}", html.unescape(re.sub("<.*?>", "", meaning)))
                    for name, meaning in rows for word in html.unescape(name).split(", ") if word not in EVERYDAY}
    return {}


EVERYDAY = ("box", "front", "page", "stage")  # terms that are also words of everyday language: they get no links


def term_anchor(name):
    """Return the anchor of a term of the glossary."""
    return "term-" + slug(html.unescape(name))


class Links:
    """Translates links of the tree to links of the book, and collects the files that the book needs for them."""

    def __init__(self, root, entries, own_figures):
        self.root, self.own_figures = Path(root), own_figures  # own_figures: name -> file
        self.html_of = {entry.source: entry.html for entry in entries}
        self.used = set()  # pairs ("image", "file" or "folder", path) that links lead to
        self.live = False  # True: the book has the live figures
        self.terms = glossary(self.root, entries)  # word -> (its place in the book, its meaning)
        self.any_term = re.compile(r"(?<![\w-])(?:%s)s?(?![\w-])" % "|".join(
            re.escape(term) for term in sorted(self.terms, key=len, reverse=True)), re.I)

    def kind(self, path):
        """Return what a path of the tree is: image, file or folder; empty if the book does not include it."""
        place = self.root / path
        if path.startswith("..") or path.split("/")[0] in NOT_IN_BOOK or place.resolve() != self.root.resolve() / path:
            return ""
        if place.is_file():
            return "image" if path.endswith((".png", ".svg")) else "file"
        return "folder" if place.is_dir() else ""

    def target(self, source, href):
        """Return the link `href` of the Markdown file or folder `source` as a link in the book."""
        if re.match(r"#|[a-zA-Z][a-zA-Z+.-]*:", href):
            return href
        way, hash_mark, anchor = href.partition("#")
        path = posixpath.normpath(frame.folder(source) + unquote(way))
        kind = self.kind(path)
        place = self.html_of.get(path) or self.html_of.get(posixpath.normpath(path + "/README.md"))
        if not place and not kind:
            print(f"book: {source}: a link leads nowhere: {way}", file=sys.stderr)
            return href
        if not place:
            self.used.add((kind, path))
            place = path + {"image": "", "file": ".html", "folder": "/index.html"}[kind]
        return frame.up(self.html_of.get(source, source)) + place + hash_mark + anchor

    def picture(self, source, href):
        """Return an image's HTML attributes without src, and True if it is the reader's own chart."""
        path = posixpath.normpath(frame.folder(source) + unquote(href))
        own = self.own_figures.get(posixpath.basename(path))
        file = own or (self.root / path if self.kind(path) == "image" else None)
        size = picture_size(file) if file else None
        attributes = (" width=%d height=%d" % size if size else "") + " loading=lazy" + (" class=own" if own else "")
        name, state = LIVE.get(posixpath.splitext(posixpath.basename(path))[0], ("", {}))
        if name and self.live and not own:
            attributes += f' data-figure={name} data-state="{escaped(json.dumps(state))}"'
        return attributes, bool(own)


class Body(HTMLParser):
    """Turns a Markdown file's HTML into the text of a page: translates links and gives headings anchors.

    text: the HTML; sections: the headings of level 2; index: the entries of the search index."""

    def __init__(self, links, source, title, player=False):
        super().__init__(convert_charrefs=False)
        self.links, self.source, self.player = links, source, player
        self.out, self.sections, self.index = [], [], []
        self.anchors, self.anchor, self.title = {}, "", title
        self.heading = None  # the open heading: (its start in `out`, its words, its HTML without links)
        self.folds, self.ran = 0, False
        self.terms = dict(links.terms) if source.startswith("steps/") and source in links.html_of else {}  # those not linked yet on this page
        self.closed = 0  # open elements in which no term is linked
        self.said = ([], [])  # this section's words: those always shown, those in folded results

    @property
    def text(self):
        """The HTML made so far."""
        return "".join(self.out)

    def end_section(self):
        """Add the words since the last heading to the search index."""
        for folded, words in enumerate(self.said):
            said = " ".join("".join(words).split())
            if said:
                self.index.append((self.anchor, self.title, said, folded))
            words.clear()

    def close(self):
        super().close()
        self.end_section()

    def begin_heading(self, tag):
        self.end_section()
        if self.player and self.ran and tag == "h2":
            self.out.append(PLAYER)
            self.player = False
        self.heading = len(self.out), [], []

    def end_heading(self, tag):
        begin, words, shown = self.heading
        inner, self.heading = "".join(self.out[begin:]), None
        del self.out[begin:]
        self.title = " ".join("".join(words).split())
        self.ran = self.ran or self.title == "Run it"
        anchor = slug(self.title)
        count = self.anchors.get(anchor, 0)
        self.anchors[anchor] = count + 1
        anchor += f"-{count}" if count else ""
        self.anchor = "" if tag == "h1" else anchor
        here = f' <a class=here href="#{anchor}" tabindex=-1 aria-hidden=true>#</a>' if tag != "h1" else ""
        self.out.append(f'<{tag} id="{anchor}">{inner}{here}</{tag}>')
        if tag == "h2":
            self.sections.append((anchor, "".join(shown)))

    def say(self, text, shown):
        """Add text: its words to the index, its HTML to the output."""
        if self.heading:
            self.heading[1].append(text)
            self.heading[2].append(shown)
        else:
            self.said[self.folds > 0].append(text)
        self.out.append(shown if self.closed or not self.terms else self.linked(shown))

    def linked(self, shown):
        """Return the text with a link to the glossary at the first use of each term on the page."""
        def link(found):
            word = found[0].lower()
            name = word if word in self.terms else word[:-1]
            if name not in self.terms:
                return found[0]
            place, meaning = self.terms.pop(name)
            top = frame.up(self.links.html_of.get(self.source, self.source))
            return f'<a class=term href="{top}{place}" title="{escaped(meaning)}">{found[0]}</a>'

        return self.links.any_term.sub(link, shown)

    def handle_starttag(self, tag, attrs):
        given, values = self.get_starttag_text(), dict(attrs)
        if re.fullmatch("h[1-6]", tag) and not self.heading:
            self.closed += tag in NO_TERMS
            self.begin_heading(tag)
            return
        if self.heading and tag == "code":
            self.heading[2].append("<code>")
        self.folds += tag == "details"
        self.closed += tag in NO_TERMS
        given = "<th scope=col" + given[3:] if tag == "th" else given
        name = {"a": "href", "img": "src"}.get(tag)
        if name and values.get(name):
            to = values[name]
            given = re.sub(rf'(\s{name}=)("[^"]*"|\S+?(?=[\s>]))',
                           lambda found: f'{found[1]}"{escaped(self.links.target(self.source, to))}"', given, count=1)
        self.out.append('<div class=wide tabindex=0><table>' if tag == "table" else given)
        if name == "src" and values.get(name):
            more, own = self.links.picture(self.source, values[name])
            self.out[-1] = re.sub(r"\s*/?>$", more + ">", given)
            if not self.closed and " width=" in more:  # opens alone, in its own size
                self.out[-1] = f'<a href="{escaped(self.links.target(self.source, values[name]))}">{self.out[-1]}</a>'
            if own:
                self.out.append("<small>drawn from your own run</small>")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        self.closed -= tag in NO_TERMS and self.closed > 0
        if self.heading and re.fullmatch("h[1-6]", tag):
            self.end_heading(tag)
            return
        if self.heading and tag == "code":
            self.heading[2].append("</code>")
        self.folds -= tag == "details" and self.folds > 0
        if tag == "th" and self.out[-1].startswith("<th"):  # a head without a text is none
            self.out[-1], tag = "<td>", "td"
        self.out.append("</table></div>" if tag == "table" else f"</{tag}>")

    def handle_data(self, data):
        if self.cdata_elem:
            self.out.append(data)
        else:
            self.say(data, data)

    def handle_entityref(self, name):
        self.say(html.unescape(f"&{name};"), f"&{name};")

    def handle_charref(self, name):
        self.say(html.unescape(f"&#{name};"), f"&#{name};")


def read(path):
    """Return a file's text; bytes that are not UTF-8 become U+FFFD."""
    return Path(path).read_text(encoding="utf-8", errors="replace")


def body_of(links, source, rendered, title, player=False):
    """Return the Body of `rendered`, the HTML of a Markdown text."""
    body = Body(links, source, title, player)
    body.feed(rendered)
    body.close()
    return body


def expected(source, text, numbers):
    """Return the element for the numbers that a prediction is compared with, separated by `;`.

    Each is a number, or the expression of a measured number in the page: `40.8<!--padded-->` is named `padded`."""
    found = []
    for one in numbers.split(";"):
        quoted = re.search(r"(-?[\d.]+)\s*<!-- *%s *-->" % re.escape(one.strip()), text)
        if NUMBER.fullmatch(one.strip()) or quoted:
            found.append(f"~{quoted[1]}" if quoted else one.strip())
        else:
            print(f"book: {source}: nothing on the page says what '{one.strip()}' is", file=sys.stderr)
    return f'<data class=expect value="{escaped(";".join(found))}"></data>'


def markdown_body(links, source, text, title, player=False):
    """Return the Body of a Markdown text, without its line of links to neighbours, which the frame has too."""
    text = LIVE_HERE.sub(lambda found: f"<div data-figure={found[1]}></div>" if links.live else "", text)
    text = EXPECT.sub(lambda found: expected(source, text, found[1]), text)
    top, rest = re.match(r"((?:.*\n){0,4})([\s\S]*)", MARKDOWN.render(text)).groups()
    top = re.sub(r"^<p>(?:<a [^>]*>[^<]*</a>(?: · )?)+</p>\n", lambda found: "" if "ontents" in found[0] else found[0],
                 top, flags=re.M)
    body = body_of(links, source, top + rest, title, player)
    if any(place.startswith(links.html_of.get(source, "?") + "#") for place, _ in links.terms.values()):
        body.index = [(*body.index[0][:2], "", 0)] + [(term_anchor(name), html.unescape(name), html.unescape(
            re.sub("<.*?>", "", meaning)), 0) for name, meaning in TERM.findall(body.text)]
        body.out = [TERM.sub(lambda found: f'<tr id="{term_anchor(found[1])}">' + found[0][4:], body.text)]
    return body


def landing(body, entries, solved):
    """Return the text of the first page: with Start, the lessons and what is solved, and charts of results folded."""
    lessons = [entry for entry in entries if entry.level == 1 and entry.group == "Steps"]
    items = "".join(
        f'<li data-lesson="{escaped(entry.html)}"><a href="{escaped(entry.html)}">{escaped(entry.title)}</a>'
        + (f"<span>{of[0]} of {of[1]} exercises solved</span>" if (of := solved.get(frame.folder(entry.html))) else "")
        + "</li>\n" for entry in lessons)
    first = [("New to CUDA? ", entry) for entry in entries if entry.before][:1] + [("Start with ", entry) for entry in lessons[:1]]
    ways = "".join(f'<a class=go href="{escaped(entry.html)}">{word}{escaped(entry.title)}</a>' for word, entry in first)
    start = f"""<p id=start class=start>{ways}</p>
<ol id=steps-read class=steps-read>
{items}</ol>
""" if lessons else ""
    text = re.sub(r"(</h1>\s*(?:<p>.*?</p>\n)?)", lambda found: found[1] + start, body.text, count=1, flags=re.S)
    return re.sub(r"<p>((?:<a [^>]*>)?<img [^>]*\.svg\"[^>]*>(?:</a>)?)(<small>.*?</small>)?</p>(\n<p>\w.*?</p>)?",
                  r"<details class='plain spoiler'><summary>A chart of results (lessons ask before they tell)</summary>"
                  r"\1\2\3</details>", text, flags=re.S)


# ---- exercises ----

def task_parts(text):
    """Split a task.cu: return the paragraphs of its first comment, the code below, and the code's line number."""
    head, _, code = text.partition("*/")
    head = re.sub(r"^(/\*| \* ?)", "", head, flags=re.M)
    code = code.partition("\n")[2]
    return re.split(r"\n\s*\n", head.strip("\n")), code, text[:len(text) - len(code)].count("\n") + 1


def task_paragraph(name, text):
    """Return a task's paragraph as HTML. Indented lines are commands; the exercise's name at the start is dropped."""
    if text.startswith("    "):
        commands = re.sub(r"^    ", "", text, flags=re.M) + "\n"
        return f'<pre class="code sh" tabindex=0><code>{highlight.block("sh", commands)}</code></pre>\n'
    if text.startswith(name + ": "):
        text = text[len(name) + 2:]
        text = text[:1].upper() + text[1:]
    return "<p>%s</p>\n" % re.sub("`([^`]+)`", r"<code>\1</code>", escaped(text))


def numbered(lines, first, prefix):
    """Return lines of code as HTML, numbered from `first`, each with the anchor `prefix` + number."""
    begin = f' style="counter-reset: line {first - 1}"' if first > 1 else ""
    spans = "".join(f'<span id="{escaped(prefix)}{number}">{line}</span>\n' for number, line in enumerate(lines, first))
    return f'<pre class="code lines" tabindex=0><code{begin}>{spans}</code></pre>'


def lab(folder, task, first):
    """Return the fold in which the page runs an exercise's code; empty if the lab does not know what its solution needs."""
    found = re.search(r"^// operation: (copy|transpose|batch|in_place)\b", task, flags=re.M)
    solution = folder / "solution.cu"
    needed = read(solution) if solution.exists() and "\n// predict:" not in task else task
    if not found or NOT_IN_LAB.search(needed):
        return ""
    return f'<details class="plain lab" data-lab="{escaped(folder.name)}" data-first={first} hidden><summary>Try it here</summary></details>\n'


def exercise(links, folder, solved):
    """Return an exercise as HTML, and its words for the search index. solved: the checker marked it solved here."""
    name = folder.name
    task = read(folder / "task.cu")
    paragraphs, code, first = task_parts(task)
    parts = [f'<h2 id="{escaped(name)}">{escaped(name)} <a class=here href="#{escaped(name)}" '
             'tabindex=-1 aria-hidden=true>#</a></h2>\n']
    build = [one for one in paragraphs if one.startswith("    nvcc")]
    parts += [task_paragraph(name, one) for one in paragraphs if one not in build]
    parts.append("<details class=plain><summary>The code</summary>"
                 + numbered(highlight.lines("cu", code.rstrip("\n")), first, name + "-") + "</details>\n")
    if solved:
        parts.append("<p class=met>The checker marked it solved on this machine.</p>\n")
    if links.live:
        parts.append(lab(folder, task, first))
    parts.append(task_paragraph(name, f"    ./run_all.sh --exercises {name}  # at the top: compiles answer.cu for the CPU and checks it"
                                + "".join("\n" + one + "  # in its folder, for a GPU" for one in build)))
    hints = folder / "hints.md"
    for number, hint in enumerate(re.split(r"^---\n", read(hints), flags=re.M) if hints.exists() else (), 1):
        body = body_of(links, str(hints.relative_to(links.root)), HINTS.render(hint), name)
        parts.append(f"<details class=plain><summary>Hint {number}</summary>{body.text}</details>\n")
    return "".join(parts), " ".join(" ".join(paragraphs).split())


def exercises(links, entries, entry, solved):
    """Return the HTML text of the page of a step's exercises, and its search entries."""
    step = posixpath.dirname(entry.source)
    lesson = next((one for one in entries if one.source == step + "/README.md"), entry)
    commands = "cd %s\nmake next        # check the next one: what is still missing\n" \
               "make exercises   # what is solved\n" % step
    parts, index = [f"""<h1>{escaped(entry.title)}</h1>
<p>To <a href="{escaped(frame.up(entry.html) + lesson.html)}">{escaped(lesson.title)}</a>. Each exercise is a \
folder. Solve <code>answer.cu</code> in it: the commands below make it, a copy of <code>task.cu</code>. The checker \
runs your answer on the CPU and judges its output and its traffic counts.</p>
<pre class="code sh" tabindex=0><code>{highlight.block("sh", commands)}</code></pre>
"""], []
    for folder in sorted((links.root / entry.source).iterdir()):
        if (folder / "task.cu").is_file():
            text, said = exercise(links, folder, folder.name in solved)
            parts.append(text)
            index.append((folder.name, folder.name, said, 0))
    here = ", ".join(f'<a href="#{name}">{name}</a>' for name in re.findall(' data-lab="([^"]*)"', "".join(parts)))
    parts.insert(1, f"<p>This page itself can run {here} (open <em>Try it here</em>); the others need the checker.</p>\n" if here else "")
    return "".join(parts), index


# ---- files and folders of the tree ----

def tsv_table(text):
    """Return a TSV file as HTML: its lines with # as paragraphs, its rows as a table."""
    parts, rows = [], []
    for line in text.splitlines():
        if line.startswith("#"):
            parts.append(f"<p>{escaped(line[1:])}</p>")
            continue
        cell = "<td%s>%s" if rows else "<th scope=col%s>%s"
        rows.append("<tr>" + "".join(
            cell % (" align=right" if rows and NUMBER.fullmatch(field) else "", escaped(field))
            for field in line.split("\t")))
    table = ["<div class=wide tabindex=0><table>", *rows, "</table></div>"] if rows else []
    return "\n".join(parts + table)


def source_text(path, text):
    """Return the HTML text of the page of a file: a TSV file as a table, any other file with numbered lines."""
    name = posixpath.basename(path)
    ending = name.rpartition(".")[2]
    head = f"<h1>{escaped(name)}</h1>\n<p class=path>{escaped(path)}</p>\n"
    text = text[:-1] if text.endswith("\n") else text
    return head + (tsv_table(text) if ending == "tsv" else numbered(highlight.lines(ending, text), 1, "L"))


def folder_text(path, names):
    """Return the HTML text of the page of a folder: links to the pages of its files."""
    items = "".join(f'<li><a href="{escaped(name)}.html">{escaped(name)}</a></li>\n' for name in names)
    return f"<h1>{escaped(path)}</h1>\n<ul>\n{items}</ul>"


def rank(entry):
    """Return the rank of a page in the search: lessons, then chapters, then tools and exercises, then the rest."""
    if entry.group == "Steps":
        return 3 if entry.level == 1 else 2 if entry.source.endswith(".md") else 1
    return 1 if entry.group in ("Begin", "Tools") else 0


def search_script(entries, index):
    """Return the search script: pages [path, title, rank], entries [page number, anchor, heading, words, 1 if folded]."""
    def line(value):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")

    pages = line([[entry.html, entry.title, rank(entry)] for entry in entries])
    return "window.bookSearch = {pages: %s,\nentries: [\n%s]};\n" % (pages, "".join(line(one) + ",\n" for one in index))
