"""Loops of machine code: scores need no cache of it, and whatever is wrong there, they run once and right."""

import errno
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

LOOPS = """
from sera.compiled import compiled

@compiled
def total(numbers):
    found = 0
    for number in numbers:
        found += number
    return found

@compiled
def count_up(numbers):
    numbers[0] += 1
    if numbers[0] > 9:
        raise OSError("too many")
    return total(numbers)
"""
DAMAGE = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:60]),
    "garbage": lambda path: path.write_bytes(b"\x80\x05garbage" * 40),
    "another pickle": lambda path: path.write_bytes(b"\x80\x04N."),
}


def module_of(file):
    specification = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


class Loops:
    """A file of loops; each `load` is as in a new process, which has only the cache."""

    def __init__(self, folder):
        self.file = folder / "loops.py"
        self.file.write_text(LOOPS)
        self.load()

    def load(self):
        self.module = module_of(self.file)
        numbers = np.array([1, 2, 3])
        assert self.module.count_up(numbers) == 7 and numbers.tolist() == [2, 2, 3]

    def cached(self, ending):
        (path,) = Path(self.module.count_up.machine_code.stats.cache_path).glob(f"loops.count_up*{ending}")
        return path

    @property
    def loaded(self):
        """The number of times that the code came from the cache."""
        return sum(self.module.count_up.machine_code.stats.cache_hits.values())


@pytest.fixture
def loops(tmp_path):
    return Loops(tmp_path)


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_a_damaged_file_of_the_cache_is_replaced(loops, ending, damage):
    loops.load()
    assert loops.loaded == 1
    DAMAGE[damage](loops.cached(ending))
    loops.load()
    assert loops.loaded == 0
    loops.load()
    assert loops.loaded == 1


def test_a_cache_on_a_full_disk(loops, monkeypatch):
    def fail(*paths):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    index = loops.cached(".nbi")
    index.unlink()
    monkeypatch.setattr(os, "replace", fail)
    loops.load()
    index.write_bytes(b"")
    loops.load()
    assert loops.loaded == 0


def test_an_index_that_is_a_folder(loops):
    index = loops.cached(".nbi")
    index.unlink()
    (index / "x").mkdir(parents=True)
    loops.load()
    assert (index / "x").is_dir() and loops.loaded == 0


@pytest.mark.parametrize("name", ["a file", "a file/inside it"])
def test_a_folder_of_the_cache_that_is_a_file(loops, monkeypatch, tmp_path, name):
    (tmp_path / "a file").touch()
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / name))
    loops.load()


@pytest.mark.parametrize("damage", [None, "cut"])
def test_what_a_loop_raises_comes_once(loops, damage):
    if damage:
        DAMAGE[damage](loops.cached(".nbc"))
        loops.load()
    numbers = np.array([9, 1])
    with pytest.raises(OSError, match="too many"):
        loops.module.count_up(numbers)
    assert numbers.tolist() == [10, 1]
    floats = np.array([1.5, 1.0])  # code for other types is compiled later
    assert loops.module.count_up(floats) == 3.5


def test_what_cannot_be_compiled_is_said(tmp_path):
    (tmp_path / "wrong.py").write_text(LOOPS.replace("numbers[0] += 1", "numbers.nothing()"))
    with pytest.raises(Exception, match="nothing"):
        module_of(tmp_path / "wrong.py").count_up(np.array([1]))


def test_numba_does_not_import_linear_algebra_before_it_is_used(tmp_path):
    """Which took a sixth of `sera score`; the functions of others still find it."""
    program = """
import sys
import numpy as np
from sera.compiled import compiled

@compiled
def double(number):
    return 2.0 * number

print(double(3.0), "scipy.linalg" in sys.modules)
import numba

@numba.njit
def product(a, b):
    return np.dot(a, b)

print(product(np.eye(2), np.array([1.0, 2.0])), "scipy.linalg" in sys.modules)
"""
    (tmp_path / "program.py").write_text(program)
    done = subprocess.run(
        [sys.executable, tmp_path / "program.py"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["6.0 False", "[1. 2.] True"]
