"""Word lists in the package; the first lines of each name its source."""

from functools import cache
from importlib.resources import files


def lines(name: str, package: str = __name__) -> list[str]:
    """The non-empty lines of a resource file of a package, without those that begin with ``#``."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]


@cache
def stop_words() -> frozenset[str]:
    """The stop words of the SMART system, the list that ROUGE-1.5.5 ships; lower case."""
    return frozenset(lines("smart_stop_words.txt"))


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a resource file with a word in each line."""
    return frozenset(lines(name))
