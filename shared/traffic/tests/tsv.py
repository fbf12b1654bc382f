#!/usr/bin/env python3
"""Reads TSV files for the tests of cpucc and traffic: `# key: value` lines, a header, rows.

usage: tsv.py FILE COLUMN...    prints these columns of each row, with tabs between them
"""
import sys


def rows(path):
    """The rows of a file as dictionaries from column to text."""
    with open(path, errors="replace") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


if __name__ == "__main__":
    for row in rows(sys.argv[1]):
        print("\t".join(row[column] for column in sys.argv[2:]))
