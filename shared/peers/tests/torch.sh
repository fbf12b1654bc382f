#!/bin/bash
# PyTorch's peer without PyTorch: its command line, and how it times, with a clock of the test's.
set -u
# shellcheck source=../../traffic/tests/checks.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
peer=$root/shared/peers/torch_transpose.py
command -v python3 >/dev/null || { skip "no python3"; finish; }
export PYTHONPATH=${peer%/*} PYTHONDONTWRITEBYTECODE=1

# refused ARGUMENT...: status 2 and one line.
refused() {
    expect 2 python3 "$peer" "$@"
    check "$*: one line" [ "$(cat "$work/out" "$work/err" | wc -l)" = 1 ]
}
refused --size 0
refused --size 2147483648
refused --rows 5
refused --size 5 --rows 5 --cols 5
refused --variant nonesuch
refused --device -1
refused --rounds none
refused --tsv "$work/none/x.tsv"
refused --tsv "$work"
refused --prepare 0
expect 0 python3 "$peer" --list
check "the peers" [ "$(tr '\n' ' ' <"$work/out")" = \
    "torch_copy torch_contiguous torch_compiled torch_max_autotune " ]

peer=$root/shared/peers/torch_many.py
refused --size 0
refused --gpus 9
refused --variant torch_copy
refused --tsv "$work/none/x.tsv"
expect 0 python3 "$peer" --list
check "its variants" [ "$(wc -l <"$work/out")" = 4 ]
peer=$root/shared/peers/torch_transpose.py

# Two contenders and three rounds. A launch of a takes 0.25 ms, of b 5 ms; the first in any sample
# must be untimed, after the device is waited for and L2's lines are reset.
cat >"$work/time.py" <<'END'
import types

import torch_timing as peer

notes = []


class Event:
    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        notes.append("<" if "<" not in notes[notes.index("sync", self.last()):] else ">")

    def synchronize(self):
        pass

    def elapsed_time(self, stop):
        timed = notes[self.last():]
        timed = timed[timed.index("<"):]
        return 0.25 * timed.count("a") + 5 * timed.count("b")

    @staticmethod
    def last():
        return max(i for i, word in enumerate(notes) if word == "sync")


torch = types.SimpleNamespace(cuda=types.SimpleNamespace(
    Event=Event, synchronize=lambda: notes.append("sync")))
functions = {name: lambda name=name: notes.append(name) for name in "ab"}
times = peer.measure(torch, functions, 3, lambda: notes.append("reset"))
print("".join(notes).replace("sync", "\nsync "))
print("times", times)
END
expect 0 python3 "$work/time.py"
check "a sample: $(sed -n '/^sync/p' "$work/out" | head -3 | tr '\n' ' ')" \
    [ "$(grep -c '^sync' "$work/out")" = "$(grep -cxE 'sync reset([ab])<\1+>' "$work/out")" ]
check "three rounds in turns, a millisecond each: $(cat "$work/out")" \
    [ "$(grep '^sync' "$work/out" | tail -n 6 | tr -d '\n')" = "$(for _ in 1 2 3; do
        printf 'sync reseta<aaaaaaaa>sync resetb<b>'; done)" ]
says "^times {'a': (0.25, 0.0), 'b': (5.0, 0.0)}$"

# Where a driver lacks the function or refuses it, that is said once; before 8.0 there is nothing.
cat >"$work/reset.py" <<'END'
import ctypes
import types

import torch_timing as peer

calls = []


def open_driver(status):
    def reset():
        calls.append(status)
        return status
    return lambda name: types.SimpleNamespace(cuCtxResetPersistingL2Cache=reset)


def old_driver(name):
    return types.SimpleNamespace()


def no_driver(name):
    raise OSError(name)


for driver in open_driver(0), open_driver(801), old_driver, no_driver:
    ctypes.CDLL = driver
    for capability in (7, 5), (9, 0):
        function = peer.find_reset(capability)
        function()
        function()
print("calls", calls)
END
expect 0 python3 "$work/reset.py"
says '^calls \[0, 0, 801\]$'
check "three lines: $(cat "$work/err")" \
    [ "$(grep -c 'cuCtxResetPersistingL2Cache.*depend' "$work/err") $(wc -l <"$work/err")" = "3 3" ]
# Problems from standard input: each has its answer, also one that is wrong or fails.
cat >"$work/serve.py" <<'END'
import types

import torch_transpose as peer


def run_problem(torch, device, fastest, options, arguments):
    if options.rows == 6:
        raise RuntimeError("out of memory")
    print("rows", options.rows, "cols", options.cols, "bytes", options.element_bytes, arguments[-1])
    return options.rows


peer.run_problem = run_problem
reset = types.SimpleNamespace(reset=lambda: None)
torch = types.SimpleNamespace(_dynamo=reset, cuda=types.SimpleNamespace(empty_cache=lambda: None))
peer.serve(torch, None, None)
END
printf '%s\n' '--rows 0 --cols 5' '--rows 1 --cols 2 --element-bytes 16' '--rows 6 --cols 2' '--size 3 --batches 7' >"$work/problems"
expect 0 sh -c "exec python3 '$work/serve.py' <'$work/problems'"
check "four answers: $(tr '\n' ';' <"$work/out")" [ "$(cat "$work/out")" = "status 2
rows 1 cols 2 bytes 16 16
status 1
status 1
rows 3 cols 3 bytes 4 7
status 3" ]
# The step programs' copy kernel as a library: built where there is nvcc, else a note.
cat >"$work/copy.py" <<'END'
import sys

import torch_timing as peer

if sys.argv[2:]:
    peer.shutil.which = lambda name: sys.argv[2]
print("copy:", peer.build_fastest_copy(sys.argv[1], (9, 0), 0))
END
expect 0 python3 "$work/copy.py" "$work" "$work/no_nvcc"
says 'is not built .*: the ceiling is PyTorch.s own copy$'
says '^copy: None$'
if command -v nvcc >/dev/null; then
    expect 0 python3 "$work/copy.py" "$work"
    check "it is built: $(cat "$work/err")" [ -f "$work/copy.so" ]
    if nvidia-smi -L >/dev/null 2>&1; then says '^copy: <function'; else says 'cannot use this device'; fi
else
    skip "no nvcc: the copy kernel is not built"
fi
finish
