#!/usr/bin/env python3
"""Checks that a page links each committed chart, and that the colours of all charts have enough contrast."""

import os
import re
import subprocess
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PLOTS = os.path.dirname(HERE)
TOP = os.path.dirname(PLOTS)
HEX = re.compile(r"#[0-9a-fA-F]{6}\b")
FILLS = {"light", "blush", "banks"}  # a border of another colour surrounds each
DECORATION = {"lines"}


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def luminance(colour):
    """Returns the relative luminance of #rrggbb, as defined by WCAG."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    dark, bright = sorted([luminance(one), luminance(other)])
    return (bright + 0.05) / (dark + 0.05)


class Colours(unittest.TestCase):
    def setUp(self):
        self.scripts = {name: "\n".join(line for line in text_of(os.path.join(PLOTS, name)).splitlines()
                                        if not line.lstrip().startswith("#"))
                        for name in sorted(os.listdir(PLOTS)) if name.endswith(".gp")}
        self.colours = {name: HEX.findall(value) for name, value in
                        re.findall(r'^(\w+) = "(#[^"]*)"$', self.scripts["style.gp"], re.M)}

    def test_all_stand_in_style(self):
        for name, text in self.scripts.items():
            if name not in ("style.gp", "layout.gp"):
                self.assertEqual(HEX.findall(text), [], "%s has colours of its own" % name)
        named = sum(len(values) for values in self.colours.values())
        self.assertEqual(named, len(HEX.findall(self.scripts["style.gp"])), "each colour has a name")

    def test_marks(self):
        for name, values in self.colours.items():
            for value in values if name not in FILLS | DECORATION else ():
                self.assertGreaterEqual(contrast(value, "#ffffff"), 3, "%s %s on white" % (name, value))

    def test_text(self):
        for text, ground in ("ink", "middle"), ("ink", "light"), ("ink", "blush"), ("dark", "light"):
            self.assertGreaterEqual(contrast(self.colours[text][0], self.colours[ground][0]), 4.5, text + " on " + ground)
        for name in "dark", "alarm", "ink", "faint":
            self.assertGreaterEqual(contrast(self.colours[name][0], "#ffffff"), 4.5, name)
        self.assertGreaterEqual(contrast(self.colours["dark"][0], self.colours["middle"][0]), 3, "neighbours")

    def test_fills_have_borders(self):
        for name, text in self.scripts.items():
            for fill in re.findall(r"fs solid ([^,]*?)\b(?:fc|lc) (?:rgb (?:light|blush)|palette)", text.replace("\\\n", " ")):
                self.assertRegex(fill, r"^border lc rgb (dark|faint|alarm|ink) $", name)

    def test_grid_of_layouts(self):
        """layout.gp draws black numbers on cells that run from white to one blue, each inside a border."""
        text = self.scripts["layout.gp"]
        darkest = re.search(r"palette defined \(0 '#ffffff', 1 '(#\w+)'\)", text).group(1)
        self.assertGreaterEqual(contrast("#000000", darkest), 4.5)
        self.assertGreaterEqual(contrast(re.search(r"border rgb '(#\w+)'", text).group(1), "#ffffff"), 3)


class Figures(unittest.TestCase):
    def test_linked(self):
        pages = subprocess.run(["git", "-C", TOP, "ls-files", "*.md"], stdout=subprocess.PIPE, check=False)
        names = pages.stdout.decode().split("\n")[:-1]
        if not names:
            self.skipTest("not a checkout")
        links = " ".join(text_of(os.path.join(TOP, name)) for name in names if os.path.exists(os.path.join(TOP, name)))
        for figure in sorted(os.listdir(os.path.join(PLOTS, "figures"))):
            if figure.endswith((".svg", ".png")):
                self.assertTrue("figures/%s)" % figure in links, "no page links " + figure)


if __name__ == "__main__":
    unittest.main()
