#!/usr/bin/env python3
"""Tests the tables that charts.py and charts_memory.py make for gnuplot. All numbers here are made up."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import charts
import charts_memory
import results


def table(text, **head):
    """Returns a Table of the text: the first line has the column names, each other line a row, in words."""
    lines = [line.split() for line in text.strip().splitlines()]
    return results.Table(head, lines[0], [dict(zip(lines[0], line)) for line in lines[1:]])


def bandwidths(text, **head):
    """Returns a bandwidth Table of lines: step variant rows cols status gb_per_s percent_of_copy [bytes batches percent_of_memcpy]."""
    columns = "step variant rows cols status gb_per_s percent_of_copy element_bytes batches percent_of_memcpy".split()
    rows = [dict(zip(columns, line.split() + "4 1 nan".split()[len(line.split()) - 10:]), time_ms="1", iqr_ms="0.01")
            for line in text.strip().splitlines()]
    return results.Table(head, columns + ["time_ms", "iqr_ms"], rows)


def of_kind(rows, *kinds):
    return [row for row in rows if row[0] in kinds]


class Bars(unittest.TestCase):
    HEADLINES = {"headline 03_a": "x compared with y", "headline 04_b": "z compared with x"}

    def bars(self, rows, **head):
        """Returns the names and the ends of the progression's bars."""
        made = charts.progression(bandwidths(rows, **head), "nan")
        return [row[4] for row in of_kind(made, "step", "name", "note")], \
            ["%s %s" % (row[0], row[3]) for row in of_kind(made, "headline", "best", "peer")]

    def test_full(self):
        full = results.read(os.path.join(HERE, "data", "full", "bandwidth.tsv"))
        made = charts.progression(full, "4814")
        self.assertEqual(len(of_kind(made, "headline", "peer")), 11, "a bar for each step and transposing peer that ran")
        names = [row[4] for row in of_kind(made, "name")]
        self.assertIn("padded", names)
        self.assertIn("registers4x4_evict_first", names)
        ceilings = sorted(float(row["gb_per_s"]) for row in full.rows if row["variant"] == "ceiling")
        self.assertEqual(float(charts.bandwidth(full)[1]), ceilings[len(ceilings) // 2])

    def test_order(self):
        merged = results.read(os.path.join(HERE, "data", "turns", "merged.tsv"))
        names = [row[4] for rows in charts.variants(merged, "nan").values() for row in of_kind(rows, "name")]
        self.assertEqual("".join(names), "adfbc", "sorted, figureless last")

    def test_headlines(self):
        rows = """03_a x 8 8 ok 300 30
                  03_a y 8 8 ok 302 31
                  04_b z 8 8 ok 200 20
                  04_b w 8 8 ok 500 50
                  05_c v 8 8 ok 400 40"""
        self.assertEqual(self.bars(rows, **self.HEADLINES), (
            ["03_a", "x", "04_b", "z", "best: w", "05_c", "v"],
            ["headline 300", "headline 200", "best 500", "headline 400"]), "302 is within the spread of 300")
        self.assertEqual(self.bars(rows.replace("ok 302", "ok 304"), **self.HEADLINES)[1][:2], ["headline 300", "best 304"])
        failed = rows.replace("z 8 8 ok 200 20", "z 8 8 failed nan nan")
        self.assertEqual(self.bars(failed, **self.HEADLINES)[0][2:5], ["04_b", "z", "best: w"])
        skipped = rows.replace("z 8 8 ok 200 20", "z 8 8 skipped nan nan")
        self.assertEqual(self.bars(skipped, **self.HEADLINES)[0][2:5], ["04_b", "w", "05_c"])

    def test_other_problems(self):
        names, ends = self.bars("""08_x other 8 8 ok 100 10 4 1 nan
                                   08_x half 8 8 ok 90 9 2 1 nan
                                   08_x many 8 8 ok 900 90 4 3 nan""", **{"headline 08_x": "half compared with other"})
        self.assertEqual(names, ["08_x", "half (2-byte elements)", "best: other"])
        self.assertEqual(ends, ["headline 90", "best 100"])

    def test_labels(self):
        made = charts.progression(bandwidths("""04_b z 8 8 ok 400 41
                                                04_b w 8 8 ok 900 92.6
                                                05_c v 8 8 failed nan nan
                                                peers p 8 8 ok 100 10""", **self.HEADLINES), "1000")
        self.assertEqual([row[:1] + row[4:5] for row in of_kind(made, "inside", "outside")], [
            ["inside", "900 GB/s  93 %"], ["inside", "400 GB/s  41 %"], ["outside", "failed"],
            ["outside", "100 GB/s   10 % of copy"]])


class Sizes(unittest.TestCase):
    def test_sizes(self):
        rows, lines, most = charts.sizes(bandwidths("""
            01_naive ceiling 256 256 ok 500 100
            02_smem ceiling 256 256 ok 510.5 100
            01_naive a 1024 1024 ok 90 9
            01_naive a 256 256 ok 100 20
            01_naive b 256 256 ok 120 24
            01_naive b 1024 1024 skipped nan nan
            01_naive b 1000 256 ok 999 99"""))
        self.assertEqual((lines, most), (["01_naive"], "505.25"))
        self.assertEqual(rows[1:], [["256", "505.25", "120"], ["1024", "nan", "90"]])


class Shapes(unittest.TestCase):
    ROWS = """08_x transpose 7 5 ok 900 95 8 3 97.5
              08_x ceiling 7 5 ok 900 100 8 3 101
              08_x windows 7 5 ok 990 99 8 3 99
              06_c best 7 5 ok 900 90 8 3 91.25
              peers cublas_geam 7 5 ok 900 90 8 3 60
              peers cublas_geam_complex 7 5 ok 900 90 8 3 70
              peers torch_copy 7 5 ok 900 90 8 3 100
              peers torch_compiled 7 5 failed nan nan 8 3 nan
              08_x transpose 9 9 skipped nan nan 1 1 nan
              peers torch_contiguous 9 9 ok 1 1 1 1 14"""

    def test_shapes(self):
        rows, slots = charts.shapes(bandwidths(self.ROWS))
        self.assertEqual([row[3] for row in of_kind(rows, "head", "shape")],
                         ["elements of 1 byte", "9 × 9", "elements of 8 bytes", "3 of 7 × 5"])
        self.assertEqual([row[:2] for row in rows if row[0] in charts.CONTENDERS],
                         [["contiguous", "14"], ["geam", "70"], ["steps", "91.25"], ["transpose", "97.5"]])
        self.assertEqual([row[3] for row in of_kind(rows, "ours", "peer")], ["-", "14.0", "97.5", "70.0"])
        self.assertEqual(slots, 0)

    def test_beyond(self):
        rows, slots = charts.shapes(bandwidths(self.ROWS.replace("91.25", "191.25").replace("97.5", "150")))
        self.assertEqual([row[3] for row in of_kind(rows, "beyond")], ["150", "191"])
        self.assertEqual(slots, 2)
        self.assertTrue(all(float(row[1]) > charts.SHAPES_LIMIT for row in of_kind(rows, "steps", "transpose")))


class Many(unittest.TestCase):
    """Rows are: variant gpus size GB/s."""

    @staticmethod
    def table(rows):
        lines = [line.split() for line in rows.strip().splitlines()]
        return table("\n".join(["step variant rows cols status gb_per_s percent_of_copy gpus"] + [
            "%s %s %s %s %s %s 50 %s" % ("peers" if name.startswith("torch") else "09_m", name, size, size,
                                         "skipped" if speed == "nan" else "ok", speed, gpus)
            for name, gpus, size, speed in lines]))

    ROWS = """graph 2 64 380
              pieces128 2 64 370
              ceiling 2 64 390
              torch_many 2 64 120
              scattered 2 64 nan
              graph 2 16 200
              ceiling 2 16 300
              graph 4 64 360
              ceiling 4 64 391"""

    def test_variants(self):
        rows = charts.many_variants(self.table(self.ROWS), "478")
        self.assertEqual([row[4] for row in of_kind(rows, "name")], ["graph", "pieces128", "torch_many", "scattered"],
                         "the first size and number of GPUs alone")
        self.assertEqual([row[0] for row in of_kind(rows, "headline", "peer")], ["headline", "headline", "peer"])

    def test_lines(self):
        made = self.table(self.ROWS)
        self.assertEqual(charts.many_lines(made, "rows"), (
            [["rows", "ceiling", "graph", "pieces128", "torch_many"], ["16", "300", "200", "nan", "nan"],
             ["64", "390", "380", "370", "120"]], ["graph", "pieces128", "torch_many"]))
        self.assertEqual(charts.many_lines(made, "gpus")[0][1:], [["2", "390", "380", "370", "120"],
                                                                  ["4", "391", "360", "nan", "nan"]])
        self.assertEqual(charts.many_lines(self.table("graph 2 64 380"), "gpus"), ([], ["graph"]))


class Memory(unittest.TestCase):
    def test_counts(self):
        size, rows = charts_memory.counts(table("""
            step variant rows cols counter requests work ideal_work
            02_smem a 64 64 global_load 10 320 40
            02_smem a 64 64 global_store 0 0 0
            02_smem a 64 64 shared_load 10 160 20
            02_smem a 64 64 async_copy_shared 5 20 20
            02_smem a 64 64 tma_store 1 64 64"""))
        self.assertEqual(size, "64 x 64")
        self.assertEqual([row[:2] + row[3:] for row in rows if row[0] not in ("kind", "head", "variant")], [
            ["counted", 0, "32", "nan", ""], ["ideal", 0, "4", "32", ""], ["number", 0, "32", "nan", "32"],
            ["tma", 1, "1", "nan", ""],
            ["counted", 2, "8", "nan", ""], ["ideal", 2, "1", "8", ""],
            ["number", 2, "8", "nan", "8"],
            ["counted", 3, "1", "nan", ""], ["number", 3, "1", "nan", "1 async"]])

    @staticmethod
    def piles(wavefront, part, ideal):
        """Returns lanes() for a warp whose lane l accesses word 2 * l in wavefront(l)."""
        return charts_memory.lanes([
            {"variant": "v", "counter": "shared_load", "lane": str(lane), "bank": str(2 * lane % 32), "word": str(2 * lane),
             "wavefront": str(wavefront(lane)), "part": str(part(lane)), "ideal_work": str(ideal)} for lane in range(32)])

    def test_lanes(self):
        conflict = self.piles(lambda lane: lane // 16, lambda lane: 0, 1)
        self.assertIn("shared_load: a pile 2 high where 1 would do", of_kind(conflict, "title")[0][3])
        self.assertEqual(len(of_kind(conflict, "word")), 32)
        self.assertEqual([row[2:] for row in of_kind(conflict, "word") if row[1] == "0"], [["3.8", "0"], ["2.8", "16"]],
                         "lane 16 stands on lane 0")
        self.assertEqual(of_kind(conflict, "part"), [])
        two_parts = self.piles(lambda lane: lane // 16, lambda lane: lane // 16, 2)
        self.assertIn("2 high, as low as can be", of_kind(two_parts, "title")[0][3])
        self.assertEqual(len(of_kind(two_parts, "part")), 1)

    def test_shared_word(self):
        rows = [{"variant": "v", "counter": "shared_load", "lane": str(lane), "bank": "7", "word": "7", "wavefront": "0",
                 "part": "0", "ideal_work": "1"} for lane in range(32)]
        self.assertEqual(len(of_kind(charts_memory.lanes(rows), "word")), 1, "lanes that access one word share a box")

    def test_groups(self):
        def request(distance):
            return charts_memory.groups([
                {"variant": "v", "counter": "shared_store", "lane": str(lane),
                 "bank": str((distance * lane + word) % 32)} for lane in range(32) for word in range(4)])
        self.assertIn("eight groups: one wavefront", [row[4] for row in request(4)])
        self.assertIn("8 lanes in one group: 8 wavefronts", [row[4] for row in request(32)])
        self.assertEqual(charts_memory.groups([{"variant": "v", "counter": "shared_load", "lane": "0", "bank": "0"}]), [])

    def test_windows(self):
        """A tile writes sectors partly in all but one of eight rows; windows write only whole sectors."""
        rows = charts_memory.windows()
        self.assertEqual((len(of_kind(rows, "part")), len(of_kind(rows, "whole"))), (14, 25))

    def test_verdict(self):
        tile = [{"row": str(row), "col": str(col), "bank": str((pitch * row + col) % 32)}
                for pitch in (32,) for row in range(32) for col in range(32)]
        self.assertEqual(charts_memory.bank_map_verdict(tile), "a row: no conflict, a column: 32-way conflict")


if __name__ == "__main__":
    unittest.main()
