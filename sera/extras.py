"""Extras: the packages that the core does without, and the command that installs each.

`pip install` of this package alone installs the core. A module that needs more imports it where it uses it,
inside `extra_for`, and so does a registry that imports the module of a name.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sera.errors import InputError

EXTRA_OF = {
    "nltk": "text",
    "textblob": "text",
    "threadpoolctl": "text",
    "spacy": "spacy",
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


class MissingPackage(InputError):
    """A package is not installed, and an extra installs it.

    ``package``: the name that is imported.
    """

    def __init__(self, what: str, package: str) -> None:
        extra = EXTRA_OF[package]
        super().__init__(
            f"{what} needs {package}, of the extra {extra}",
            remedy=f"Run: pip install '<clone>[{extra}]', where <clone> is the path of your clone",
        )
        self.package = package


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


def import_nltk() -> None:
    """Import NLTK, if it is installed, as if SciPy and scikit-learn were not.

    It imports them for classifiers and tests that nothing here uses, which takes three of the four seconds of
    a short job. Those parts of NLTK do not work afterwards, so programs of this project call this, and its
    library, which a user's program imports, does not.
    """
    hidden = {name: sys.modules.pop(name, None) for name in ("scipy", "sklearn")}
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None: no import finds the module
    with suppress(ModuleNotFoundError):
        import nltk  # noqa: F401
    for name, module in hidden.items():
        del sys.modules[name]
        if module is not None:
            sys.modules[name] = module
