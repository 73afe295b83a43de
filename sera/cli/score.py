"""The commands that list the metrics of `sera.metrics` and score by them."""

import warnings
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from sera.cli.inputs import (
    COLUMNS,
    ENCODER,
    ENGINE,
    FRAMENET,
    FREQUENT_WORDS,
    IN,
    INDEX,
    LANGUAGE,
    OUT,
    RECORDS,
    VECTORS,
    check_standard_input,
    read_columns,
    read_some,
    read_summaries,
    resources,
    without_words,
)
from sera.cli.options import STDOUT, Command, counted, say
from sera.defaults import METRICS
from sera.errors import InputError, printable
from sera.names import separated
from sera.settings import shown, written


@click.command(cls=Command)
@click.argument("family", required=False)
def metrics(family: str | None) -> None:
    """List the metrics, each with a description in one line; or those of a FAMILY, with its settings."""
    from sera.metrics import FAMILIES, catalogue

    if family is None:
        _print_table(list(catalogue()))
        return
    kind = FAMILIES.load(family)
    _print_table([(name, kind.describe(name)) for name in kind.names()])
    say()
    rows = [
        (f"{family}.{setting.name}", f"{setting.help}: {setting.allowed}; default {written(setting.default)}")
        for setting in kind.settings()
    ]
    _print_table(rows or [(family, "has no settings")])


def _print_table(rows: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in rows)
    for name, description in rows:
        say(f"{name:<{width}}  {description}")


# settings of ROUGE with an option of their own
_ROUGE = ("stem", "stop", "multi", "words", "bytes", "dialect", "tokenizer")


def settings_given(
    assignments: tuple[str, ...], rouge: Mapping[str, Any] = MappingProxyType({}), only: str = ""
) -> dict[str, dict[str, Any]]:
    """The settings in the options, by family; InputError for one that is not FAMILY.KEY=VALUE.

    ``rouge`` has settings of ROUGE, and ``only`` is the one family that may be named, if there is one.
    """
    from sera.metrics import check_settings_of, read_selector

    own = {name: value for name, value in rouge.items() if name in _ROUGE and value is not None}
    settings = {"ROUGE": check_settings_of("ROUGE", own)} if own else {}
    for text in assignments:
        dotted, equals, value = text.partition("=")
        family, dot, name = dotted.partition(".")
        if not (equals and dot and name):
            raise InputError(
                f"--set {shown(text)} is not a setting",
                remedy="Write FAMILY.KEY=VALUE, as in ROUGE.stem=true.",
            )
        if only and family != only:
            raise InputError(
                f"--set names {family}, but this command sets only {only}", remedy="Leave it out."
            )
        settings.setdefault(family, {}).update(read_selector(f"{family}({name}={written(value)})")[1])
    return settings


@click.command(cls=Command)
@click.argument("candidates", type=RECORDS)
@click.argument("references", type=RECORDS, required=False)
@COLUMNS
@click.option(
    "--metrics",
    "names",
    default=",".join(METRICS),
    help="Metrics (comma-separated), as `sera metrics` lists them; settings may follow in parentheses, "
    "as in ROUGE-2-F(stem=true). ROUGE-L stands for its P, R and F, FILE.py:NAME for a function of yours.",
)
@click.option(
    "--sources",
    type=RECORDS,
    help="JSONL: topic, id, sentences; or CSV, TSV: topic, article; for metrics that need the article.",
)
@LANGUAGE
@click.option(
    "--split",
    type=click.Choice(["sentences", "none"]),
    default="sentences",
    help="Texts that are not given by sentences: split them, for metrics such as ROUGE-L, or do not.",
)
@click.option(
    "--out",
    type=OUT,
    default=STDOUT,
    show_default=False,
    help="Table to write, TSV or CSV: topic, system, metric, score; by default to standard output.",
)
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="FAMILY.KEY=VALUE",
    help="Setting of a family, as in ROUGE-K.longest=5 (repeatable); `sera metrics FAMILY` lists them. ",
)
@click.option("--stem/--no-stem", default=None, show_default="no-stem", help="ROUGE: stem the words.")
@click.option("--stop/--no-stop", default=None, show_default="no-stop", help="ROUGE: remove stop words.")
@click.option("--multi", metavar="[pooled|best|jackknife]", help="ROUGE: how several references count.")
@click.option(
    "--words",
    type=click.IntRange(1),
    help="ROUGE: cut each text after this number of words, those of --tokenizer or pieces between blanks.",
)
@click.option("--bytes", type=click.IntRange(1), help="ROUGE: cut each text after this number of bytes.")
@click.option("--dialect", metavar="[ROUGE-1.5.5|rouge-score|paper]", help="ROUGE: implementation to follow.")
@click.option(
    "--tokenizer",
    metavar="[ascii|unicode|characters]",
    help="ROUGE: what is a word; characters: as unicode, but each Chinese or Japanese character is one.",
)
@click.option("--plain-names", is_flag=True, help="Leave the settings out of the names in the tables.")
@click.option("--index", type=INDEX, help="SERA: index to search. MOULIN-ROUGE: index of frequent words.")
@ENGINE
@FREQUENT_WORDS
@click.option("--nuggets", type=IN, help="Pyramid: JSONL with topic, annotator, text.")
@VECTORS
@ENCODER
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
    references: Path | None,
    columns: tuple[str, ...],
    sources: Path | None,
    language: str,
    split: str,
    out: Path,
    assignments: tuple[str, ...],
    plain_names: bool,
    signatures: Path | None,
    **given: Any,
) -> None:
    """Score candidates against references.

    CANDIDATES have topic, system and summary, REFERENCES topic, reference and maybe annotator; without
    REFERENCES, CANDIDATES have a column reference or references too. The files are CSV or TSV (by the name),
    or JSON: objects one a line or in an array. Columns with usual names (doc_id, model, output, target) are
    found, and printed. Two files .txt have a summary on each line. One file may be -, JSON on standard input.

    ROUGE follows ROUGE-1.5.5. By default it neither stems nor removes stop words; the paper uses --stem
    and --stop. The table names the settings that are not the defaults, as in ROUGE-2-F(stem=true). The system
    human_A is annotator A's own summary and is scored against the other references. If a score is undefined
    or says little, the table has a column note with the reason.
    """
    from sera.io.records import Source
    from sera.io.scores import NOTE, write_score_columns
    from sera.metrics import FAMILIES, expand_parts, family_of, scoring
    from sera.metrics.base import Caution
    from sera.metrics.configure import check, equip, in_language
    from sera.metrics.functions import name_function_in_file
    from sera.metrics.notes import missing_lines, note_lines

    selection = list(dict.fromkeys(expand_parts(map(name_function_in_file, separated(names)))))
    if not selection:
        raise InputError("--metrics names no metric", remedy="`sera metrics` lists them.")
    settings = settings_given(assignments, given)
    if unused := sorted(set(settings) - set(map(family_of, selection))):
        raise InputError(
            f"there are settings of {', '.join(unused)}, and --metrics names no metric of it",
            remedy="Leave them out, or name a metric of the family.",
        )
    texts: list[Sequence[Any]] = []
    equipment = resources(chain.from_iterable(texts), given)
    chosen_settings = in_language(selection, settings, language)
    check(selection, chosen_settings, equipment)  # before anything is read
    if lacking := [name for name in selection if not sources and FAMILIES.load(family_of(name)).needs_source]:
        problem = f"{', '.join(lacking)}: compared with the article, and no articles are given"
        raise InputError(problem, remedy="Name their file: --sources FILE.")
    check_standard_input([candidates, references, sources])
    chosen_columns = read_columns(columns)
    split_in = language if split == "sentences" else None
    summaries, reference_list = read_summaries(candidates, references, split_in, chosen_columns)
    articles = read_some(sources, Source, split_in, chosen_columns) if sources else []
    chosen_columns.check_seen()
    texts += [summaries, reference_list]
    scorers = equip(selection, chosen_settings, equipment)
    label = scoring.canonical_name if plain_names else str
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Caution)  # the notes have them
        table = scoring.score_columns(scorers, summaries, reference_list, articles, label=label)
    write_score_columns(out, table)
    if signatures and signatures != STDOUT:
        scoring.write_signatures(signatures, scorers, label=label)
    elif signatures:
        for scorer in scorers:
            say(scorer.signature)
    undefined = sum(score != score for score in table["score"])
    say(
        f"{counted(len(table['score']), 'score')} of {counted(len(set(table['system'])), 'system')} "
        f"on {counted(len(set(table['topic'])), 'topic')}"
        + (f" in {out}" if out != STDOUT else "")
        + (f"; {undefined} undefined" if undefined else "")
        + without_words(summaries, "candidates")
        + without_words(reference_list, "references")
    )
    missing = missing_lines(
        [(summary.topic, summary.system) for summary in summaries],
        dict.fromkeys(reference.topic for reference in reference_list),
    )
    notes = note_lines(table["metric"], table[NOTE]) if NOTE in table else []
    for line in (*missing, *(f"Note: {line}" for line in notes)):
        say(printable(line))
