"""The commands of the room `sera.metrics`: list the metrics, and score by them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from sera.cli.inputs import (
    ENGINE,
    FRAMENET,
    FREQUENT_WORDS,
    IN,
    LANGUAGE,
    OUT,
    VECTORS,
    open_engine,
    read_collection,
    read_frames,
    read_model,
    read_summaries,
    read_vectors,
    without_words,
)
from sera.cli.options import STDOUT, Command, IndexIn, SettingOption
from sera.cli.output import counted, say
from sera.errors import InputError, printable
from sera.names import separated
from sera.settings import shown

SHORT_FORMS = {
    "ROUGE": ("stem", "stop", "multi", "words", "bytes", "dialect"),
    "SERA": ("mu", "noun_phrases"),
    "Pyramid": ("threshold",),
    "ROUGE-K": ("matching", "second"),
    "MOULIN-ROUGE": ("beta",),
}
"""The settings, by family, that have an option of their own beside --set."""


class ScoreCommand(Command):
    """The command that scores: its short forms come from what the families declare.

    They are added when the command is used, since to import every family takes time.
    """

    def get_params(self, context: click.Context) -> list[click.Parameter]:
        if not any(isinstance(each, SettingOption) for each in self.params):
            from sera.metrics import FAMILIES

            short = [
                SettingOption(family, setting)
                for family, names in SHORT_FORMS.items()
                for setting in FAMILIES.load(family).settings()
                if setting.name in names
            ]
            place = next(i for i, each in enumerate(self.params) if each.name == "assignments") + 1
            self.params[place:place] = short
        return super().get_params(context)


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
    assignments: tuple[str, ...], short_forms: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, dict[str, Any]]:
    """The settings that the options give, by family; InputError for one that is not FAMILY.KEY=VALUE."""
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
                f"--set {shown(text)} is no setting", remedy="Write FAMILY.KEY=VALUE, as in ROUGE.stem=true."
            )
        known = {each.name: each for each in FAMILIES.load(family).settings()}
        read = known[name].read(value, f"{family}.{name}") if name in known else value
        found.setdefault(family, {}).update(check_settings_of(family, {name: read}))
    return found


@click.command(cls=ScoreCommand)
@click.option(
    "--metrics",
    "names",
    required=True,
    help="Metrics (comma-separated), as `sera metrics` lists them; settings may follow in parentheses, "
    "as in ROUGE-2-F(stem=true).",
)
@click.option("--candidates", required=True, type=IN, help="JSONL: topic, system, sentences.")
@click.option("--references", required=True, type=IN, help="JSONL: topic, annotator, sentences.")
@click.option("--sources", type=IN, help="JSONL: topic, id, sentences; for metrics that need the article.")
@LANGUAGE
@click.option("--out", required=True, type=OUT, help="TSV to write: topic, system, metric, score.")
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="FAMILY.KEY=VALUE",
    help="Setting of a family, as in ROUGE-K.longest=5 (repeatable); `sera metrics FAMILY` lists them. "
    "The options that begin with a family's name are short forms.",
)
@click.option("--index", type=IndexIn(), help="SERA: index to search. MOULIN-ROUGE: index of frequent words.")
@ENGINE
@FREQUENT_WORDS
@click.option("--nuggets", type=IN, help="Pyramid: JSONL with topic, annotator, text.")
@VECTORS
@FRAMENET
@click.option("--model", type=IN, help="S3: trained model.")
@click.option(
    "--signatures",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    type=OUT,
    help="Print each metric's signature, or write them to a TSV file.",
)
def score(
    names: str,
    candidates: Path,
    references: Path,
    sources: Path | None,
    language: str,
    out: Path,
    assignments: tuple[str, ...],
    index: Path | None,
    engine: str,
    frequent_words: Path | None,
    nuggets: Path | None,
    vectors: Path | None,
    framenet: Path | None,
    model: Path | None,
    signatures: Path | None,
    **short_forms: Any,
) -> None:
    """Score candidates against references.

    ROUGE follows ROUGE-1.5.5. By default it neither stems nor removes stop words; the paper uses --stem
    and --stop. The table names the settings that are not the defaults, as in ROUGE-2-F(stem=true). The system
    human_A is annotator A's own summary and is scored against the other references. If a score is undefined
    or says little, the table has a column note with the reason.
    """
    from sera.metrics import family_of, metric, read_selector
    from sera.metrics.base import Caution
    from sera.metrics.equip import Resources, check, equip, in_language
    from sera.metrics.notes import missing_lines, note_lines, with_notes
    from sera.metrics.scoring import score as score_all
    from sera.metrics.scoring import write_scores, write_signatures
    from sera.records import Nugget, Source, read, read_unique

    def rankings(**search: Any) -> Any:
        from sera.metrics.sera import EngineRankings

        assert index is not None
        return EngineRankings(open_engine(engine, index), **search)

    def marked() -> Any:
        from sera.metrics.pyramid import Pyramid

        assert nuggets is not None
        return Pyramid.from_records(read(nuggets, Nugget))

    summaries: list[Any] = []
    gold: list[Any] = []
    resources = Resources(
        rankings=rankings if index else None,
        collection=(lambda: read_collection(engine, index, frequent_words))
        if index or frequent_words
        else None,
        nuggets=marked if nuggets else None,
        vectors=(lambda: read_vectors(vectors, [*summaries, *gold])) if vectors else None,
        frames=(lambda: read_frames(framenet)) if framenet else None,
        model=(lambda: read_model(model)) if model else None,
    )
    wanted = list(dict.fromkeys(separated(names)))
    if not wanted:
        raise InputError("--metrics names no metric", remedy="`sera metrics` lists them.")
    settings = settings_given(assignments, short_forms)
    if unused := sorted(set(settings) - set(map(family_of, wanted))):
        raise InputError(
            f"there are settings of {', '.join(unused)}, and --metrics names no metric of it",
            remedy="Leave them out, or name a metric of the family.",
        )
    chosen_settings = in_language(wanted, settings, language)
    check(wanted, chosen_settings, resources)  # before anything is read
    for name in wanted:
        if metric(read_selector(name)[0]).needs_source and sources is None:
            raise InputError(
                f"{name} compares with the article, and no articles are given",
                remedy="Name their file: --sources FILE.",
            )
    summaries[:], gold[:] = read_summaries(candidates, references)
    chosen = equip(wanted, chosen_settings, resources)
    articles = read_unique(sources, Source) if sources else []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Caution)  # the notes have them
        table = with_notes(score_all(chosen, summaries, gold, articles), chosen, articles)
    write_scores(out, table)
    if signatures and signatures != STDOUT:
        write_signatures(signatures, chosen)
    elif signatures:
        for each in chosen:
            say(each.signature)
    undefined = int(table["score"].isna().sum())
    say(
        f"{counted(len(table), 'score')} of {counted(table['system'].nunique(), 'system')} "
        f"on {counted(table['topic'].nunique(), 'topic')} in {out}"
        + (f"; {undefined} undefined" if undefined else "")
        + without_words(summaries, "candidates")
        + without_words(gold, "references")
    )
    for line in (*missing_lines(summaries, gold), *(f"Note: {line}" for line in note_lines(table))):
        say(printable(line))
