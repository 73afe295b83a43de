"""A hook of MkDocs: the README is the first page, and links to files outside docs/ become their paths.

The pages stand alone in a folder, and the repository has no published address to link to.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent.parent
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def on_files(files: Any, config: Any) -> Any:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    readme = re.sub(r'(\]\(|src=")docs/', r"\1", _linked(readme, ""))
    files.append(File.generated(config, "index.md", content=readme))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    return markdown if page.file.src_uri == "index.md" else _linked(markdown, "docs")


def _linked(markdown: str, folder: str) -> str:
    """The text without the links from ``folder``, a path in the repository, to files outside docs/."""

    def replaced(match: re.Match[str]) -> str:
        label, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group()
        path = posixpath.normpath(posixpath.join(folder, target.partition("#")[0]))
        return match.group() if path.startswith("docs/") else label

    return _LINK.sub(replaced, markdown)
