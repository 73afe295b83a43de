"""Hooks of MkDocs: links out of docs/ become their labels; docstrings and the released scores have pages.

The pages stand alone in a folder, and the repository has no published address to link to.
"""

from __future__ import annotations

import posixpath
import re
from itertools import chain
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

STUDY = Path("build/results/tac2014_scores")
"""The results of the released scores, which `make docs` makes."""

DOCUMENTED = (
    *("sera.metrics.metric", "sera.metrics.functions.metric_function", "sera.metrics.base.Summary"),
    *("sera.metrics.score_table.score", "sera.summarizers.summarize", "sera.retrieval.index.index"),
    *("sera.evaluation.average.average", "sera.evaluation.evaluate.evaluate"),
    *("sera.reporting.scores_page.report", "sera.registry.register", "sera.errors.InputError"),
)
"""The functions whose docstrings make the page ``reference.md``."""

_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    def replaced(match: re.Match[str]) -> str:
        label, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group()
        path = posixpath.normpath(posixpath.join("docs", target.partition("#")[0]))
        return match.group() if path.startswith("docs/") else label

    return _LINK.sub(replaced, markdown)


def on_files(files: Files, config: Any) -> Files:
    """Add the page of the docstrings and, if it is there, that of the released scores with its files."""
    docstrings = "\n\n".join(["# Docstrings", *(f"::: {name}" for name in DOCUMENTED)])
    files.append(File.generated(config, "reference.md", content=docstrings))
    if STUDY.is_dir():
        shown = ("report.html", "*.tsv", "*.json", "figures/*", "tables/*")
        for path in chain.from_iterable(map(STUDY.glob, shown)):
            name = f"tac2014/{path.relative_to(STUDY).as_posix()}"
            files.append(File.generated(config, name, abs_src_path=str(path.absolute())))
        results = next(part["Results"] for part in config.nav if "Results" in part)
        results.insert(0, {"TAC 2014: tables and answer": "tac2014/report.html"})
    return files
