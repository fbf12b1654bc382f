"""usage: browse.py BROWSER < COMMANDS

Drives a headless Chromium through Playwright, or a Firefox (firefox.py), which knows the commands open, eval, key,
size and say. The commands, one per line, act on the tab that was chosen last:

  open URL          go there and wait until it is loaded
  eval EXPRESSION   print the value of the JavaScript expression, or what it promises, as a string
  load FILE         run a script in the page
  axe               print how many of axe-core's rules the page obeys, and each violation
  before CODE       run the code in pages opened from now on, before their own scripts
  key NAME          press a key: Tab, Shift+Tab, Enter, ArrowDown, ..., or a character
  type TEXT         type the text
  size WIDTH HEIGHT of the window, in CSS pixels
  media NAME        prefer that colour scheme, dark or light; `print` is the medium print, `forced` forced colours
  print             print the page and drop the print; the page sees beforeprint and afterprint
  shot FILE [SELECTOR]   write a PNG of the window, or of an element
  tab NUMBER        choose a tab, or open a new one with that number
  unscripted        continue in a new tab that runs no scripts of pages
  say TEXT          print the text

An exception, console.error, a file that cannot be loaded or a request to a network is printed as "problem: TEXT".
Exit status: 0 all commands were carried out, 1 one was not, or the browser ended; 2 wrong usage.
"""
import json
import signal
import sys

from firefox import Firefox

try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright
except ImportError:  # firefox.py does without
    pass

PATIENCE = 60  # seconds that a command may take


def problem(text):
    """Print what a page does wrong."""
    print("problem:", text, flush=True)


class Chromium:
    """A running Chromium: its tabs (number -> page) and the page that commands act on."""

    def __init__(self, program):
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        self.context, self.tabs = self.new_context(), {}
        self.tab("1")
        self.commands = {
            "open": lambda url: self.page.goto(url),
            "eval": lambda code: print(self.page.evaluate(f"(async () => String(await ({code})))()")),
            "load": lambda file: self.page.add_script_tag(path=file),
            "axe": self.axe,
            "before": lambda code: self.context.add_init_script(code),
            "key": lambda name: self.page.keyboard.press(name),
            "type": lambda text: self.page.keyboard.insert_text(text),
            "size": lambda sides: self.page.set_viewport_size(dict(zip(("width", "height"), map(int, sides.split())))),
            "media": lambda name: self.page.emulate_media(
                media="print" if name == "print" else "screen", color_scheme="dark" if name == "dark" else "light",
                forced_colors="active" if name == "forced" else "none"),
            "print": lambda _: self.page.pdf(),
            "shot": self.shot, "tab": self.tab, "unscripted": self.unscripted,
        }

    def new_context(self, **options):
        """Return a new profile, whose pages report problems."""
        context = self.browser.new_context(**options)
        context.on("weberror", lambda one: problem(one.error.stack or one.error))
        context.on("console", lambda said: said.type == "error" and problem(said.text))
        context.on("request", lambda one: one.url.startswith(("http", "ws")) and problem("a request to " + one.url))
        return context

    def tab(self, number):
        """Choose a tab; open it if there is none of that number."""
        if number not in self.tabs:
            self.tabs[number] = self.context.new_page()
        self.page = self.tabs[number]
        self.page.bring_to_front()

    def unscripted(self, _):
        """Open a tab that runs no scripts."""
        self.page = self.new_context(java_script_enabled=False).new_page()

    def shot(self, words):
        """Write a PNG of the window, or of an element."""
        file, _, selector = words.partition(" ")
        (self.page.locator(selector) if selector else self.page).screenshot(path=file)

    def axe(self, _):
        """Print what axe-core finds."""
        found = Axe().run(self.page, options={"preload": False, "resultTypes": ["violations"]}).response
        wrong = [f"{one['id']} {one['nodes'][0]['html'][:120]}" for one in found["violations"]]
        print("axe", len(found["passes"]), json.dumps(wrong))

    def close(self):
        """End the browser."""
        self.browser.close()
        self.playwright.stop()


def main(words):
    """Carry out the commands on standard input."""
    if len(words) != 1:
        print(__doc__.split("\n", maxsplit=1)[0], file=sys.stderr)
        return 2
    signal.alarm(PATIENCE)
    browser = (Firefox if "firefox" in words[0] else Chromium)(words[0])
    commands = {"say": print, **browser.commands}
    for line in sys.stdin:
        signal.alarm(PATIENCE)
        name, _, rest = line.rstrip("\n").partition(" ")
        if name not in commands:
            sys.exit(f"browse.py: no such command: {name}")
        commands[name](rest)
        sys.stdout.flush()
    browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
