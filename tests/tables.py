"""What holds of every table for reading: Markdown and LaTeX with the same rows, and LaTeX that compiles."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from sera.io import tsv


def check_forms(path: Path) -> None:
    """Beside a TSV are its Markdown and LaTeX, whose rows are as many and have all columns."""
    count = len(tsv.read(path))
    markdown = path.with_suffix(".md").read_text(encoding="utf-8")
    assert len(re.findall(r"^\| ", markdown, re.MULTILINE)) == 1 + count, path
    text = path.with_suffix(".tex").read_text(encoding="utf-8")
    assert not re.search(r"(?<!\\)[%#_]", text.replace(r"\label{tab:" + path.stem, "")), path
    rows = [line for line in text.splitlines() if line.endswith(r"\\") and " & " in line]
    columns = re.search(r"\\begin\{(?:tabular|longtable)\}\{([lr]+)\}", text)[1]
    heads = 2 if "longtable" in text else 1
    assert len(rows) == count + heads, path
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(columns) - 1}, path


def check_latex(paths: Iterable[Path], folder: Path) -> None:
    """LaTeX tables compile in a document with the packages that they need; skips where there is no LaTeX."""
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no LaTeX to compile the tables with")
    inputs = "\n".join(rf"\input{{{path}}}\clearpage" for path in sorted(paths))
    (folder / "all.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n"
        + inputs
        + "\n\\end{document}\n"
    )
    line = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    run = subprocess.run(line, cwd=folder, capture_output=True, text=True, errors="replace")
    assert run.returncode == 0, run.stdout[-3000:]
    assert "Missing character" not in run.stdout
