"""What holds of every file: written it is read back alike, and damaged it gives a result or one line.

`strategies` says what there is. For a longer search, raise ``max_examples`` of `EACH`, and take
``derandomize`` away.
"""

import contextlib
import gzip
import random
import re
import resource
import shutil
import signal
import tempfile
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from strategies import READERS, Reader, put_vectors, read_vectors

from sera import errors
from sera.errors import InputError, printable

FEW = settings(
    derandomize=True,
    deadline=None,
    max_examples=6,
    phases=[Phase.generate],
    database=None,
    suppress_health_check=list(HealthCheck),
)
EACH = settings(FEW, max_examples=8)  # damaged inputs of each reader


# Written and read


@pytest.mark.parametrize("reader", [reader for reader in READERS if reader.same], ids=str)
def test_what_is_written_is_read_back(reader):

    @FEW
    @given(reader.values)
    def check(value):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / reader.file
            reader.write(path, value)
            assert reader.same(value, reader.read(path))

    check()


@FEW
@given(st.text(), st.text(), st.text())
def test_an_error_is_one_printable_line(problem, path, remedy):
    said = str(InputError(problem * 100, path=path, line=3, remedy=remedy * 100))
    assert len(said.splitlines()) <= 1 and len(said) < 4100 and printable(said) == said


def test_a_long_error_keeps_its_end():
    said = str(InputError("holds " + "x" * 10**6, path="f.tsv", line=7, remedy="Mend it."))
    assert said.startswith("f.tsv, line 7: holds xxx") and said.endswith("xxx. Mend it.")
    assert len(said) < 4100 and len(str(errors.together([InputError("y" * 10**5)] * 9))) < 4100


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("gene", ["text", "glove", "binary", "npz"]),
        ("two words", ["text", "npz"]),
        ("a\tb", ["binary", "npz"]),
        ("a\nb", ["binary"]),
        ("", ["binary", "npz"]),
        ("3" * 5000, ["text", "glove", "npz"]),
    ],
)
def test_words_that_files_of_vectors_hold(tmp_path, word, kinds):
    table = {word: [0.5, 1.0], "cell": [2.0, 3.0]}
    for kind in kinds:
        put_vectors(kind, tmp_path / "file", table)
        assert list(read_vectors(tmp_path / "file").items()) == list(table.items())


# Damaged
# -------

PROCESSOR = 15  # seconds that a case may compute
MEMORY = 2 * 2**30  # bytes that it may take

NUMBERS = [
    *b"1e999 -1e999 1e-999999999 nan NaN inf -Infinity -0 -1 0 1.5 99999999999999999999 1_0 0x10".split(),
    *(b"9" * 5000, b"0." + b"3" * 5000, b"true", b"null", b'""', b"9223372036854775808", b"1,5", b" 1"),
    "\u0661".encode(),
]
PIECES = [
    *(b"", b"\0", b"\n", b"\r", b"\t", b" ", b"\xff", b"\xc3", b'"', b"'", b",", b"\\", b"<", b"&", b"&e;"),
    *(b"#", b"{x}", b"$HOME", b"\xef\xbb\xbf", b"\\ud800", b"%", b"../", b"\x1b[2J", b"\x85", b"NA"),
    *(b"undefined", b"[" * 300, b'{"a":' * 300, b"[" * 100_000, b"<a>" * 2000, b"x" * 2000),
    *(text.encode() for text in ("\u2028", "\u202e", "e\u0301")),
]  # fmt: skip
LITERALS = b'null [] {} "" 1 "a\\u0000b" "\\ud800" " x " [[]] "\xff"'.split()
WHOLES = [
    *(b"", b"\0" * 100, b"\n" * 100, b"null", b"[]", b"{}", b"PK\x03\x04", b"\x1f\x8b", b"\x93NUMPY"),
    *(b"<a/>", b"\xff" * 9),
]  # fmt: skip
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "cp1252", "utf-8-sig", "utf-7")
KINDS = (
    "flip flip cut truncate put put repeat number number literal encode whole ends swap double cells cells"
)


def _changed(content: bytes, draw: random.Random) -> bytes:
    start, size = draw.randrange(len(content) + 1), draw.choice((1, 2, 10, 1000))
    before, block, after = content[:start], content[start : start + size], content[start + size :]
    lines = content.split(b"\n")
    at, to = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.choice(KINDS.split()):
        case "flip":
            return before + bytes(each ^ 1 << draw.randrange(8) for each in block[:8]) + block[8:] + after
        case "cut":
            return before + after
        case "truncate":
            return before
        case "put":
            return before + draw.choice(PIECES) + block + after
        case "repeat":
            return before + block * draw.choice((2, 50)) + after
        case "number":
            return _one_replaced(rb"-?[0-9]+(?:\.[0-9]+)?", content, draw.choice(NUMBERS), draw)
        case "literal":
            return _one_replaced(rb'"[^"]*"', content, draw.choice(LITERALS), draw)
        case "encode":
            return content.decode("utf-8", "replace").encode(draw.choice(ENCODINGS), "replace")
        case "whole":
            return draw.choice(WHOLES)
        case "ends":
            return content.replace(b"\n", draw.choice((b"\r\n", b"\r", b"\n\n", b"\0\n", b" \n")))
        case "swap":
            lines[at], lines[to] = lines[to], lines[at]
        case "double":
            lines.insert(to, lines[at])
        case "cells":  # put elsewhere, doubled, emptied or taken out
            cells = lines[at].split(b"\t")
            cell = draw.randrange(len(cells))
            other = draw.choice(cells)
            cells[cell : cell + 1] = draw.choice(([], [b""], [other] * 2, [draw.choice(PIECES)], [other]))
            lines[at] = b"\t".join(cells)
    return b"\n".join(lines)


def _one_replaced(pattern: bytes, content: bytes, by: bytes, draw: random.Random) -> bytes:
    if not (found := list(re.finditer(pattern, content))):
        return content
    one = draw.choice(found)
    return content[: one.start()] + by + content[one.end() :]


def damaged(content: bytes, draw: random.Random) -> bytes:
    """A file's bytes, changed once to three times; most often inside its compression, if there is any."""
    if content.startswith(b"\x1f\x8b") and draw.random() < 0.6:
        with contextlib.suppress(OSError, EOFError, zlib.error):
            return gzip.compress(damaged(gzip.decompress(content), draw), 1, mtime=0)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        content = _changed(content, draw)
    return content[: 2**22]


def damage(path: Path, draw: random.Random) -> None:
    """Damage a file, or one or two of a folder's."""
    alone = not path.is_dir()
    files = [path] if alone else sorted(each for each in path.rglob("*") if each.is_file())
    for file in draw.sample(files, min(len(files), draw.choice((1, 1, 2)))):
        with contextlib.suppress(OSError):  # a link to the one before, or to itself
            if draw.random() < 0.9:
                file.write_bytes(damaged(file.read_bytes(), draw))
            else:
                _replace(file, draw, alone=alone)


def _replace(path: Path, draw: random.Random, *, alone: bool) -> None:
    elsewhere = path.with_name(f"{path.name}.{draw.choice(('old', 'part', 'x y', 'txt'))}")
    match draw.choice(("folder", "link", "loop", "nowhere", "gone", "named", "again", "forbidden")):
        case "folder":
            path.unlink()
            path.mkdir()
        case "link":
            path.rename(elsewhere)
            path.symlink_to(elsewhere.name)
        case "loop" | "nowhere" as kind:
            path.unlink()
            path.symlink_to(path.name if kind == "loop" else "nowhere")
        case "gone":
            path.unlink()
        case "named" if not alone:
            odd = ("a b", "\u202e", "é", "e\u0301", "'", "$x", "\udcff", ".hidden", "a\nb", "x" * 120)
            path.rename(path.with_name(draw.choice(odd) + path.suffix))
        case "again" if not alone:
            shutil.copy(path, elsewhere)
        case _:
            path.chmod(0)


@contextlib.contextmanager
def _limits() -> Iterator[None]:
    """No warning, and an end for what takes too much time or memory."""
    memory = resource.getrlimit(resource.RLIMIT_AS)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, memory[1]))
    signal.setitimer(signal.ITIMER_PROF, PROCESSOR)  # its signal ends the process
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", category=DeprecationWarning)
            warnings.filterwarnings("ignore", category=ResourceWarning)
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, memory)


def check_reader(reader: Reader, folder: Path) -> None:
    """What is read can be written, and is then read alike; what is not is one line."""
    with _limits():
        try:
            value = reader.read(folder / reader.file)
        except InputError as error:
            _check_line(str(error))
            return
        if reader.same and reader.again(value):
            again = folder / "again" / reader.file
            again.parent.mkdir(exist_ok=True)
            reader.write(again, value)
            assert reader.same(value, reader.read(again)), "it is read differently again"


def _check_line(message: str) -> None:
    assert printable(message) == message and message.strip() and len(message) <= 4100, message[:400]
    assert not re.search(r"Traceback|Aborted!|Error: None\s*$", message), message


@pytest.mark.parametrize("reader", READERS, ids=str)
def test_a_damaged_file_gives_a_result_or_one_line(reader):
    @EACH
    @given(reader.values, st.integers(0))
    def check(value, seed):
        with tempfile.TemporaryDirectory() as folder:
            reader.write(Path(folder) / reader.file, value)
            damage(Path(folder) / reader.file, random.Random(seed))
            check_reader(reader, Path(folder))

    check()


FOUND = sorted((Path(__file__).parent.parent / "fuzz_corpus").glob("*/*"))


@pytest.mark.parametrize("kept", FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_once_is_mended(kept, tmp_path):
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    (reader,) = (each for each in READERS if str(each) == kept.parent.name)
    check_reader(reader, tmp_path)
