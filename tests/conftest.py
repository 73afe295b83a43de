"""Fixtures that several tests share."""

import gzip
import json
import os
from collections import Counter
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from browser import browser  # noqa: F401  a fixture
from language_model import language_model  # noqa: F401  a fixture

from sera.io.records import Document

ROOT = Path(__file__).resolve().parent.parent


RECORDED = ROOT / "tests/originals/data"  # answers of original programs that come with the project


def rows(path: Path) -> list[str]:
    """The lines of a recorded file, or of it with ``.gz``; a line ends at a line feed and nothing else."""
    if not path.exists():
        path = path.with_name(f"{path.name}.gz")
    with gzip.open(path, "rb") if path.suffix == ".gz" else open(path, "rb") as stream:
        return stream.read().decode().split("\n")[:-1]


def pytest_addoption(parser) -> None:
    parser.addoption(
        "--fidelity",
        metavar="FILE",
        help="run the tests that compare with an original, and write what they compared: tests/fidelity.sh",
    )


def pytest_collection_modifyitems(config, items) -> None:
    if config.getoption("--fidelity"):
        kept = [item for item in items if "fidelity" in item.fixturenames]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


@pytest.fixture
def fidelity(request) -> Callable[..., None]:
    """Tells what a test compared, once it has: `tests/originals/README.md` is made of it.

    ``subject`` of this project was compared ``on`` some texts or the like with ``original``. ``values``
    is the number of compared values, and ``equal`` (default: all) the number that agree in the sense of
    ``agreement``; ``but`` explains the others.
    """

    def tell(
        subject: str, on: str, values: int, original: str, agreement: str, *, equal: int | None = None, but=""
    ) -> None:
        row = dict(subject=subject, original=original, on=on, values=values, agreement=agreement, but=but)
        row["equal"] = values if equal is None else equal
        request.node.user_properties.append(("fidelity", row))

    return tell


_REPORTS: list[pytest.TestReport] = []


def pytest_runtest_logreport(report) -> None:
    if report.when == "call" or report.outcome != "passed":
        _REPORTS.append(report)


def pytest_sessionfinish(session) -> None:
    path = session.config.getoption("--fidelity")
    if path and not hasattr(session.config, "workerinput"):  # a worker's reports come to the one who writes
        lines = []
        for report in _REPORTS:
            told = [row for name, row in report.user_properties if name == "fidelity"]
            reason = report.longrepr[2].removeprefix("Skipped: ") if report.skipped else ""
            lines.append({"test": report.nodeid, "outcome": report.outcome, "reason": reason, "told": told})
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        lines.sort(key=lambda line: line["test"])
        Path(path).write_text("".join(json.dumps(line) + "\n" for line in lines))


def pytest_terminal_summary(terminalreporter) -> None:
    """Say in one line how many tests were skipped, and why."""
    skipped = (report.longrepr[2] for report in terminalreporter.getreports("skipped"))
    reasons = Counter(reason.removeprefix("Skipped: ") for reason in skipped)
    if reasons:
        said = "; ".join(f"{reason} ({number})" for reason, number in reasons.most_common())
        terminalreporter.write_line(f"Skipped {reasons.total()} tests: {said}")


SHARED = Path(os.environ.get("SERA_SHARED") or ROOT.parent / "shared")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data and recorded answers; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is absent (SERA_SHARED names its folder)")
    return SHARED


@pytest.fixture(scope="session")
def oracle(shared) -> Path:
    """What Lucene made of the recorded texts and queries."""
    return shared / "oracles" / "lucene"


@pytest.fixture(scope="session")
def queries(oracle) -> dict[str, str]:
    """The recorded queries by their ids."""
    return {record["id"]: record["text"] for record in map(json.loads, rows(oracle / "queries.jsonl"))}


@pytest.fixture(scope="session")
def articles(oracle) -> list[Document]:
    """The recorded documents, in the order in which Lucene indexed them."""
    return [Document(**json.loads(row)) for row in rows(oracle / "documents.jsonl.gz")]


@pytest.fixture(scope="session")
def no_plugins() -> None:
    """A test that expects the project's own parts alone fails, and names the packages that bring others."""
    groups = ("sera.metrics", "sera.summarizers", "sera.benchmarks", "sera.engines")
    found = {entry.dist.name for group in groups for entry in entry_points(group=group) if entry.dist}
    if found:
        packages = " ".join(sorted(found))
        problem = f"this test expects no plug-in, and the environment has {packages}"
        pytest.fail(f"{problem}. Run: .venv/bin/python -m pip uninstall {packages}", pytrace=False)


def pytest_sessionstart() -> None:
    from slurm_cluster.cluster import clear

    clear()


@pytest.fixture(scope="session", autouse=True)
def _where_the_workers_share(tmp_path_factory) -> None:
    import checkouts

    base = tmp_path_factory.getbasetemp()
    checkouts.SHARED = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"


@pytest.fixture(scope="session")
def study(tmp_path_factory) -> Path:
    """A checkout in which a small study has run; what a test changes there, it restores."""
    from checkouts import copy_of_the_study

    return copy_of_the_study(tmp_path_factory.mktemp("study") / "study")


@pytest.fixture(scope="session")
def unrun(tmp_path_factory) -> Path:
    """A checkout in which nothing has run, nor runs."""
    from checkouts import checkout

    return checkout(tmp_path_factory.mktemp("unrun") / "study")
