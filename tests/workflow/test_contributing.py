"""The contributor's page, followed to the letter in a copy of the small study."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from checkouts import copy_of_the_study
from conftest import ROOT

from sera.io import records
from sera.io.records import Candidate
from sera.retrieval.runs import read_run

PAGE = ROOT / "CONTRIBUTING.md"
EXAMPLES = ROOT / "examples/parts"
TOPICS = ["D2401", "D2402", "D2403"]


def sections() -> dict[str, str]:
    """The text of each kind of part."""
    _, _, text = PAGE.read_text(encoding="utf-8").partition("\n## Add a part\n")
    parts = re.split(r"^### (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def put(folder: Path, block: str) -> None:
    """Add a line to a registry, as the first line of its block says."""
    head, text = block.split("\n", 1)
    match = re.fullmatch(r"# (\S+): a line in ([A-Z]+)", head)
    assert match and text.count("\n") == 1, head
    path = folder / match[1]
    before, begin, after = re.split(
        rf"(^{match[2]} = Registry\(\n.*\n    {{\n)", path.read_text(), flags=re.MULTILINE
    )
    path.write_text(before + begin + text + after)


@pytest.mark.parametrize(
    ("section", "parts"),
    [("A metric", ["jaccard", "test_jaccard"]), ("A metric with a resource", ["nearest", "test_nearest"])],
)
def test_a_metric_is_one_file_a_line_in_a_table_and_its_test(section, parts):
    (line,) = blocks(sections()[section], "python")  # `put` sees that it is one line of one file
    assert line.startswith("# sera/metrics/__init__.py: a line in FAMILIES\n")
    assert sorted(path.stem for path in EXAMPLES.rglob(f"*{parts[0]}.py")) == parts


@pytest.fixture(scope="module")
def followed(tmp_path_factory) -> Path:
    """A copy of the small study with everything on the page added and its commands run."""
    folder = copy_of_the_study(tmp_path_factory.mktemp("contributing") / "study")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(folder)}

    def run(*command: str) -> None:
        done = subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True)
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-5000:]}"

    for path in EXAMPLES.rglob("*.py"):
        new = folder / path.relative_to(EXAMPLES)
        assert not new.exists()
        new.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, new)
    for name, section in sections().items():
        for text in blocks(section, "python"):
            put(folder, text)
        for text in blocks(section, "bash"):
            run("bash", "-euo", "pipefail", "-c", text)
        if name == "A summarizer":  # a later command has other baselines
            shutil.copy(folder / "results/demo/baselines.jsonl", folder)
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    return folder


@pytest.mark.parametrize(
    ("scores", "study", "metric", "given"),
    [
        ("jaccard.tsv", "with_letters.tsv", "Jaccard-1", "Jaccard-1(letters=4)"),
        ("nearest.tsv", "results/demo/scores.tsv", "Nearest", "Nearest"),
    ],
)
def test_a_metric_scores_files_and_the_study_alike(followed, scores, study, metric, given):
    from_files, from_study = (pd.read_csv(followed / name, sep="\t") for name in (scores, study))
    from_files = from_files[from_files["metric"] == given]
    assert set(from_files["topic"]) == set(TOPICS) and from_files["score"].between(0.01, 1).all()
    both = from_study[from_study["metric"] == metric].merge(from_files, on=["topic", "system"])
    assert len(both) == len(from_files) and (both["score_x"] == both["score_y"]).all()


def test_the_summarizer_is_one_of_the_studys(followed):
    for path in ("baselines.jsonl", "longest.jsonl"):
        summaries = [one for one in records.read(followed / path, Candidate) if one.system == "longest"]
        assert [one.topic for one in summaries] == list(TOPICS)


def test_the_benchmark_is_read_by_the_study(followed):
    for name in ("sources", "references", "citances", "nuggets"):
        read = (followed / f"results/own/{name}.jsonl").read_bytes()
        assert read == (followed / f"results/demo/{name}.jsonl").read_bytes() != b""


def test_the_engine_ranks_for_the_study(followed):
    run = read_run(followed / "results" / "demo" / "runs" / "plain.trec")
    assert run and all(len(ranking) == 20 for ranking in run.values())
    assert {query: ranking[:20] for query, ranking in read_run(followed / "likely.trec").items()} == run
