"""A hook of MkDocs: links to files outside docs/ become their labels.

The pages stand alone in a folder, and the repository has no published address to link to.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    def replaced(match: re.Match[str]) -> str:
        label, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group()
        path = posixpath.normpath(posixpath.join("docs", target.partition("#")[0]))
        return match.group() if path.startswith("docs/") else label

    return _LINK.sub(replaced, markdown)
