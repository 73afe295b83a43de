"""After a change, a run does what the change requires: all of it, and nothing else."""

from __future__ import annotations

import contextlib
import inspect
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkouts import planned_jobs
from conftest import ROOT

from sera import metrics, summarizers
from sera.cli.score import settings_given
from sera.evaluation.evaluate import best_systems
from sera.evaluation.keyword_tables import keyword_matches
from sera.io.checksums import checksums
from sera.io.records import Candidate
from sera.metrics.pyramid import Pyramid
from sera.metrics.rouge.subsequences import union_marks
from sera.metrics.s3.training import leave_one_topic_out
from sera.metrics.sera import Sera
from sera.pubmed.jats import read_article
from sera.reporting.figures import heat_map
from sera.retrieval.index import build_part
from sera.retrieval.lucene import LuceneEngine
from sera.summarizers.budget import Budget
from sera.summarizers.luhn import Luhn
from sera.vectors.word_vectors import WordVectors
from study import commands as study_commands
from study.workflow.job import job

SYSTEMS = {"summarize": 2}  # systems and baselines
REPORT = {"write_report": 1}
RECORD = {"write_provenance": 1, **REPORT}
FIGURES = {"draw_figures": 1, **RECORD}
TABLES = {"tabulate": 1, **FIGURES}
ANALYSE = {"analyse_keywords": 1, **FIGURES}
EVALUATE = {"evaluate": 1, **RECORD}
CORRELATE = {"correlate": 1, **TABLES, **EVALUATE}
GATHER = {"gather_scores": 1, **ANALYSE, **CORRELATE}
FAMILY, S3 = {"score": 1}, {"score_s3": 1}
PYRAMID = {**FAMILY, **S3, "score_at_thresholds": 1}  # S3 is trained on it
SEARCH = {"search": 1, "gather_search": 1, **FAMILY, **GATHER}
SCORES = {
    "gather_summaries": 1,
    **PYRAMID,
    **SEARCH,
    "score": 3,
}  # of texts alone, with the index, and Pyramid
INDEX = {"build_index_part": 2, "merge_index": 1, "learn_vectors": 1}
INDEX |= {**SEARCH, **S3}
EXTRACT = {"extract_corpus": 2, "list_unreadable": 1}


def jobs_of(study: Path, *arguments: str) -> dict[str, int]:
    """The jobs that a run of the study would execute."""
    return planned_jobs(study, "all", *arguments)


@contextlib.contextmanager
def changed(path: Path, old: str, new: str) -> Iterator[None]:
    """A file in which a text that stands there is replaced, until the block ends."""
    text, times = path.read_text(encoding="utf-8"), path.stat()
    assert old in text, f"{path} has no {old!r}"
    try:
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        yield
    finally:
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def changed_code(path: Path) -> contextlib.AbstractContextManager[None]:
    last = path.read_text(encoding="utf-8")
    return changed(path, last, f"{last}\n\n_CHANGED = True\n")


def code_of(part: object) -> Path:
    """The file of a class or a function, from the root of the checkout."""
    return Path(inspect.getfile(inspect.unwrap(part))).relative_to(ROOT)


@pytest.mark.parametrize(
    ("part", "jobs"),
    [
        # one metric
        (union_marks, {"summarize": 1, **SCORES}),  # by ROUGE the oracle chooses
        (Pyramid, {**PYRAMID, **GATHER}),
        # the figure names its variants: it follows anyhow
        (Sera, {**FAMILY, **GATHER}),
        # one summarizer; one of which others are made; what all share
        (Luhn, {"summarize": 1, **SCORES}),
        (Budget, {**SYSTEMS, **SCORES}),
        # the steps between
        (LuceneEngine, SEARCH),
        (build_part, INDEX),
        (read_article, {**EXTRACT, **INDEX, "score": 2}),  # FrameNet is read by the same module
        (WordVectors, {"learn_vectors": 1, **FAMILY, **S3, **GATHER}),
        (leave_one_topic_out, {**S3, **GATHER}),
        (keyword_matches, ANALYSE),
        (best_systems, EVALUATE),
        (heat_map, {**FIGURES}),
        (checksums, RECORD),
        (settings_given, {}),
    ],
)
def test_changed_code_reruns_what_imports_it(study, part, jobs):
    with changed_code(study / code_of(part)):
        assert jobs_of(study) == jobs


def test_a_changed_script_reruns_its_rule(study):
    with changed_code(study / "scripts/correlate.py"):
        assert jobs_of(study) == {"correlate": 1, **TABLES}


@pytest.mark.parametrize("part", [Candidate, job])
def test_a_module_that_all_share_reruns_all(study, part):
    with changed_code(study / code_of(part)):
        assert len(jobs_of(study)) >= 20


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        # a new entry of a registry is no change of the others
        (
            code_of(summarizers),
            '        "lsa": (',
            '        "new": ("sera.summarizers.luhn:Luhn", "x"),\n        "lsa": (',
        ),
        (code_of(study_commands), "import click\n", "import click\n\nCHANGED = True\n"),
        (code_of(job), "import sys\n", "import sys  # of Python\n\n"),
    ],
)  # fmt: skip
def test_what_changes_no_result_reruns_nothing(study, file, old, new):
    with changed(study / file, old, new):
        assert jobs_of(study) == {}


def test_a_new_metric_is_scored_and_nothing_else_is(study):
    entry = '        "NEW": ("sera.metrics.pyramid:Pyramid", "x"),\n'
    with changed(study / code_of(metrics), '        "SERA": (', entry + '        "SERA": ('):
        assert jobs_of(study) == {**FAMILY, **GATHER}


@pytest.mark.parametrize(
    ("file", "jobs"),
    [
        ("sera/resources/wordnet20_exceptions.tsv", {"summarize": 1, **SCORES}),
        ("resources/published/table3.tsv", {"correlate": 1, **TABLES}),
        ("resources/published/s3_table3.tsv", EVALUATE),
        ("study/report/study.html.j2", REPORT),
    ],
)
def test_a_changed_file_reruns_what_reads_it(study, file, jobs):
    last = (study / file).read_text(encoding="utf-8")
    with changed(study / file, last, last + "\n"):
        assert jobs_of(study) == jobs


@pytest.mark.parametrize(
    ("setting", "jobs"),
    [
        ("mu=500", {**SEARCH}),
        ("cutoffs=[5,15]", {**FAMILY, **GATHER}),
        ("metrics={MOULIN-ROUGE: {content: Pyramid}}", {**FAMILY, **GATHER}),
        ("rouge={stem: false, stop: true, multi: pooled}", {**FAMILY, **GATHER}),
        ("pyramid={threshold: 0.75, thresholds: [0.5, 0.75, 1.0], tiers: annotation, size: candidate}",
         {**PYRAMID, **GATHER}),
        ("pyramid={threshold: 0.5, thresholds: [0.5, 0.75, 1.0], tiers: text, size: candidate}",
         {**FAMILY, **S3, **GATHER}),
        ("resamples=10", {"correlate": 1, **TABLES, **EVALUATE}),
        ("compare=[SERA-5, ROUGE-2-F]", EVALUATE),
        ("length=100words", {**SYSTEMS, **SCORES}),
        ("seed=1", {**SYSTEMS, **SCORES}),
        ("summarizers=papers", {"summarize": 1, **SCORES}),
        ("draws=3", {"summarize": 1, **SCORES}),
        ("figures=true", {"extract_corpus": 2, "list_unreadable": 1, **INDEX}),
        ("analyzer=standard", INDEX),
        ("systems=[lexrank, kl, mine]", {"summarize": 1, **SCORES}),
        ("candidates={mine: own/by_hand}", {"take_candidates": 1, **SCORES}),
    ],
)  # fmt: skip
def test_a_setting_reruns_what_reads_it(study, setting, jobs):
    assert jobs_of(study, "--config", setting) == jobs


def test_other_versions_of_packages_rerun_all(study):
    with changed(study / "envs/requirements.lock", "numpy==", "numpy==0."):
        assert len(jobs_of(study)) >= 20


@pytest.mark.parametrize("name", ["mine.jsonl", "by_hand/D2402.txt"])
def test_a_summary_of_ones_own_that_changed_is_taken_again(study, name):
    with changed(study / "own" / name, "Cells die", "Cells divide"):
        assert jobs_of(study) == {"take_candidates": 1, **SCORES}


def test_touching_files_reruns_nothing(study):
    for path in [
        *study.glob("s[ct]*/**/*.py"),
        *study.glob("sera/**/*.py"),
        *study.glob("rules/*.smk"),
        study / "results/demo/summaries.jsonl",
    ]:
        path.touch()
    assert jobs_of(study) == {}


@pytest.mark.parametrize(
    ("file", "jobs"),
    [
        ("scores.tsv", GATHER),
        ("tables/global_level.md", EVALUATE),
    ],
)
def test_a_lost_file_is_made_again(study, file, jobs):
    """A run that is killed may have removed an old file and not made the new one."""
    path = study / "results/demo" / file
    content = path.read_bytes()
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    try:
        path.unlink()
        assert jobs_of(study) == jobs
    finally:
        path.write_bytes(content)
        os.utime(path, ns=times)


def test_an_older_file_in_the_place_of_a_newer_is_read(study, tmp_path):
    """As `cp -p`, `rsync -a` and `tar` put it there: its content counts, not its time."""
    path = study / "own/mine.jsonl"
    kept = tmp_path / "kept"
    shutil.copy2(path, kept)
    try:
        path.write_text(path.read_text().replace("Cells die", "Cells grew"))
        old = path.stat().st_mtime - 30 * 24 * 3600
        os.utime(path, (old, old))
        assert jobs_of(study) == {"take_candidates": 1, **SCORES}
    finally:
        shutil.copy2(kept, path)
    path.touch()
    assert jobs_of(study) == {}
