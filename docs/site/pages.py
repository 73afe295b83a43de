"""Hooks of MkDocs: links to files outside docs/ become their labels, and the released scores have a page.

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
    """Add the page of the released scores with its files, if it is there, and its place in the menu."""
    if STUDY.is_dir():
        shown = ("report.html", "*.tsv", "*.json", "figures/*", "tables/*")
        for path in chain.from_iterable(map(STUDY.glob, shown)):
            name = f"tac2014/{path.relative_to(STUDY).as_posix()}"
            files.append(File.generated(config, name, abs_src_path=str(path.absolute())))
        results = next(part["Results"] for part in config.nav if "Results" in part)
        results.insert(0, {"TAC 2014: tables and answer": "tac2014/report.html"})
    return files
