"""Metrics: declared here by family, imported when one of their names is used.

>>> from sera import metric
>>> metric("ROUGE-2-R").score("the cat sat", ["a cat sat down"])
0.33333
>>> metric("ROUGE-1-R(stem=true,stop=true)").score("the cat sat", ["a cat sat down"])
1.0
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from typing import Any

from sera.errors import InputError
from sera.metrics.base import Metric
from sera.registry import Registry, unknown
from sera.settings import check_given, shown
from sera.text.languages import only_english

# An entry: module and class, a description, and what the family needs besides candidate and references: of
# `RESOURCES`, or "source", the article; one that it can do without ends with "?".
FAMILIES = Registry(
    "metric family",
    {
        "ROUGE": (".rouge.measures:Rouge", "n-gram, subsequence and skip-bigram overlap (Lin 2004)"),
        "SERA": (
            ".sera:Sera",
            "overlap of what candidate and references retrieve (Cohan & Goharian 2016)",
            "rankings",
        ),
        "Pyramid": (
            ".pyramid:Pyramid",
            "weighted content units found (Nenkova & Passonneau 2004)",
            "nuggets",
            "answers?",
        ),
        "MOULIN-ROUGE": (
            ".moulin_rouge:MoulinRouge",
            "content of the references, in other words than the source's (Nelson 2020)",
            "source",
            "collection?",
            "nuggets?",
            "vectors?",
        ),
        "ROUGE-K": (".rouge_k:RougeK", "keywords found (Takeshita et al. 2024)", "source?"),
        "JS-ref": (".word_distributions:JsRef", "divergence from the references (Peyrard et al. 2017)"),
        "JS": (".word_distributions:Js", "divergence from the article (Louis & Nenkova 2013)", "source"),
        "KL": (".word_distributions:Kl", "divergence from the article (Peyrard et al. 2017)", "source"),
        "TF*IDF": (
            ".word_distributions:TfIdf",
            "sum of TF*IDF of its n-grams (Peyrard et al. 2017)",
            "source",
        ),
        "Cov": (".word_distributions:Coverage", "coverage of the article (Peyrard et al. 2017)", "source"),
        "Red": (".word_distributions:Redundancy", "repetition (Peyrard et al. 2017)"),
        "ROUGE-WE": (
            ".word_vector_metrics:RougeWe",
            "overlap of n-grams with similar vectors (Ng & Abrecht 2015)",
            "vectors",
        ),
        "AVG_SIM": (
            ".word_vector_metrics:AvgSim",
            "similarity of mean word vectors (Peyrard et al. 2017)",
            "vectors",
        ),
        "Frame": (".frames:Frame", "overlap of frames (Peyrard et al. 2017)", "frames"),
        "S3": (
            ".s3.model:S3",
            "learnt from human judgements (Peyrard et al. 2017)",
            "model",
            "vectors?",
            "frames?",
            "source?",
        ),
        "S3-pyr-released": (
            ".s3.released:ReleasedPyr",
            "Pyramid scores by the authors' model (Peyrard et al. 2017)",
            "vectors",
        ),
        "S3-resp-released": (
            ".s3.released:ReleasedResp",
            "responsiveness by the authors' model (Peyrard et al. 2017)",
            "vectors",
        ),
        "BERTScore": (
            ".bert_score:BertScore",
            "tokens matched by a language model's vectors (Zhang et al. 2020)",
            "encoder",
        ),
        "Judge": (
            ".judge:Judge",
            "a quality as a language model judges it (Liu et al. 2023)",
            "answers",
            "source?",
        ),
    },
    group="sera.metrics",
)


# An entry: the function that opens the resource, a description, and the files; one of them suffices. The
# function gets all files by name, the texts whose words are looked up, and the resource's settings.
RESOURCES = Registry(
    "resource",
    {
        "rankings": (".sera:open_rankings", "what texts retrieve", "runs", "index"),
        "collection": (
            ".frequent_words:open_collection",
            "which words are frequent",
            "frequent_words",
            "index",
        ),
        "nuggets": (".pyramid:open_nuggets", "marked content units", "nuggets"),
        "vectors": (".word_vector_metrics:open_vectors", "word vectors", "vectors"),
        "encoder": (".encoders:open_files", "a language model", "encoder"),
        "frames": (".frames:open_frames", "a release of FrameNet", "framenet"),
        "model": (".s3.model:open_model", "a trained model of S3", "model"),
        "answers": ("sera.io.language_models:open_answers", "answers of a language model", "answers"),
    },
    group="sera.resources",
    package="sera.metrics",
)
"""What a metric may need besides texts, by the name of its field (`sera.metrics.configure.Resources`)."""


def family_of(name: str) -> str:
    """The family of a metric's name or selector: the longest family name that it starts with."""
    if (family := _family(name)) is None:
        raise unknown("metric", name, catalogue_names())
    return family


def _family(name: str) -> str | None:
    if not isinstance(name, str):
        return None
    name = name.partition("(")[0]
    fitting = [family for family in FAMILIES if name == family or name.startswith(f"{family}-")]
    return max(fitting, key=len, default=None)


def is_metric(name: str) -> bool:
    """Whether a text is the name or the selector of a metric, listed or not."""
    try:
        base, _ = read_selector(name)
    except InputError:
        return False
    if _family(base) is None:
        return False
    for text in (base, name):  # a setting may be a resource's; a name alone may lack a setting that it needs
        with suppress(InputError):
            make_metric(text)
            return True
    return False


def falling(names: Iterable[str]) -> list[str]:
    """The metrics for which lower is better; a metric that is not known here is taken to rise."""
    return [
        name
        for name in names
        if (family := _family(name)) and FAMILIES.load(family).falling and is_metric(name)
    ]


def metric(*names: str, **settings: Any) -> Any:
    """The `Metric` of a name, such as ``ROUGE-2-F`` or ``SERA-DIS-NP-10``, or of a selector.

    >>> metric("ROUGE-2-R").score("the cat sat", ["a cat sat down"])
    0.33333

    A selector is a name with settings, as in ``ROUGE-2-F(stem=true)``: the text as which a metric prints.
    ``settings`` are the family's own (see its class) and its resources; to set those of a resource, use
    `sera.metrics.configure.equip`. Several names, or a name without its part, give a
    `sera.metrics.group.MetricGroup`, which scores by all of them at once:

    >>> metric("ROUGE-2").score("the cat sat", ["a cat sat down"])
    {'ROUGE-2-P': 0.5, 'ROUGE-2-R': 0.33333, 'ROUGE-2-F': 0.4}

    Raises InputError for a name that is not known, with the nearest that are, and for a setting that the
    metric does not have.
    """
    expanded = expand_parts(names)
    if len(expanded) == len(names) == 1:
        return make_metric(*names, **settings)
    from sera.metrics.group import MetricGroup

    return MetricGroup([make_metric(name, **settings) for name in expanded])


def expand_parts(names: Iterable[str]) -> list[str]:
    """The names or selectors of metrics; one without its part, as ``ROUGE-L(stem=true)``, gives three."""
    expanded: list[str] = []
    for name in names:
        base, bracket, inside = name.partition("(") if isinstance(name, str) else (name, "", "")
        parts = [f"{base}-{part}{bracket}{inside}" for part in "PRF"]
        is_whole = isinstance(name, str) and _family(base) and not is_metric(name)
        expanded += parts if is_whole and all(map(is_metric, parts)) else [name]
    return expanded


def make_metric(name: str, **settings: Any) -> Metric:
    """The metric of one whole name or selector; see `metric`."""
    name, own = read_selector(name)
    family = FAMILIES.load(family_of(name))
    for each in family.resource_settings:
        if each.name in own:
            problem = f"{name}: {each.name} is a setting of its {each.of}"
            raise InputError(problem, remedy=f"Give {each.of} made with it.")
    try:
        return family.parse(name, **{**own, **settings})
    except TypeError as error:
        own_fields = {each.name for each in fields(family)}
        rest = {key: value for key, value in settings.items() if key not in own_fields}
        check_settings_of(family_of(name), rest)
        remedy = f"`sera metrics {family_of(name)}` lists its settings."
        raise InputError(f"{name}: {error}", remedy=remedy) from None
    except InputError:
        raise
    except ValueError:
        raise unknown("metric", name, family.names()) from None


_SELECTOR = re.compile(r"([^()]+)\((.*)\)", re.DOTALL)
_VALUE = r'"(?:[^"\\]|\\.)*"|[^,"()]*'
_SETTING = re.compile(rf" *([^=,\"()]+)=({_VALUE})(?:,|$)")


def read_selector(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the settings of a selector, their values checked.

    >>> read_selector("ROUGE-2-F(stem=true)")
    ('ROUGE-2-F', {'stem': True})

    Raises InputError for a text that is not a selector, and for a setting that the family does not have.
    """
    match = _SELECTOR.fullmatch(text) if isinstance(text, str) else None
    if not match:
        return text, {}
    name, inside = match[1], match[2]
    family = family_of(name)
    known = {each.name: each for each in FAMILIES.load(family).settings()}
    values: dict[str, Any] = {}
    position = 0
    while position < len(inside):
        part = _SETTING.match(inside, position)
        if not part:
            problem = f"{shown(text)} is not a metric"
            raise InputError(problem, remedy="It is a name, or NAME(setting=value,setting=value).")
        setting, value = part[1].strip(), part[2]
        value = json.loads(value) if value.startswith('"') else value
        values[setting] = known[setting].read(value, f"{family}.{setting}") if setting in known else value
        position = part.end()
    return name, check_settings_of(family, values)


def check_settings_of(family: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given values of a family's settings, by name.

    InputError as of `check_given`, and for a language where the family reads English alone.
    """
    known = FAMILIES.load(family).settings()
    if "language" in given and not has_language(family):
        raise only_english(family, given["language"], [each for each in FAMILIES if has_language(each)])
    return check_given(family, known, given)


def has_language(family: str) -> bool:
    """Whether a family has other languages than English."""
    return any(each.name == "language" for each in FAMILIES.load(family).settings())


def catalogue() -> Iterator[tuple[str, str]]:
    """Every listed metric's name and its description of one line."""
    for family in FAMILIES:
        kind = FAMILIES.load(family)
        for name in kind.names():
            yield name, kind.describe(name)


def catalogue_names() -> list[str]:
    """Every listed metric's name."""
    return [name for name, _ in catalogue()]
