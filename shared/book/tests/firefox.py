"""Drives a headless Firefox over WebDriver BiDi, for browse.py."""
import json
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
        "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010", "Shift": "\ue008"}
PATIENCE = 60  # seconds to wait for an answer


class Firefox:
    """A running Firefox with one tab."""

    def __init__(self, program):
        self.commands = {"open": self.open, "eval": self.evaluate, "key": self.press, "size": self.size}
        self.profile = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        address = Path(self.profile.name) / "WebDriverBiDiServer.json"
        self.process = subprocess.Popen([program, "--headless", "--no-remote", "--profile", self.profile.name, "--remote-debugging-port=0"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(10 * PATIENCE):
            if address.exists() and address.stat().st_size:
                break
            time.sleep(0.1)
        about = json.loads(address.read_text(encoding="utf-8"))
        host, port, self.last, self.read = about["ws_host"], about["ws_port"], 0, b""
        self.socket = socket.create_connection((host, port), PATIENCE)
        self.socket.sendall(f"GET /session HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while self.bytes(1) != b"\n" or not self.head.endswith(b"\r\n\r\n"):
            pass
        self.call("session.new", capabilities={})
        self.tab = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    head = b""

    def bytes(self, count):
        """Return that many bytes of the connection."""
        while len(self.read) < count:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise SystemExit("browse.py: the browser has ended")
            self.read += piece
        taken, self.read = self.read[:count], self.read[count:]
        self.head = (self.head + taken)[-4:]
        return taken

    def receive(self):
        """Return the next message: the frames of a websocket up to the last one of it."""
        text, last = b"", False
        while not last:
            first, length = self.bytes(2)
            if length > 125:
                length = int.from_bytes(self.bytes(2 if length == 126 else 8), "big")
            text, last = text + self.bytes(length), first > 127
        return json.loads(text)

    def call(self, method, **params):
        """Call a method of the protocol; print the problems that pages report meanwhile. Return its result."""
        self.last += 1
        text = json.dumps({"id": self.last, "method": method, "params": params}).encode()
        count = len(text)  # in the shortest form of three
        size = bytes([128 + count]) if count < 126 else b"\xfe" + count.to_bytes(2, "big") if count < 1 << 16 else b"\xff" + count.to_bytes(8, "big")
        masked = bytes(byte ^ 1 for byte in text)  # the mask must not be zero
        self.socket.sendall(b"\x81" + size + b"\1\1\1\1" + masked)
        while (answer := self.receive()).get("id") != self.last:
            self.note(answer.get("method"), answer.get("params", {}))
        if "result" not in answer:
            raise SystemExit(f"browse.py: {method}: {answer.get('message')}")
        return answer["result"]

    @staticmethod
    def note(method, about):
        """Print what a page reports as wrong, and a request that leaves the disk."""
        if method == "log.entryAdded" and about["level"] == "error":
            print("problem:", about["text"], flush=True)
        elif method == "network.beforeRequestSent" and about["request"]["url"].partition(":")[0] not in ("file", "data", "blob", "about"):
            print("problem: a request to", about["request"]["url"], flush=True)

    def open(self, url):
        """Open a page and wait until it is loaded. Firefox's own wait can end with the tab's empty first page."""
        self.call("browsingContext.navigate", context=self.tab, url=url, wait="complete")
        self.call("script.evaluate", expression="new Promise((go) => document.readyState === 'complete' ? go() : addEventListener('load', go))",
                  awaitPromise=True, target={"context": self.tab})

    def evaluate(self, expression):
        """Print the value of an expression of JavaScript."""
        said = self.call("script.evaluate", expression=f"(async () => String(await ({expression})))()", awaitPromise=True,
                         target={"context": self.tab}, userActivation=True)
        if said["type"] != "success":
            raise SystemExit("browse.py: " + said["exceptionDetails"]["text"])
        print(said["result"].get("value", ""))

    def press(self, name):
        """Press and release a key."""
        keys = [KEYS.get(key, key) for key in (["Shift", name[6:]] if name.startswith("Shift+") else [name])]
        actions = [{"type": "keyDown", "value": key} for key in keys] + [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.call("input.performActions", context=self.tab, actions=[{"type": "key", "id": "keys", "actions": actions}])

    def size(self, text):
        """Set the size of the window."""
        width, height = map(int, text.split())
        self.call("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})

    def close(self):
        """End the browser."""
        self.call("browser.close")
        self.process.wait()
        self.profile.cleanup()
