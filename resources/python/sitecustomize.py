# SPDX-License-Identifier: MIT
"""Adds to a recording what PyTorch alone knows: its allocator's history, and record_function ranges as NVTX.

Python imports this by its name at start, from a folder that the recorder puts into PYTHONPATH. It changes nothing of a
program that does not import torch, and a failure here is a line on standard error, never an exception in the program.
"""
import importlib.abc
import importlib.machinery
import os
import sys


def _complain(what, error):
    sys.stderr.write("warpline: %s: %s: %s\n" % (what, type(error).__name__, error))


def _leave_path():
    """Takes this folder out of the search path again and runs the sitecustomize that it stands before."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


class _Recorder:
    """The recorder's entries in this process; None where it is not recorded."""

    ACTIONS = {
        "alloc": 1,
        "free_requested": 2,
        "free_completed": 3,
        "segment_alloc": 4,
        "segment_free": 5,
        "segment_map": 6,
        "segment_unmap": 7,
        "oom": 8,
        "snapshot": 9,
    }

    def __init__(self, path):
        import ctypes

        library = ctypes.CDLL(path)
        self._fact = library.warpline_note_fact
        self._fact.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        self._allocation = library.warpline_note_allocation
        self._allocation.argtypes = [
            ctypes.c_int64,
            ctypes.c_uint64,
            ctypes.c_uint64,
            ctypes.c_uint64,
            ctypes.c_uint32,
            ctypes.c_uint32,
            ctypes.c_char_p,
        ]

    def fact(self, key, value):
        self._fact(key.encode(), str(value).encode())

    def allocation(self, device, entry, size):
        frames = entry.get("frames") or []
        stack = "\n".join("%s:%s %s" % (f["filename"], f["line"], f["name"]) for f in frames[:40])
        self._allocation(
            int(entry.get("time_us", 0)) * 1000,
            entry.get("addr", entry.get("device_free", 0)) & 0xFFFFFFFFFFFFFFFF,
            size,
            entry.get("stream", 0) & 0xFFFFFFFFFFFFFFFF,
            self.ACTIONS.get(entry.get("action"), 10),
            device,
            stack.encode(errors="replace") if stack else None,
        )


class _Blocks:
    """What an allocation takes of its segment, as PyTorch counts it: its history has what was asked for.

    Follows the allocator's own rules: sizes are rounded up to 512 bytes, and a free block is split unless what would
    be left of it is under 512 bytes (small blocks) or no more than 1 MiB (large ones).
    """

    STEP = 512
    SMALL = 1 << 20

    def __init__(self, always_splits):
        self.always_splits = always_splits
        self.free, self.ends, self.taken, self.segments = {}, {}, {}, {}

    def _add(self, address, size):
        self.free[address] = size
        self.ends[address + size] = address

    def _remove(self, address):
        size = self.free.pop(address)
        del self.ends[address + size]
        return size

    def segment(self, address, size):
        self.segments[address] = size
        self._give(address, size, joins=self.always_splits)

    def segment_gone(self, address, size):
        self.segments.pop(address, None)
        if self.free.get(address) == size:
            self._remove(address)

    def take(self, address, asked):
        size = max(self.STEP, (asked + self.STEP - 1) // self.STEP * self.STEP)
        if address in self.free:
            whole = self._remove(address)
            rest = whole - size
            splits = rest >= self.STEP if size <= self.SMALL or self.always_splits else rest > self.SMALL
            if rest > 0 and splits:
                self._add(address + size, rest)
            elif rest > 0:
                size = whole
        self.taken[address] = size
        return size

    def give(self, address, asked):
        size = self.taken.pop(address, asked)
        self._give(address, size, joins=True)
        return size

    def _give(self, address, size, joins):
        if joins:
            if address + size in self.free and (address + size not in self.segments or self.always_splits):
                size += self._remove(address + size)
            if address in self.ends and (address not in self.segments or self.always_splits):
                before = self.ends[address]
                size += self._remove(before)
                address = before
        self._add(address, size)

    def bytes_of(self, entry):
        """Of an entry of the history, after its effect."""
        action, size = entry.get("action"), entry.get("size", 0)
        address = entry.get("addr", 0)
        if action in ("segment_alloc", "segment_map"):
            self.segment(address, size)
        elif action in ("segment_free", "segment_unmap"):
            self.segment_gone(address, size)
        elif action == "alloc":
            return self.take(address, size)
        elif action == "free_completed":
            return self.give(address, size)
        elif action == "free_requested":
            return self.taken.get(address, size)
        return size


def _name_ranges(torch):
    """record_function also pushes an NVTX range."""
    ranges = torch.autograd.profiler.record_function
    enter, leave = ranges.__enter__, ranges.__exit__

    works = [True]

    def call(function, *arguments):
        # A torch without CUDA has no NVTX, and says so by an exception.
        try:
            if works[0]:
                function(*arguments)
        except Exception as error:
            works[0] = False
            _complain("record_function ranges are not in the recording", error)

    def enter_named(self):
        call(torch.cuda.nvtx.range_push, self.name)
        return enter(self)

    def leave_named(self, *details):
        call(torch.cuda.nvtx.range_pop)
        return leave(self, *details)

    ranges.__enter__, ranges.__exit__ = enter_named, leave_named


def _follow_allocator(torch, recorder):
    import atexit

    entries = int(os.environ.get("WARPLINE_ALLOCATOR_ENTRIES", "1000000"))

    def begin():
        torch.cuda.memory._record_memory_history(enabled="all", context="alloc", stacks="python", max_entries=entries)

    def end():
        if not torch.cuda.is_initialized():
            return
        traces = torch.cuda.memory._snapshot().get("device_traces", [])
        for device, trace in enumerate(traces):
            if len(trace) >= entries:
                recorder.fact("torch.%d.history_cut_at_entries" % device, entries)
            blocks = _Blocks(any(entry.get("action") == "segment_map" for entry in trace))
            for entry in trace:
                recorder.allocation(device, entry, blocks.bytes_of(entry))
        for device in range(torch.cuda.device_count()):
            recorder.fact("torch.%d.max_memory_allocated" % device, torch.cuda.max_memory_allocated(device))
            recorder.fact("torch.%d.max_memory_reserved" % device, torch.cuda.max_memory_reserved(device))

    def end_safely():
        try:
            end()
        except Exception as error:  # the backend may have no history (cudaMallocAsync)
            _complain("PyTorch's allocations are not in the recording", error)

    def begin_safely():
        try:
            begin()
        except Exception as error:
            _complain("PyTorch's allocations are not in the recording", error)

    torch.cuda._lazy_call(begin_safely)
    atexit.register(end_safely)


def _install(torch):
    try:
        recorder = _Recorder(os.environ["CUDA_INJECTION64_PATH"])
        recorder.fact("torch.version", torch.__version__)
        _name_ranges(torch)
        _follow_allocator(torch, recorder)
    except Exception as error:
        _complain("PyTorch is recorded without its own knowledge", error)


class _AfterTorch(importlib.abc.MetaPathFinder):
    """Finds torch as ever, and installs once it is loaded."""

    def find_spec(self, name, path, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_install(module):
            execute(module)
            _install(module)

        spec.loader.exec_module = execute_and_install
        return spec


try:
    import importlib.util

    if "CUDA_INJECTION64_PATH" in os.environ and "WARPLINE_RECORD_FOLDER" in os.environ:
        sys.meta_path.insert(0, _AfterTorch())
except Exception as error:
    _complain("the Python side of the recording", error)
finally:
    _leave_path()
