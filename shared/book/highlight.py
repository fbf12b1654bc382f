"""Turns code into coloured HTML. Pygments finds the tokens; this module gives them the classes of style.css."""
import functools

from pygments.lexers import (BashLexer, CppLexer, CssLexer, CudaLexer, HtmlLexer, JavascriptLexer, MakefileLexer,
                             PythonLexer)
from pygments.token import Comment, Keyword, Name, Number, String

from frame import escaped


class CudaCppLexer(CudaLexer, CppLexer):
    """CUDA C++. Pygments' CUDA lexer knows only C, so this lexer adds the keywords of C++."""


LEXERS = {
    ("c", "h", "cpp", "c++", "cu", "cuh", "cuda"): CudaCppLexer,
    ("sh", "console"): BashLexer,
    ("py", "python"): PythonLexer,
    ("js",): JavascriptLexer,
    ("css",): CssLexer,
    ("html",): HtmlLexer,
    ("mk", "Makefile"): MakefileLexer,
}
known = {}  # language -> lexer, made at first use

CLASSES = ((Comment.Preproc, "p"), (Comment.PreprocFile, "p"), (Comment, "c"), (Name.Builtin, "b"), (Keyword, "k"),
           (String, "s"), (Number, "n"))


def lexer(language):
    """Return the lexer for a language or a file's extension; None if the text is shown plain."""
    if language not in known:
        found = [lexer for names, lexer in LEXERS.items() if language in names]
        known[language] = found[0](stripnl=False, ensurenl=False) if found else None
    return known[language]


@functools.lru_cache(maxsize=None)
def class_of(kind, reserved):
    """Return the CSS class of a kind of token; empty for plain text. reserved: the token begins with __, as in CUDA."""
    if reserved and (kind in Name or kind in Keyword):
        return "b"
    return next((name for token, name in CLASSES if kind in token), "")


def span(name, text):
    """Return the text as HTML with a CSS class."""
    return f"<span class={name}>{escaped(text)}</span>" if name and text else escaped(text)


def lines(language, text):
    """Return the text's lines as HTML, coloured if the language is known."""
    found = lexer(language)
    if not found:
        return [escaped(line) for line in text.split("\n")]
    done, line, name, waiting = [], "", "", ""
    for kind, piece in found.get_tokens(text):
        for i, part in enumerate(piece.split("\n")):
            if i:
                done.append(line + span(name, waiting))
                line = waiting = ""
            part_name = class_of(kind, piece.startswith("__")) if part.strip() else ""
            if part_name != name and part:
                line, waiting, name = line + span(name, waiting), "", part_name
            waiting += part
    return done + [line + span(name, waiting)]


def console_line(line):
    """Return a terminal's line as HTML: a command if it starts with a prompt, otherwise output."""
    if line.startswith("$ "):
        return "<span class=o>$ </span><b>" + lines("console", line[2:])[0] + "</b>"
    return span("o", line)


def block(language, text):
    """Return a listing as HTML, including its last newline."""
    if language == "console":
        return "\n".join(console_line(line) for line in text.split("\n"))
    return "\n".join(lines(language, text))
