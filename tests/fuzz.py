"""Damaged files and odd options: each gives a result or one line that says what is wrong.

Readers and commands are those of `strategies`. Every case runs in a process of its own kind, with limits on
processor time and memory, so a crash or a hang is a find like any other. A case is known by seed, name and
number: the same seed gives the same cases.

    python tests/fuzz.py run --seconds 600 --cores 2 --seed 1    make fuzz
    python tests/fuzz.py replay FOLDER                           one find, or one of tests/fuzz_corpus
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import hashlib
import io
import itertools
import json
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

CORPUS = ROOT / "tests/fuzz_corpus"
FINDS = ROOT / "build/fuzz"

PROCESSOR = 15  # seconds that a case may compute
WAITING = 120  # seconds that it may take in all, beside other processes
MEMORY = 2 * 2**30  # bytes that a process may take beyond what it has at its begin
FILES = 2**28  # bytes of a file that a case may write
VALUES = 4  # undamaged files or folders that the damage of one reader begins with
LONGEST = 4100  # characters of an error

CLI = "sera "  # how the names of commands begin

# Damage
# ------

NUMBERS = (
    *(b"1e999", b"-1e999", b"1e-999999999", b"nan", b"NaN", b"inf", b"-Infinity", b"-0", b"-1", b"0", b"1.5"),
    *(
        b"99999999999999999999",
        b"9" * 5000,
        b"0." + b"3" * 5000,
        b"1_0",
        b"0x10",
        b"1e400",
        b"true",
        b"null",
        b'""',
    ),
    *(b"2147483648", b"9223372036854775808", "\u0661".encode(), b"1,5", b" 1"),
)
PIECES = (
    *(
        b"",
        b"\0",
        b"\n",
        b"\r",
        b"\t",
        b" ",
        b"\xff",
        b"\xc3",
        b'"',
        b"'",
        b",",
        b"\\",
        b"<",
        b"&",
        b"&e;",
        b"#",
        b"{x}",
    ),
    *(
        b"$HOME",
        b"\xef\xbb\xbf",
        "\u2028".encode(),
        "\u202e".encode(),
        "e\u0301".encode(),
        b"\\ud800",
        b"[" * 300,
    ),
    *(
        b'{"a":' * 300,
        b"[" * 100_000,
        b"<a>" * 2000,
        b"%",
        b"../",
        b"\x1b[2J",
        b"\x85",
        b"NA",
        b"undefined",
        b"x" * 2000,
    ),
)


def _flip(content: bytearray, draw: random.Random) -> bytes:
    for _ in range(draw.choice((1, 1, 2, 8))):
        if content:
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    return bytes(content)


def _cut(content: bytearray, draw: random.Random) -> bytes:
    start = draw.randrange(len(content) + 1)
    del content[start : start + draw.choice((1, 2, 10, 1000))]
    return bytes(content)


def _truncate(content: bytearray, draw: random.Random) -> bytes:
    return bytes(content[: draw.randrange(len(content) + 1)])


def _put_in(content: bytearray, draw: random.Random) -> bytes:
    place = draw.randrange(len(content) + 1)
    content[place:place] = draw.choice(PIECES)
    return bytes(content)


def _repeat(content: bytearray, draw: random.Random) -> bytes:
    start = draw.randrange(len(content) + 1)
    block = content[start : start + draw.choice((1, 10, 100, 10_000))]
    content[start:start] = block * draw.choice((1, 2, 50))
    return bytes(content)


def _number(content: bytearray, draw: random.Random) -> bytes:
    found = list(re.finditer(rb"-?[0-9]+(?:\.[0-9]+)?", content))
    if found:
        one = draw.choice(found)
        content[one.start() : one.end()] = draw.choice(NUMBERS)
    return bytes(content)


def _in_lines(
    change: Callable[[list[bytes], random.Random], object],
) -> Callable[[bytearray, random.Random], bytes]:
    def changed(content: bytearray, draw: random.Random) -> bytes:
        lines = bytes(content).split(b"\n")
        change(lines, draw)
        return b"\n".join(lines)

    return changed


def _swap(lines: list[bytes], draw: random.Random) -> None:
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _double(lines: list[bytes], draw: random.Random) -> None:
    lines.insert(draw.randrange(len(lines) + 1), draw.choice(lines))


def _cells(lines: list[bytes], draw: random.Random) -> None:
    """One cell of a line put elsewhere, doubled, emptied or taken out."""
    place = draw.randrange(len(lines))
    cells = lines[place].split(b"\t")
    cell = draw.randrange(len(cells))
    cells[cell : cell + 1] = draw.choice(
        ([], [b""], [cells[cell]] * 2, [draw.choice(PIECES)], [draw.choice(cells)])
    )
    lines[place] = b"\t".join(cells)


def _literal(content: bytearray, draw: random.Random) -> bytes:
    """A value of JSON or XML, in quotes, by another."""
    found = list(re.finditer(rb'"[^"]*"', content))
    if found:
        one = draw.choice(found)
        other = draw.choice(
            (b"null", b"[]", b"{}", b'""', b"1", b'"a\\u0000b"', b'"\\ud800"', b'" x "', b"[[]]", b'"\xff"')
        )
        content[one.start() : one.end()] = other if draw.random() < 0.7 else draw.choice(found)[0]
    return bytes(content)


def _encode(content: bytearray, draw: random.Random) -> bytes:
    text = bytes(content).decode("utf-8", "replace")
    return text.encode(
        draw.choice(("utf-16", "utf-16-le", "utf-32", "cp1252", "utf-8-sig", "utf-7")), "replace"
    )


def _replace_all(content: bytearray, draw: random.Random) -> bytes:
    other = (
        b"",
        b"\0" * 100,
        b"\n" * 100,
        b"null",
        b"[]",
        b"{}",
        b"PK\x03\x04",
        b"\x1f\x8b",
        b"\x93NUMPY",
        b"<a/>",
        b"\xff" * 9,
    )
    return draw.choice(other)


def _ends(content: bytearray, draw: random.Random) -> bytes:
    return bytes(content).replace(b"\n", draw.choice((b"\r\n", b"\r", b"\n\n", b"\0\n", b" \n")))


DAMAGES = (
    *(
        _flip,
        _flip,
        _cut,
        _truncate,
        _put_in,
        _put_in,
        _repeat,
        _number,
        _number,
        _literal,
        _encode,
        _replace_all,
    ),
    *(_ends, _in_lines(_swap), _in_lines(_double), _in_lines(_cells), _in_lines(_cells)),
)


def damaged(content: bytes, draw: random.Random) -> bytes:
    """A file's bytes, changed once to three times; most often inside its compression, if there is any."""
    packed = content.startswith(b"\x1f\x8b") and draw.random() < 0.6
    if packed:
        with contextlib.suppress(OSError, EOFError, zlib.error):
            inside = damaged(gzip.decompress(content), draw)
            return gzip.compress(inside, 1, mtime=0)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        content = draw.choice(DAMAGES)(bytearray(content), draw)
    return content[: 2**22]


def damage(path: Path, draw: random.Random) -> None:
    """Damage a file, or one or two of a folder's."""
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file())
        for each in draw.sample(files, min(len(files), draw.choice((1, 1, 2)))):
            with contextlib.suppress(OSError):  # a link to the one before, or to itself
                _damage_file(each, draw, alone=False)
    elif path.is_file():
        with contextlib.suppress(OSError):
            _damage_file(path, draw, alone=True)


def _damage_file(path: Path, draw: random.Random, *, alone: bool) -> None:
    kind = draw.random()
    if kind < 0.9:
        path.write_bytes(damaged(path.read_bytes(), draw))
        return
    elsewhere = path.with_name(f"{path.name}.{draw.choice(('old', 'part', 'x y', 'txt'))}")
    match draw.choice(("folder", "link", "loop", "nowhere", "gone", "named", "again", "forbidden")):
        case "folder":
            path.unlink()
            path.mkdir()
        case "link":
            path.rename(elsewhere)
            path.symlink_to(elsewhere.name)
        case "loop":
            path.unlink()
            path.symlink_to(path.name)
        case "nowhere":
            path.unlink()
            path.symlink_to("nowhere")
        case "gone":
            path.unlink()
        case "named" if not alone:
            odd = draw.choice(
                ("a b", "\u202e", "é", "e\u0301", "'", "$x", "\udcff", ".hidden", "a\nb", "x" * 120)
            )
            path.rename(path.with_name(odd + path.suffix))
        case "again" if not alone:
            shutil.copy(path, elsewhere)
        case _:
            path.chmod(0)


# Odd options
# -----------

ODD = (
    *(
        "nan",
        "inf",
        "-inf",
        "0",
        "-1",
        "-0.0",
        "1e999",
        "1e-320",
        "99999999999999999999",
        "-99999999999999999999",
        "1.5",
    ),
    *(
        "",
        " ",
        "é",
        "e\u0301",
        "a\nb",
        "\t",
        "%s",
        "{x}",
        "$HOME",
        "--",
        "-",
        "\u0661",
        "1_000",
        "0x10",
        ",",
        ",,a",
        "#",
    ),
    *(
        "x" * 3000,
        "\udcff",
        "\u202e",
        "\x1b[31m",
        "None",
        "true",
        "[]",
        "=",
        "a=",
        "=1",
        "words=1",
        "lambda=1e999",
    ),
)
ODD_PATHS = (
    "",
    ".",
    "..",
    "nowhere/x.tsv",
    "candidates.jsonl/x",
    "ü b.tsv",
    "x" * 300,
    "/dev/null",
    "/dev/full",
    "tables",
    "-",
)
KEPT = {"--server", "--tries", "--at-once", "--engine"}  # what would go to a network, or wait for one


def odd_options(arguments: list[str], command: Any, draw: random.Random) -> list[str]:
    """A command line with up to two options added or changed."""
    import click

    options = [each for each in command.params if isinstance(each, click.Option) and each.opts[0] not in KEPT]
    for option in draw.sample(options, min(len(options), draw.choice((0, 1, 1, 2)))):
        name = draw.choice(option.opts)
        if option.is_flag:
            arguments = [*arguments, name]
            continue
        value = draw.choice(ODD_PATHS if isinstance(option.type, click.Path) else ODD)
        if isinstance(option.type, click.Choice) and draw.random() < 0.7:
            value = draw.choice(list(option.type.choices))
        if isinstance(option.type, click.Path) and draw.random() < 0.3:
            value = draw.choice(
                [word for word in arguments if "." in word] or [value]
            )  # another kind of file
        if name in arguments:
            arguments = list(arguments)
            arguments[arguments.index(name) + 1] = value
        else:
            arguments = [*arguments, name, value]
    return arguments


# One case
# --------


@dataclass
class Case:
    """A case by its name and number; a number of None stands for a folder that is there already."""

    name: str
    number: int | None
    folder: Path
    bases: Path = Path()
    seed: int = 0
    seconds: float = PROCESSOR


@dataclass
class Outcome:
    """What became of a case: ``fault`` is empty if it is as it should be, ``said`` what was answered."""

    said: str
    fault: str = ""


def names() -> list[str]:
    """All readers and commands."""
    import strategies

    return [*(reader.name for reader in strategies.READERS), *(CLI + name for name in strategies.COMMANDS)]


def values(name: str, seed: int, count: int = VALUES) -> list[Any]:
    """Values that a reader's file may hold, the same for the same seed."""
    import hypothesis

    found: list[Any] = []
    reader = _reader(name)

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count, database=None, deadline=None, phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    @hypothesis.given(reader.values)
    def keep(value: Any) -> None:
        found.append(value)

    keep()
    return found


def put(name: str, folder: Path, seed: int) -> None:
    """Undamaged inputs in folders 0, 1, ...: what cases of a name begin with."""
    import strategies

    if name.startswith(CLI):
        shared = folder.parent / "inputs"  # one for all
        if not shared.exists():
            strategies.put_inputs(shared)
        shutil.copytree(shared, folder / "0")
        return
    reader = _reader(name)
    for number, value in enumerate(values(name, seed)):
        (folder / str(number)).mkdir(parents=True)
        try:
            reader.write(folder / str(number) / reader.file, value)
        except Exception:  # a fault of the writer: the tests of round trips find it
            shutil.rmtree(folder / str(number))


def prepare(case: Case, folder: Path) -> None:
    """Make a case's input in a folder."""
    import strategies

    name = case.name
    draw = random.Random(f"{case.seed} {name} {case.number}")
    begins = sorted(case.bases.iterdir(), key=lambda path: (len(path.name), path.name))
    shutil.copytree(draw.choice(begins), folder, symlinks=True)
    if not name.startswith(CLI):
        reader = _reader(name)
        if (folder / reader.file).exists():
            damage(folder / reader.file, draw)
        return
    line = folder / "command.json"
    arguments = (
        json.loads(line.read_text()) if line.exists() else strategies.COMMANDS[name[len(CLI) :]].split()
    )
    # what the case has written alone is damaged: an argument may be a device, or lead out of the folder
    own = {path.name for path in folder.iterdir()}
    files = [word for word in arguments if word in own]
    if files and draw.random() < 0.7:
        damage(folder / draw.choice(files), draw)
    if draw.random() < 0.6:
        arguments = odd_options(arguments, _command(arguments), draw)
    line.write_text(json.dumps(arguments))


def _command(arguments: list[str]) -> Any:
    from sera.cli import main

    command: Any = main
    for word in arguments:
        if not hasattr(command, "commands"):
            break
        command = command.commands[word]
    return command


def run(name: str, folder: Path) -> Outcome:
    """Run a case in a folder, in this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.filterwarnings("ignore", category=ResourceWarning)
        return _run_command(folder) if name.startswith(CLI) else _run_reader(_reader(name), folder)


def _reader(name: str) -> Any:
    import strategies

    if name == "code":  # what tests of this module run
        return strategies.Reader(name, "code.py", None, None, lambda path: exec(path.read_text(), {}))
    return next(each for each in strategies.READERS if each.name == name)


def _run_reader(reader: Any, folder: Path) -> Outcome:
    from sera.errors import InputError

    try:
        value = reader.read(folder / reader.file)
    except InputError as error:
        return _one_line(str(error))
    except BaseException as error:
        return Outcome("", _trace(error))
    if reader.same is None or not reader.again(value):
        return Outcome("read")
    again = folder / "again" / reader.file
    again.parent.mkdir(exist_ok=True)
    try:  # what was read can be written, and is then read alike
        reader.write(again, value)
        if not reader.same(value, reader.read(again)):
            return Outcome("", "what was read, written and read again is something else")
    except BaseException as error:
        return Outcome("", "what was read cannot be written and read again: " + _trace(error))
    return Outcome("read")


def _one_line(message: str) -> Outcome:
    from sera.errors import printable

    shown = message if len(message) < 400 else message[:400] + "..."
    if printable(message) != message:
        return Outcome("", f"the error is not one printable line: {shown!r}")
    if not message.strip() or len(message) > LONGEST:
        return Outcome("", f"the error has {len(message)} characters: {shown}")
    return Outcome(shown)


def _trace(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)
    ours = [each for each in last if f"{os.sep}sera{os.sep}" in each.filename] or last[-1:]
    place = f"{Path(ours[-1].filename).name}, {ours[-1].name}: " if ours else ""
    return f"{place}{type(error).__name__}: {str(error)[:300]}"


def _run_command(folder: Path) -> Outcome:
    from sera.cli import inputs, main

    arguments = json.loads((folder / "command.json").read_text())
    before = _checksums(folder, arguments)
    out, err = io.StringIO(), io.StringIO()
    back = os.getcwd()
    os.chdir(folder)
    inputs._kept.cache_clear()
    code: Any = None
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main.main(arguments, prog_name="sera")
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException as error:
        return Outcome("", _trace(error))
    finally:
        os.chdir(back)
    return _judged(code, err.getvalue(), before, _checksums(folder, arguments))


def _judged(code: Any, said: str, before: dict[str, str], after: dict[str, str]) -> Outcome:
    if lost := [name for name, digest in before.items() if after.get(name) != digest]:
        return Outcome("", f"{lost[0]} was there before, and is changed or gone; {said[-200:]}")
    if re.search(r"Traceback|Aborted!|Error: None\s*$", said) or code not in (0, 1, 2):
        return Outcome("", f"exit code {code}: {said[-400:]}")
    lines = [line for line in said.splitlines() if line and not line.startswith(("Usage: ", "Try 'sera"))]
    errors = [line for line in lines if line.startswith("Error: ")]
    if code == 0 or (code == 1 and not said):  # --strict
        return Outcome("done")
    if len(errors) != 1 or len(lines) != 1:
        return Outcome("", f"exit code {code}, {len(errors)} errors, {len(lines)} lines: {said[-400:]}")
    return _one_line(errors[0])


def _checksums(folder: Path, arguments: list[str]) -> dict[str, str]:
    """What files hold, but for those that the command is to write."""
    written = {folder / other for one, other in itertools.pairwise(arguments) if one == "--out" and other}
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and not any(path == one or one in path.parents for one in written):
            with contextlib.suppress(OSError):
                found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


# Processes
# ---------


def _work(pipe: Connection) -> None:
    """Run the cases that come, in a process with limits, until none does."""
    sys.stdin.close()
    os.environ["ELASTICSEARCH_HOSTS"] = "http://127.0.0.1:9"
    import logging

    import sklearn.svm  # noqa: F401
    import strategies  # noqa: F401
    import textblob.en  # noqa: F401

    logging.disable(logging.CRITICAL)
    with open("/proc/self/status") as status:
        size = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmSize"))
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILES, FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    with contextlib.suppress(EOFError):
        while True:
            case = pipe.recv()
            folder = case.folder
            if case.number is not None:
                prepare(case, folder)
                keep = folder.with_name(folder.name + ".input")  # as it was before it ran
                shutil.copytree(folder, keep, symlinks=True)
            signal.setitimer(signal.ITIMER_PROF, case.seconds)
            outcome = run(case.name, folder)
            signal.setitimer(signal.ITIMER_PROF, 0)
            pipe.send(outcome)


@dataclass
class Worker:
    """A process that runs one case after the other, and is replaced if one ends or holds it."""

    process: Any = None
    pipe: Connection | None = None
    case: Case | None = None
    since: float = 0.0

    def start(self, case: Case) -> None:
        if self.process is None or not self.process.is_alive():
            context = _context()
            self.pipe, other = context.Pipe()
            self.process = context.Process(target=_work, args=(other,), daemon=True)
            self.process.start()
            other.close()
        assert self.pipe
        self.case, self.since = case, time.monotonic()
        self.pipe.send(case)

    def outcome(self) -> Outcome | None:
        """The case's outcome, once there is one."""
        assert self.pipe and self.process
        if self.pipe.poll():
            try:
                return self.pipe.recv()
            except EOFError:
                self.process.join()
                code = self.process.exitcode or 0
                self.process = None
                if code == -signal.SIGPROF:
                    return Outcome("", "computes for too long")
                return Outcome(
                    "", f"the process ended with {signal.Signals(-code).name if code < 0 else code}"
                )
        if time.monotonic() - self.since > WAITING:
            self.stop()
            return Outcome("", "takes too long")
        return None

    def stop(self) -> None:
        if self.process is not None:
            if self.pipe:
                self.pipe.close()
            if self.case is None:
                self.process.join(timeout=10)  # it ends when nothing can come any more
            self.process.kill()
            self.process.join()
            self.process = None


@cache
def _context() -> Any:
    """Processes that begin with everything imported."""
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["fuzz", "strategies", "sklearn.svm", "textblob.en", "sera.cli"])
    return context


def outcomes(cases: Iterator[Case | None], cores: int) -> Iterator[tuple[Case, Outcome]]:
    """Run cases in as many processes, in the order in which they end.

    The iterator is asked for a case only when a process is free, so it can be made of earlier outcomes; it
    gives None where one of these has to come first.
    """
    workers = [Worker() for _ in range(cores)]
    try:
        while True:
            for worker in workers:
                if worker.case is None and (case := next(cases, None)) is not None:
                    worker.start(case)
            busy = [worker for worker in workers if worker.case is not None]
            if not busy:
                return
            wait([worker.pipe for worker in busy if worker.pipe], timeout=1)
            for worker in busy:
                if (outcome := worker.outcome()) is not None:
                    case, worker.case = worker.case, None
                    assert case
                    yield case, outcome
    finally:
        for worker in workers:
            worker.stop()


# A long run
# ----------


@dataclass
class Fuzzer:
    """Cases of all names by turns; what gives a new answer is damaged further, what is at fault is kept."""

    seed: int
    work: Path
    finds: Path
    ran: Counter[str] = field(default_factory=Counter)
    found: dict[str, list[str]] = field(default_factory=dict)
    answers: dict[str, set[str]] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)

    def cases(
        self, names: list[str], until: Callable[[], bool], each: int | None = None
    ) -> Iterator[Case | None]:
        """The next case, by turns; of a name one at a time, so that its cases are the same at any speed.

        None if there is none until one of those that run has ended.
        """
        while not until():
            names = [name for name in names if not each or self.ran[name] < each]
            if not names:
                return
            free = [name for name in names if name not in self.running]
            if not free:
                yield None
                continue
            name = min(free, key=lambda name: self.ran[name])
            bases = self.work / "bases" / name
            if not bases.exists():
                put(name, bases, self.seed)
                self._add_corpus(name, bases)
            self.running.add(name)
            number = self.ran[name]
            yield Case(name, number, self.work / "cases" / name / str(number), bases, self.seed)

    def _add_corpus(self, name: str, bases: Path) -> None:
        for kept in sorted((CORPUS / name).glob("*")):
            _put_kept(kept, Case(name, None, bases / f"corpus-{kept.name}"), self.work / "kept")

    def took(self, case: Case, outcome: Outcome) -> str | None:
        """Count a case; the folder of a find if it is one of a new kind."""
        self.ran[case.name] += 1
        self.running.discard(case.name)
        given = case.folder.with_name(case.folder.name + ".input")
        kind = re.sub(r"'[^']*'|\"[^\"]*\"|[0-9]+|\S*/\S*", "*", outcome.fault or outcome.said)[:90]
        new = kind not in self.answers.setdefault(case.name, set())
        self.answers[case.name].add(kind)
        kept = None
        if outcome.fault and new:
            at_fault = given if given.exists() else case.folder  # if the harness failed before it copied it
            digest = hashlib.sha256(f"{self.seed} {case.name} {case.number}".encode()).hexdigest()[:8]
            kept = self.finds / case.name.replace(" ", "_") / digest
            shutil.rmtree(kept, ignore_errors=True)
            kept.parent.mkdir(parents=True, exist_ok=True)
            if at_fault.exists():
                shutil.copytree(at_fault, kept, symlinks=True)
            (kept.with_suffix(".txt")).write_text(f"{outcome.fault}\n", errors="backslashreplace")
            self.found.setdefault(case.name, []).append(outcome.fault)
        elif new and len(self.answers[case.name]) < 200 and given.exists():
            shutil.copytree(given, case.bases / f"new-{case.number}", symlinks=True)
        for folder in (given, case.folder):
            _open_up(folder)
            shutil.rmtree(folder, ignore_errors=True)
        return None if kept is None else str(kept)


def _open_up(folder: Path) -> None:
    for path in folder.rglob("*"):
        if not path.is_symlink():
            with contextlib.suppress(OSError):
                path.chmod(0o700)


def kept_cases(folders: Iterable[Path], scratch: Path) -> list[tuple[Case, Path]]:
    """A case for each input that was kept, in a copy of it."""
    cases = []
    for number, folder in enumerate(folders):
        case = Case(folder.parent.name.replace("sera_", CLI), None, scratch / "cases" / str(number))
        _put_kept(folder, case, scratch)
        cases.append((case, folder))
    return cases


def _put_kept(folder: Path, case: Case, scratch: Path) -> None:
    """What was kept, and of a command the inputs that it does not have."""
    if case.name.startswith(CLI):
        put(case.name, scratch / case.name, 0)
        shutil.move(scratch / case.name / "0", case.folder)
    shutil.copytree(folder, case.folder, symlinks=True, dirs_exist_ok=True)


def replay(folder: Path) -> Outcome:
    """Run one input again, in a process with limits."""
    with tempfile.TemporaryDirectory() as scratch:
        ((case, _),) = kept_cases([folder], Path(scratch))
        ((_, outcome),) = outcomes(iter([case]), 1)
        return outcome


def corpus() -> list[Path]:
    """The committed inputs, each of which was a find."""
    return sorted(path for path in CORPUS.glob("*/*") if path.is_dir())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    long = commands.add_parser("run")
    long.add_argument("--seconds", type=float, default=600)
    long.add_argument("--cores", type=int, default=2)
    long.add_argument("--seed", type=int, default=0)
    long.add_argument("--only", default="", help="readers and commands whose names match this expression")
    commands.add_parser("replay").add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.command == "replay":
        outcome = replay(given.folder.resolve())
        print(f"FIND: {outcome.fault}" if outcome.fault else f"as it should be: {outcome.said}")
        return bool(outcome.fault)
    chosen = [name for name in names() if re.search(given.only, name)]
    end = time.monotonic() + given.seconds
    with tempfile.TemporaryDirectory() as work:
        fuzzer = Fuzzer(given.seed, Path(work), FINDS)
        for case, outcome in outcomes(fuzzer.cases(chosen, lambda: time.monotonic() > end), given.cores):
            if kept := fuzzer.took(case, outcome):
                shown = Path(kept).relative_to(ROOT)
                print(f"{case.name}: {outcome.fault}".encode("ascii", "backslashreplace").decode())
                print(f"    .venv/bin/python tests/fuzz.py replay '{shown}'", flush=True)
    for name in chosen:
        print(f"{name}: {fuzzer.ran[name]} cases, {len(fuzzer.found.get(name, []))} finds")
    finds = sum(map(len, fuzzer.found.values()))
    print(
        f"{fuzzer.ran.total()} cases of {len(chosen)} readers and commands, seed {given.seed}: {finds} finds"
    )
    return bool(finds)


if __name__ == "__main__":
    sys.exit(main())
