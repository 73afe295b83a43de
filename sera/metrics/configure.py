"""The one place where metrics meet their settings and their resources.

A family declares its settings in its class (`sera.settings.Setting`) and its resources in its line of the
registry (`sera.metrics.FAMILIES`). The command line, the study, the multiverse and the page call `equip`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sera.errors import Faults, InputError
from sera.metrics import FAMILIES, check_settings_of, family_of, metric, read_selector
from sera.metrics.base import RESOURCES, Metric
from sera.text.languages import ENGLISH

FamilySettings = Mapping[str, Mapping[str, Any]]
"""Values of settings, by family and by name."""


class Resources:
    """Resources by name: each the resource itself, or a function that makes it.

    A function gets the settings that belong to the resource as keywords (``rankings``: those of
    `sera.metrics.sera.SEARCH`) and is called once for the same settings. None stands for no resource. Raises
    TypeError for a name that is not in `sera.metrics.base.RESOURCES`.
    """

    def __init__(self, **given: Any) -> None:
        if unknown := sorted(set(given) - set(RESOURCES)):
            raise TypeError(f"there is no resource {', '.join(unknown)}; there are {', '.join(RESOURCES)}")
        self._given = {name: value for name, value in given.items() if value is not None}
        self._made: dict[tuple[Any, ...], Any] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def get(self, name: str, settings: Mapping[str, Any]) -> Any:
        """The resource, made with these settings if a function makes it; None if there is none."""
        resource = self._given.get(name)
        if not callable(resource):
            return resource
        key = (name, *sorted(settings.items()))
        if key not in self._made:
            self._made[key] = resource(**settings)
        return self._made[key]


def equip(
    names: Iterable[str], settings: FamilySettings | None = None, resources: Resources | None = None
) -> list[Metric]:
    """The metrics of these names or selectors, with their settings and resources, in the order given.

    ``settings`` hold for every metric of a family that has them; those in a selector come before them.
    Raises InputError as `check` does.
    """
    names, settings, resources = list(names), settings or {}, resources or Resources()
    check(names, settings, resources)
    return [_make_metric(name, settings, resources) for name in names]


def check(
    names: Iterable[str], settings: FamilySettings | None = None, resources: Resources | None = None
) -> None:
    """Check all that `equip` needs, without making a resource.

    Raises one InputError for unknown names, for settings that a family does not have or that are not allowed,
    and for metrics that lack a resource.
    """
    settings, resources = settings or {}, resources or Resources()
    faults = Faults()
    for family, values in settings.items():
        faults.checked(check_settings_of, family, values)
    for name in names if not faults else ():
        faults.checked(_check_resources, name, settings, resources)
    faults.raise_all()


def _check_resources(name: str, settings: FamilySettings, resources: Resources) -> None:
    one = _make_metric(name, settings)
    for need in needs(one):
        if need in RESOURCES and need not in resources:
            one.ready()
            raise InputError(f"{name} needs {need}", remedy=f"Give {need}=... to it.")


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
    for name in FAMILIES.load(family).names():
        _make_metric(name, {family: given})


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


def _make_metric(name: str, settings: FamilySettings, resources: Resources | None = None) -> Metric:
    """The metric of a name or selector with its settings, and those of the resources that it can use."""
    base, own = read_selector(name)
    family = family_of(base)
    kind = FAMILIES.load(family)
    for setting in own:
        if not kind.has(base, setting):
            raise InputError(f"{base} has no setting {setting}", remedy="Its name fixes it.")
    family_settings = check_settings_of(family, settings.get(family, {}))
    values = {key: value for key, value in family_settings.items() if kind.has(base, key)} | own
    owners = {each.name: each.of for each in kind.resource_settings}
    equipment = {
        need: resources.get(need, {key: value for key, value in values.items() if owners.get(key) == need})
        for need in FAMILIES.uses(family)
        if resources and need in RESOURCES and need in resources
    }
    one = metric(base, **{key: value for key, value in values.items() if key not in owners}, **equipment)
    return one
