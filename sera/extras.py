"""Extras: the packages that the core does without, and the command that installs each.

`pip install` of this package alone installs the core. A module that needs more imports it where it uses it,
inside `extra_for`, and so does a registry that imports the module of a name.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from itertools import chain
from types import ModuleType

from sera.errors import InputError

EXTRA_OF = {
    "nltk": "text",
    "syntok": "text",
    "textblob": "text",
    "threadpoolctl": "text",
    "sklearn": "summarizers",
    "sumy": "summarizers",
    "elastic_transport": "elasticsearch",
    "elasticsearch": "elasticsearch",
    "lxml": "corpora",
    "onnxruntime": "neural",
    "tokenizers": "neural",
    "openpyxl": "corpora",
    "urllib3": "corpora",
    "PIL": "plots",
    "jinja2": "plots",
    "matplotlib": "plots",
    "jsonschema": "workflow",
    "pygments": "workflow",
    "rocrate": "workflow",
    "snakemake": "workflow",
    "yaml": "workflow",
}
"""The extra that installs a package, by the name that is imported."""


_PART_OF = {"elastic_transport": "elasticsearch"}  # comes with it


class MissingPackage(InputError):
    """A package is not installed, and an extra installs it.

    ``package``: the name that is imported.
    """

    def __init__(self, what: str, package: str) -> None:
        extra = EXTRA_OF[package]
        packages = " ".join(f"'{each}'" for each in _requirements(extra)) or package
        super().__init__(
            f"{what} needs {_PART_OF.get(package, package)}, of the extra {extra}",
            remedy=f"Run: pip install {packages}",
        )
        self.package = package


def _requirements(extra: str) -> Iterator[str]:
    """What an extra installs, also through other extras; nothing where this package is not installed."""
    try:
        required = metadata.requires("sera-reproduction") or []
    except metadata.PackageNotFoundError:
        return
    for each in required:
        package, _, marker = each.partition("; ")
        if marker == f'extra == "{extra}"':
            if others := re.fullmatch(r"sera-reproduction\[(.*)\]", package):
                yield from chain.from_iterable(map(_requirements, others[1].split(",")))
            else:
                yield package


@contextmanager
def extra_for(what: str) -> Iterator[None]:
    """Raise `MissingPackage` for ``what`` if an import inside fails because a package of an extra is missing.

    Within another, the outer one names what the user asked for: "sera summarize" rather than the summarizer.
    """
    try:
        yield
    except MissingPackage as error:
        raise MissingPackage(what, error.package) from None
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA_OF:
            raise
        raise MissingPackage(what, package) from None


def imported(module: str, what: str) -> ModuleType:
    """A module that needs packages of an extra, imported; `MissingPackage` for ``what`` without them."""
    with extra_for(what):
        return importlib.import_module(module)
