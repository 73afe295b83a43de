"""A hash of raw data, as a parameter of the jobs that read them.

Snakemake reruns a job whose input is newer and has another content. It does not notice an older file with
another content, as `cp -p` and `tar` put it there; a change of the hash it does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from snakemake_interface_common.exceptions import WorkflowError

from sera.errors import InputError
from sera.io.checksums import checksums

_read_checksums = cache(lambda path: [f"{each.file}\0{each.sha256}\n" for each in checksums([path])])


def content_hash(paths: Iterable[str | Path]) -> str:
    """A hash over the names and contents of files and folders, as 16 hexadecimal digits.

    Each is read once in a process. WorkflowError for one that cannot be read.
    """
    try:
        lines = [line for path in paths for line in _read_checksums(Path(path))]
    except InputError as error:
        raise WorkflowError(str(error)) from None
    return hashlib.sha256("".join(lines).encode(errors="surrogateescape")).hexdigest()[:16]
