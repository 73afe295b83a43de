"""The one place where metrics meet their settings and their resources.

A family declares its settings in its class (`sera.settings.Setting`) and its resources in its line of the
registry (`sera.metrics.FAMILIES`). The command line, the study, the multiverse and the page call `equip`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from sera.errors import InputError, checked_each
from sera.metrics import FAMILIES, RESOURCES, check_settings_of, family_of, make_metric, read_selector
from sera.metrics.base import Metric
from sera.text.languages import ENGLISH

FamilySettings = Mapping[str, Mapping[str, Any]]
"""Values of settings, by family and by name."""

ResourceSettings = dict[str, dict[str, Any]]
"""Values of settings, by resource and by name."""


def openers(files: Mapping[str, Any], texts: Iterable[Any] = ()) -> dict[str, Any]:
    """For each resource that has a file, a function that opens it, for `Resources`.

    ``files`` are by name, as in `RESOURCES`, with the ``engine`` of an index. Only the vectors of the words
    of ``texts`` are read, which may still be empty here.
    """
    return {
        name: partial(RESOURCES.load(name), files, texts)
        for name in RESOURCES
        if any(map(files.get, RESOURCES.uses(name)))
    }


class Resources:
    """Resources by name: each the resource itself, or a function that makes it.

    A function gets the settings that belong to the resource as keywords (``rankings``: those of
    `sera.metrics.sera.SEARCH`) and is called once for the same settings. None stands for no resource. Raises
    TypeError for a name that is not in `RESOURCES`.
    """

    def __init__(self, **given: Any) -> None:
        if unknown := sorted(set(given) - set(RESOURCES)):
            raise TypeError(f"there is no resource {', '.join(unknown)}; there are {', '.join(RESOURCES)}")
        there = {name: value for name, value in given.items() if value is not None}
        self._given = {name: cache(value) if callable(value) else value for name, value in there.items()}

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def get(self, name: str, **settings: Any) -> Any:
        """The resource, made with these settings if a function makes it; None if there is none."""
        resource = self._given.get(name)
        return resource(**dict(sorted(settings.items()))) if callable(resource) else resource

    def plus(self, **given: Any) -> Resources:
        """These with others, or others in their place; what was made is not made again."""
        return Resources(**{**self._given, **given})


def equip(
    names: Iterable[str], settings: FamilySettings | None = None, resources: Resources | None = None
) -> list[Metric]:
    """The metrics of these names or selectors, with their settings and resources, in the order given.

    ``settings`` hold for every metric of a family that has them; those in a selector come before them.
    Raises InputError as `check` does.
    """
    resources = resources or Resources()
    metrics = []
    for one, values in _make_metrics(names, settings, resources):
        needed = [need for need in FAMILIES.uses(family_of(one.name)) if need in resources]
        equipment = {need: resources.get(need, **values.get(need, {})) for need in needed}
        metrics.append(replace(one, **equipment) if equipment else one)
    return metrics


def check(
    names: Iterable[str], settings: FamilySettings | None = None, resources: Resources | None = None
) -> None:
    """Check all that `equip` needs, without making a resource.

    Raises one InputError for unknown names, for settings that a family does not have or that are not allowed,
    and for metrics that lack a resource.
    """
    _make_metrics(names, settings, resources or Resources())


def _make_metrics(
    names: Iterable[str], settings: FamilySettings | None, resources: Resources
) -> list[tuple[Metric, ResourceSettings]]:
    """The metrics of names, without resources, and the settings of these; all faults in one InputError."""
    checked = checked_each(lambda item: (item[0], check_settings_of(*item)), (settings or {}).items())

    def make(name: str) -> tuple[Metric, ResourceSettings]:
        one, values = _make_metric(name, dict(checked))
        for need in needs(one):
            if need in RESOURCES and need not in resources:
                one.ready()
                raise InputError(f"{name} needs {need}", remedy=f"Give {need}=... to it.")
        return one, values

    return checked_each(make, names)


def in_language(names: Iterable[str], settings: FamilySettings, language: str) -> FamilySettings:
    """The settings, with the language for each family of the names; a family's own settings come first.

    `check` refuses a family that reads English alone.
    """
    if language == ENGLISH:
        return settings
    families = dict.fromkeys(map(family_of, names))
    return {**settings, **{each: {"language": language, **settings.get(each, {})} for each in families}}


def check_settings(family: str, given: Mapping[str, Any]) -> None:
    """Check the settings of a family by making its listed metrics with them.

    Raises InputError for a setting that the family does not have or that is not allowed.
    """
    checked = {family: check_settings_of(family, given)}
    for name in FAMILIES.load(family).names():
        _make_metric(name, checked)


def needs(one: Metric) -> list[str]:
    """What a metric and those that it is made of cannot do without, as in the lines of the registry."""
    return [need for part in (one, *one.made_of) for need in FAMILIES.needs(family_of(part.name))]


def families_with(resources: Resources, *, sources: bool = True) -> list[str]:
    """The families whose resources are there, in the order of the registry.

    ``sources``: whether there are articles.
    """
    return [
        family
        for family in FAMILIES
        if all(need in resources or (need == "source" and sources) for need in FAMILIES.needs(family))
    ]


def listed_names(
    families: Iterable[str], listing: FamilySettings | None = None, settings: FamilySettings | None = None
) -> list[str]:
    """The names of the listed metrics of families, in their order, that read the language in the settings.

    ``listing`` has the arguments of a family's ``names``, such as SERA's ``cutoffs``.
    """
    names: list[str] = []
    for family in families:
        kind, own = FAMILIES.load(family), (settings or {}).get(family, {})
        catalogue, language = kind.names(**(listing or {}).get(family, {})), own.get("language", ENGLISH)
        names += [name for name in catalogue if kind.reads(name, language, own)]
    return names


def _make_metric(name: str, settings: FamilySettings) -> tuple[Metric, ResourceSettings]:
    """The metric of a name or selector with its settings, without resources, and the settings of these."""
    base, own = read_selector(name)
    family = family_of(base)
    kind = FAMILIES.load(family)
    for setting in own:
        if not kind.has(base, setting):
            raise InputError(f"{base} has no setting {setting}", remedy="Its name fixes it.")
    values = {key: value for key, value in settings.get(family, {}).items() if kind.has(base, key)} | own
    of_resources: ResourceSettings = {}
    for each in kind.resource_settings:
        if each.name in values:
            of_resources.setdefault(each.of, {})[each.name] = values.pop(each.name)
    return make_metric(base, **values), of_resources
