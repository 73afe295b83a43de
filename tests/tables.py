"""What holds of every table for reading: Markdown and LaTeX with the same rows, and LaTeX that compiles."""

import re
from pathlib import Path

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
