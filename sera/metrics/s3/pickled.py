"""Reads a pickled support vector regression of an old scikit-learn without running anything of it.

The models that the authors of S3 released are pickles of Python 2 (protocol 0). To unpickle a file runs what
it names. Here, its operations are read as data: only those that such a file has are known, and the names in
it stand for two kinds of value, an object with entries and an array whose bytes are copied. Everything else
is refused.
"""

from __future__ import annotations

import math
from os import PathLike
from typing import Any

import numpy as np

from sera.errors import InputError
from sera.io.files import read_bytes
from sera.settings import shown

LARGEST = 64 * 2**20
"""Bytes of the largest file that is read; those of the authors have up to 0.6 MB."""

_REMEDY = "Give a model that the authors of S3 released: models/en/svr.pyr_score.en.pkl, for example."

_RECONSTRUCTOR, _OBJECT, _SVR = "copy_reg _reconstructor", "__builtin__ object", "sklearn.svm.classes SVR"
_NEW_ARRAY, _ARRAY, _TYPE = "numpy.core.multiarray _reconstruct", "numpy ndarray", "numpy dtype"
_NAMES = (_RECONSTRUCTOR, _OBJECT, _SVR, _NEW_ARRAY, _ARRAY, _TYPE)
_TYPES = {"f8": "<f8", "i4": "<i4"}


class _Refused(Exception):
    pass


class _Name(str):
    """One of `_NAMES`; nothing is imported for it."""


class _Mark:
    pass


class _Numbers:
    """An array, empty until its state is set."""

    array: np.ndarray = np.zeros(0)


class _Kind(str):
    """The type of an array's numbers, as `_TYPES` has it."""


def read_regression(path: str | PathLike[str]) -> dict[str, Any]:
    """The entries of the regression by name: numbers, texts, tuples and numpy arrays.

    InputError for any other content, with the place of the operation that is refused, in bytes from 0.
    """
    content = read_bytes(path, "a pickled model", largest=LARGEST)
    machine = _Machine(content)
    try:
        return machine.run()
    except (_Refused, ValueError, TypeError, LookupError, OverflowError) as error:
        problem = f"byte {machine.place}: {error}" if isinstance(error, _Refused) else _broken(machine)
        raise InputError(
            f"is not a pickled model of S3: {problem}", path=path, remedy=f"Nothing of it was run. {_REMEDY}"
        ) from None


def _broken(machine: _Machine) -> str:
    return f"byte {machine.place}: its operations do not fit each other"


class _Machine:
    """The stack, the memory and the place of reading; ``run`` gives the entries of the object at the end."""

    def __init__(self, content: bytes) -> None:
        self.content, self.next, self.place = content, 0, 0
        self.stack: list[Any] = []
        self.memory: dict[str, Any] = {}

    def run(self) -> dict[str, Any]:
        while True:
            self.place = self.next
            code = self.content[self.next : self.next + 1]
            self.next += 1
            if code == b".":
                break
            step = _STEPS.get(code)
            if step is None:
                raise _Refused(f"the operation {code!r} is not allowed" if code else "it ends too early")
            step(self)
        (found,) = self.stack
        if not isinstance(found, dict):
            raise _Refused("it holds no regression")
        return found

    def line(self) -> str:
        """The rest of the line, as text of one byte per character."""
        end = self.content.index(b"\n", self.next)
        text = self.content[self.next : end].decode("latin-1")
        self.next = end + 1
        return text

    def name(self) -> None:
        name = f"{self.line()} {self.line()}"
        if name not in _NAMES:
            raise _Refused(f"the name {shown(name.replace(' ', '.', 1))} is not allowed")
        self.stack.append(_Name(name))

    def text(self) -> None:
        line = self.line()
        if len(line) < 2 or line[0] not in "'\"" or line[-1] != line[0]:
            raise _Refused("a text has no quotes")
        # Python 2 wrote bytes; their escapes are those of Python's texts up to \xff
        self.stack.append(line[1:-1].encode("latin-1").decode("unicode_escape").encode("latin-1"))

    def whole(self) -> None:
        line = self.line()
        self.stack.append({"00": False, "01": True}[line] if line in ("00", "01") else int(line))

    def close_tuple(self) -> None:
        marks = [number for number, one in enumerate(self.stack) if isinstance(one, _Mark)]
        if not marks:
            raise _Refused("a tuple has no start")
        self.stack[marks[-1] :] = [tuple(self.stack[marks[-1] + 1 :])]

    def open_dictionary(self) -> None:
        if not isinstance(self.stack.pop(), _Mark):
            raise _Refused("a dictionary has entries at its start")
        self.stack.append({})

    def entry(self) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        if not isinstance(key, bytes) or not isinstance(self.stack[-1], dict):
            raise _Refused("an entry has no name")
        self.stack[-1][key.decode("latin-1")] = value.decode("latin-1") if isinstance(value, bytes) else value

    def call(self) -> None:
        arguments, called = self.stack.pop(), self.stack.pop()
        match called, arguments:
            case (_Name(), (_Name(), _Name(), None)) if [called, *arguments[:2]] == [
                _RECONSTRUCTOR, _SVR, _OBJECT,
            ]:  # fmt: skip
                self.stack.append({})
            case (_Name(), (_Name(), (0,), b"b")) if [called, arguments[0]] == [_NEW_ARRAY, _ARRAY]:
                self.stack.append(_Numbers())
            case (_Name(), (bytes() as kind, 0, 1)) if called == _TYPE and kind.decode("latin-1") in _TYPES:
                self.stack.append(_Kind(kind.decode("latin-1")))
            case _:
                raise _Refused("a call is not allowed")

    def state(self) -> None:
        state, built = self.stack.pop(), self.stack[-1]
        match built, state:
            case _Kind(), (3, b"<", None, None, None, -1, -1, 0):
                pass
            case _Numbers(), (1, tuple() as shape, _Kind() as kind, bool() as by_column, bytes() as content):
                if not all(type(length) is int and length >= 0 for length in shape):
                    raise _Refused("an array has no shape")
                size = math.prod(shape)
                if size * int(kind[1]) != len(content):
                    raise _Refused(f"an array of {size} numbers has {len(content)} bytes")
                numbers = np.frombuffer(content, _TYPES[kind])
                built.array = numbers.reshape(shape, order="F" if by_column else "C")
            case dict(), dict():
                built.update({name: _plain(value) for name, value in state.items()})
            case _:
                raise _Refused("a state is not allowed")

    def remember(self) -> None:
        self.memory[self.line()] = self.stack[-1]

    def recall(self) -> None:
        self.stack.append(self.memory[self.line()])


def _plain(value: Any) -> Any:
    return value.array if isinstance(value, _Numbers) else value


_STEPS = {
    b"c": _Machine.name,
    b"S": _Machine.text,
    b"I": _Machine.whole,
    b"F": lambda machine: machine.stack.append(float(machine.line())),
    b"N": lambda machine: machine.stack.append(None),
    b"(": lambda machine: machine.stack.append(_Mark()),
    b"t": _Machine.close_tuple,
    b"d": _Machine.open_dictionary,
    b"s": _Machine.entry,
    b"R": _Machine.call,
    b"b": _Machine.state,
    b"p": _Machine.remember,
    b"g": _Machine.recall,
}
"""The operations that are allowed, by the byte that begins each."""
