"""The command that lists the metrics, and the settings of metrics on the command line.

`sera.cli.score` has the command that scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import click

from sera.cli.options import Command, say
from sera.errors import InputError
from sera.settings import shown

SHORT_FORMS = {
    "ROUGE": ("stem", "stop", "multi", "words", "bytes", "dialect"),
    "SERA": ("mu", "noun_phrases"),
    "Pyramid": ("threshold",),
    "ROUGE-K": ("matching", "second"),
    "MOULIN-ROUGE": ("beta",),
}
"""The settings, by family, that have an option of their own beside --set."""


@click.command(cls=Command)
@click.argument("family", required=False)
def metrics(family: str | None) -> None:
    """List the metrics, each with a description in one line; or those of a FAMILY, with its settings."""
    from sera.metrics import FAMILIES, catalogue
    from sera.settings import written

    if family is None:
        _print_table(list(catalogue()))
        return
    loaded = FAMILIES.load(family)
    _print_table([(name, loaded.describe(name)) for name in loaded.names()])
    say()
    rows = [
        (f"{family}.{each.name}", f"{each.help}: {each.allowed}; default {written(each.default)}")
        for each in loaded.settings()
    ]
    _print_table(rows or [(family, "has no settings")])


def _print_table(rows: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    for name, description in rows:
        say(f"{name:<{width}}  {description}")


def settings_given(
    assignments: tuple[str, ...], short_forms: Mapping[str, Any] = MappingProxyType({}), only: str = ""
) -> dict[str, dict[str, Any]]:
    """The settings in the options, by family; InputError for one that is not FAMILY.KEY=VALUE.

    ``only`` is the one family that may be named, if there is one.
    """
    from sera.metrics import FAMILIES, check_settings_of

    found: dict[str, dict[str, Any]] = {}
    for family, names in SHORT_FORMS.items():
        given = {name: short_forms[name] for name in names if short_forms.get(name) is not None}
        if given:
            found[family] = given
    for text in assignments:
        dotted, equals, value = text.partition("=")
        family, dot, name = dotted.partition(".")
        if not (equals and dot and name):
            raise InputError(
                f"--set {shown(text)} is not a setting",
                remedy="Write FAMILY.KEY=VALUE, as in ROUGE.stem=true.",
            )
        if only and family != only:
            raise InputError(f"--set names {family}, and {only} alone is set here", remedy="Leave it out.")
        known = {each.name: each for each in FAMILIES.load(family).settings()}
        read = known[name].read(value, f"{family}.{name}") if name in known else value
        found.setdefault(family, {}).update(check_settings_of(family, {name: read}))
    return found
