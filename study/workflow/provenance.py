"""The code and the packages that made results."""

from __future__ import annotations

import platform
import re
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any


def versions(lock: str | Path) -> dict[str, str]:
    """The versions of Python and of the packages of a lock file, as they are installed here."""
    all_versions = {each.name.lower().replace("_", "-"): each.version for each in metadata.distributions()}
    names = re.findall(r"^([\w.-]+)==", Path(lock).read_text(encoding="utf-8"), re.MULTILINE)
    return {
        "python": platform.python_version(),
        **{name: all_versions[name] for name in names if name in all_versions},
    }


def commit(checkout: str) -> dict[str, Any]:
    """The ``commit`` of a checkout, whether tracked files are ``modified``, and the remote ``repository``.

    Each is None if git does not know it.
    """

    def git(*arguments: str) -> str | None:
        try:
            run = subprocess.run(["git", "-C", str(checkout), *arguments], capture_output=True, text=True)
        except OSError:
            return None
        return run.stdout.strip() if run.returncode == 0 else None

    top = git("rev-parse", "--show-toplevel")
    if not top or Path(top).resolve() != Path(checkout).resolve():  # a copy inside another repository
        return {"commit": None, "modified": None, "repository": None}
    changes = git("status", "--porcelain", "--untracked-files=no")
    return {
        "commit": git("rev-parse", "HEAD"),
        "modified": None if changes is None else bool(changes),
        "repository": public_address(git("remote", "get-url", "origin") or ""),
    }


def public_address(remote: str) -> str | None:
    """The address of a git remote without user, password and query, which may be secrets.

    None for a folder, which is an address on one machine only.
    """
    address = re.sub(r"[?#].*", "", re.sub(r"^(\w+://)?[^/@]*@", r"\1", remote))
    return address if re.match(r"(https?|ssh|git)://|[\w.-]{2,}:(?!//)", address) else None
