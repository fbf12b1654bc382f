"""usage: browse.py BROWSER PROFILE-FOLDER < COMMANDS

Drives a headless Chromium over its debugging protocol, through two pipes, or a Firefox (firefox.py), which knows the
commands open, eval, key, size and say. The commands, one per line, act on the tab that was chosen last:

  open URL          go there and wait until it is loaded
  eval EXPRESSION   print the value of the JavaScript expression, or what it promises, as a string
  load FILE         run a script in the page
  before CODE       run the code in pages opened from now on, before their own scripts
  key NAME          press a key: Tab, Shift+Tab, Enter, ArrowDown, ..., or a character
  type TEXT         type the text
  size WIDTH HEIGHT of the window, in CSS pixels; a width below 500 is a phone's
  media NAME        prefer that colour scheme, dark or light; `print` is the medium print, `forced` forced colours
  grey on|off       show the page without colours
  script on|off     whether pages opened from now on run their scripts
  print             print the page and drop the print; the page sees beforeprint and afterprint
  shot FILE [SELECTOR [SCALE]]   write a PNG of the window, or of an element
  tab NUMBER        choose a tab, or open a new one with that number
  say TEXT          print the text

An exception, console.error or a file that cannot be loaded is printed as "problem: TEXT". Exit status: 0 all
commands were carried out, 1 one was not, or the browser ended; 2 wrong usage.
"""
import base64
import fcntl
import json
import os
import signal
import subprocess
import sys

from firefox import Firefox

FLAGS = ("--headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-extensions "
         "--disable-dev-shm-usage --disable-background-networking --disable-ipc-flooding-protection "
         "--remote-debugging-pipe").split()
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, ""), " ": (32, " "), "ArrowLeft": (37, ""),
        "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, ""), "Home": (36, ""), "End": (35, "")}
PATIENCE = 60  # seconds to wait for an answer


class Browser:
    """A running Chromium: its pipes, its tabs (number -> session) and the tab that commands act on."""

    def __init__(self, program, profile):
        read_end, self.out = os.pipe()
        self.into, write_end = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (read_end, write_end)]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "bash", program, *FLAGS,
             f"--user-data-dir={profile}", "about:blank"],
            pass_fds=ends, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for end in (read_end, write_end, *ends):
            os.close(end)
        self.read, self.last, self.loaded, self.tabs, self.tab = b"", 0, False, {}, None
        self.choose("1")

    def receive(self):
        """Return the next message of the browser."""
        signal.alarm(PATIENCE)
        while b"\0" not in self.read:
            piece = os.read(self.into, 1 << 20)
            if not piece:
                sys.exit("browse.py: the browser has ended")
            self.read += piece
        signal.alarm(0)
        text, _, self.read = self.read.partition(b"\0")
        return json.loads(text.decode("utf-8", "replace"))

    def note(self, message):
        """Note that a page is loaded, and print what a page reports as wrong."""
        method, about, why = message.get("method"), message.get("params", {}), None
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            why = details.get("exception", {}).get("description", details["text"])
        elif method == "Runtime.consoleAPICalled" and about["type"] == "error":
            why = about["args"][0].get("value", "console.error")
        elif method == "Log.entryAdded" and about["entry"]["level"] == "error":
            why = about["entry"]["text"]
        if why:
            print("problem:", why, flush=True)

    def call(self, method, **params):
        """Call a method of the protocol. Return its result, or None after printing an error."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.tab:
            message["sessionId"] = self.tab
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while (answer := self.receive()).get("id") != self.last:
            self.note(answer)
        if "error" in answer:
            print("problem:", method, answer["error"]["message"])
        return answer.get("result")

    def choose(self, number):
        """Choose a tab; open it if there is none of that number."""
        if number not in self.tabs:
            self.tab = None
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.tab = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            self.tabs[number] = self.tab
            for part in ("Page", "Runtime", "Log"):
                self.call(part + ".enable")
        self.tab = self.tabs[number]
        self.call("Page.bringToFront")
        return True

    def open(self, url):
        """Open a page and wait until it is loaded."""
        self.loaded = False
        said = self.call("Page.navigate", url=url)
        why = said.get("errorText")
        if why:
            print(f"problem: {url}: {why}")
        while not self.loaded and not why and "loaderId" in said:  # without it, only the fragment is new
            self.note(self.receive())
        return not why

    def evaluate(self, expression):
        """Print the value of an expression of JavaScript."""
        said = self.call("Runtime.evaluate", awaitPromise=True, returnByValue=True, userGesture=True,
                         expression=f"(async () => String(await ({expression})))()")
        wrong = said.get("exceptionDetails")
        if wrong:
            print("problem:", wrong.get("exception", {}).get("description", wrong["text"]))
        else:
            print(said["result"].get("value", ""))
        return not wrong

    def press(self, name):
        """Press and release a key."""
        key = name[6:] if name.startswith("Shift+") else name
        code, text = KEYS.get(key, (0, key))
        about = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if key != name else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", **about, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **about)
        return True

    def shoot(self, said):
        """Write a PNG of the window, or of an element."""
        file, selector, scale = (said + " " * (2 - said.count(" "))).split(" ")
        clip = {}
        if selector:
            box = self.call("Runtime.evaluate", returnByValue=True, expression="(({left: x, top: y, width, height}) => "
                            f"({{x: x + scrollX, y: y + scrollY, width, height}}))(document.querySelector('{selector}').getBoundingClientRect())")
            clip = {"captureBeyondViewport": True, "clip": {**box["result"]["value"], "scale": float(scale or 1)}}
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", **clip)["data"]))
        return True

    def media(self, name):
        """Emulate a colour scheme, forced colours or the medium print."""
        self.call("Emulation.setEmulatedMedia", media="print" if name == "print" else "", features=[
            {"name": "prefers-color-scheme", "value": name if name == "dark" else "light"},
            {"name": "forced-colors", "value": "active" if name == "forced" else "none"}])
        return True

    def size(self, text):
        """Set the size of the window."""
        width, height = map(int, text.split())
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 500)
        return True

    def close(self):
        """End the browser."""
        self.tab = None
        self.call("Browser.close")
        self.process.wait()


def main(words):
    """Carry out the commands on standard input."""
    if len(words) != 2:
        print(__doc__.split("\n", maxsplit=1)[0], file=sys.stderr)
        return 2
    browser = (Firefox if "firefox" in words[0] else Browser)(*words)
    commands = {
        "open": browser.open, "eval": browser.evaluate, "key": browser.press, "size": browser.size,
        "say": lambda text: not print(text),
    }
    commands |= {} if isinstance(browser, Firefox) else {
        "shot": browser.shoot, "media": browser.media, "tab": browser.choose,
        "type": lambda text: browser.call("Input.insertText", text=text) is not None,
        "load": lambda file: browser.call("Runtime.evaluate", expression=open(file, encoding="utf-8").read()) is not None,
        "before": lambda code: browser.call("Page.addScriptToEvaluateOnNewDocument", source=code),
        "grey": lambda word: browser.call("Emulation.setEmulatedVisionDeficiency",
                                          type="achromatopsia" if word == "on" else "none") is not None,
        "script": lambda word: browser.call("Emulation.setScriptExecutionDisabled", value=word == "off") is not None,
        "print": lambda _: browser.call("Page.printToPDF"),
    }
    done = True
    for line in sys.stdin:
        name, _, rest = line.rstrip("\n").partition(" ")
        if name in commands:
            done = bool(commands[name](rest)) and done
        elif name and name[0] != "#":
            sys.exit(f"browse.py: no such command: {name}")
        sys.stdout.flush()
    browser.close()
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
