"""The commands that repeat the experiments of papers: `sera research`."""

from pathlib import Path
from typing import Any

import click

from sera.cli import inputs
from sera.cli.inputs import IN, OUT
from sera.cli.options import Folder, Group, check_output, counted, say
from sera.cli.score import settings_given
from sera.cli.summarizers import LENGTH
from sera.errors import InputError, printable
from sera.names import separated
from sera.settings import shown


def _set_option(family: str, help: str) -> Any:
    return click.option("--set", "assignments", multiple=True, metavar=f"{family}.KEY=VALUE", help=help)


@click.group(cls=Group)
def research() -> None:
    """Repeat experiments of papers on ROUGE, ROUGE-K and S3 with your texts."""


@research.command("grid")
@inputs.TEXTS
@click.option(
    "--metrics", "names", help="ROUGE measures (comma-separated); the recall of Lin's 17 if not given."
)
@_set_option("ROUGE", "Setting of all measures, as in ROUGE.words=100 or ROUGE.multi=jackknife (repeatable).")
@click.option("--judgements", type=IN, help="TSV: topic, system, judgement, score; to correlate with.")
@click.option("--published", type=IN, help="TSV: task, references, words, metric, pearson; to show too.")
@click.option("--task", help="Task of the published table, such as duc2003-multi-100.")
@inputs.BOOTSTRAP
@inputs.RESAMPLING
@inputs.MISSING
@click.option("--out", required=True, type=OUT, help="TSV to write: means, or with judgements correlations.")
def grid(
    candidates: Path,
    references: Path,
    names: str | None,
    assignments: tuple[str, ...],
    judgements: Path | None,
    published: Path | None,
    task: str | None,
    missing: str,
    out: Path,
    bootstrap: str,
    confidence: float,
    **drawn: Any,
) -> None:
    """Score by ROUGE with every treatment of words and references, as Lin (2004) does.

    CANDIDATES and REFERENCES are as of `sera score`. Words are as they are (CASE), stemmed (STEM), without
    stop words (STOP), or both (STEM+STOP); references are the first of a topic (one) or all. With judgements,
    the table has the correlations over systems, best marks the best measure of each treatment, equivalent
    those whose interval overlaps that of the best, and not_behind those whose difference from the best has an
    interval that includes 0 (a paired test).
    """
    from sera.evaluation import rouge_grid as word_grid
    from sera.evaluation.bootstrap import Bootstrap
    from sera.evaluation.tables import align_table, write_tsv
    from sera.metrics import family_of
    from sera.metrics.scoring import score as score_all

    if (published is None) != (task is None) or (published and not judgements):
        problem = "--published and --task go together, and need --judgements"
        raise InputError(problem, remedy="Give all three, or none.")
    measures = separated(names or "") or [f"ROUGE-{measure}-R" for measure in word_grid.LIN_MEASURES]
    if others := [name for name in measures if family_of(name) != "ROUGE" or "(" in name]:
        problem = f"{shown(others[0])} is not the name of a ROUGE measure"
        raise InputError(problem, remedy="Settings are given with --set.")
    settings = settings_given(assignments, only="ROUGE")
    metrics = word_grid.grid(list(dict.fromkeys(measures)), settings.get("ROUGE", {}))
    summaries, reference_list = inputs.read_summaries(candidates, references)
    table = score_all(list(metrics.values()), summaries, reference_list)
    if judgements is None:
        means = word_grid.grid_means(table, metrics)
        write_tsv(out, means)
        say(f"{counted(len(means), 'mean')} of {counted(means['system'].nunique(), 'system')} in {out}")
        return
    judged = inputs.read_judged(table, judgements, missing)
    draws = Bootstrap(bootstrap, **drawn)
    correlations = word_grid.grid_correlations(
        judged.table, metrics, judged.judgements, bootstrap=draws, confidence=confidence
    )
    if published and task:
        correlations = word_grid.add_published(correlations, word_grid.read_lin(published), task)
    write_tsv(out, correlations)
    say(align_table(word_grid.grid_text(correlations)))
    say(
        f"Pearson's r; * is the best of a column, = has a {confidence:g}% interval that overlaps the best's, "
        f"~ has one of the difference from the best that includes 0 ({bootstrap} resampled)"
        + ("; in brackets as published" if published else "")
    )
    systems = counted(correlations["systems"].max(), "system")
    say(f"{counted(len(correlations), 'correlation')} over {systems} in {out}")


@research.command("identify")
@inputs.TEXTS
@click.option("--published", required=True, help="The printed number, such as 0.4416 or 44.16.")
@click.option(
    "--metrics", "names", help="ROUGE measures (comma-separated), such as ROUGE-1; 1, 2 and L if not given."
)
@click.option("--out", type=OUT, help="TSV to write: every configuration and its value.")
def identify(candidates: Path, references: Path, published: str, names: str | None, out: Path | None) -> None:
    """Find the configurations of ROUGE that yield a printed number.

    CANDIDATES and REFERENCES are as of `sera score`. The command varies dialect, measure, part, stemming,
    stop words, references and sentences, and how the scores of several summaries become one: mean, median, or
    F of the mean P and R. It does not try means over runs, resampled means, limits of length, other tokens or
    sentence splitters, or F with another weight than 1.
    """
    from sera.evaluation import rouge_identity
    from sera.evaluation.tables import align_table, format_table, write_tsv

    measures = [name.removeprefix("ROUGE-") for name in separated(names or "")] or ["1", "2", "L"]
    for name in measures:
        if name[-2:] in ("-P", "-R", "-F"):
            problem = f"{shown(name)} names a part, and all three are tried"
            raise InputError(problem, remedy=f"Write ROUGE-{name[:-2]}.")
    next(rouge_identity.configurations(measures, 1))  # refuses an unknown measure before the texts are read
    rows = rouge_identity.identify(*inputs.read_summaries(candidates, references), published, measures)
    hits, number = rows[rows["hit"]], counted(len(rows), "configuration")
    nearest = hits if len(hits) else rows.head(5)
    say(align_table(format_table(nearest.drop(columns="hit"))))
    chance = rouge_identity.hit_probability(rows, published)
    clause = "A number drawn evenly from the range of all their values is met by some configuration"
    if len(hits):
        say(f"{len(hits)} of {number} give {published}. {clause} with probability {chance:.2g}.")
    else:
        say(f"None of {number} gives {published}; the nearest are above.")
    if out:
        write_tsv(out, rows)
        say(f"All of them are in {out}")


@research.command("keywords")
@inputs.TEXTS
@inputs.SOURCES
@click.option(
    "--scores", multiple=True, type=IN, help="Scores by other metrics to compare with (repeatable)."
)
@click.option(
    "--preferences",
    type=IN,
    help="TSV for Table 3: topic, system_a, system_b, preference; or topic, better, worse.",
)
@_set_option("ROUGE-K", "Setting of ROUGE-K, as in ROUGE-K.second=article (repeatable).")
@click.option("--out", required=True, type=Folder(), help="Folder for the tables.")
def keywords(
    candidates: Path,
    references: Path,
    sources: Path,
    scores: tuple[Path, ...],
    preferences: Path | None,
    assignments: tuple[str, ...],
    out: Path,
) -> None:
    """Make the tables of ROUGE-K's paper: 4 to 9, Figure 2, and with preferences Table 3.

    CANDIDATES and REFERENCES are as of `sera score`. It lists the keywords too. Each table is written as
    .tsv, .md and .tex, and Figure 2 is drawn (.svg, .png, .pdf); docs/metrics.md describes them. ROUGE is the
    paper's there.
    """
    import pandas as pd

    from sera.evaluation import keyword_tables as paper_tables
    from sera.evaluation.tables import align_table, caption, format_table, readable_table4, write_tables
    from sera.io.scores import read_all_scores
    from sera.metrics import falling
    from sera.metrics.configure import equip, listed_names
    from sera.metrics.rouge_k import RougeK
    from sera.metrics.scoring import score
    from sera.text.languages import ENGLISH

    settings = settings_given(assignments, only="ROUGE-K")
    names = listed_names(["ROUGE-K"], settings=settings)
    metrics = [metric for metric in equip(names, settings) if isinstance(metric, RougeK)]
    if preferences and metrics[0].language != ENGLISH:
        raise InputError("Table 3 has ROUGE for English", remedy="Leave out --preferences.")
    choices = paper_tables.read_preferences(preferences) if preferences else None
    summaries, reference_list = inputs.read_summaries(candidates, references)
    articles = inputs.read_sources(sources)
    data = score(metrics, summaries, reference_list, articles, label=lambda metric: metric.name)
    if scores:
        more = read_all_scores(scores)
        if same := sorted(paper_tables.COMPUTED & set(more["metric"])):
            problem = f"the scores have a metric {same[0]}, which is computed here"
            raise InputError(problem, remedy="Rename it.")
        data = pd.concat([data, more[~more["metric"].isin(RougeK.names())]], ignore_index=True)
    tables = {"table4": paper_tables.keyword_statistics(metrics[0], reference_list, articles, "all")}
    tables |= paper_tables.keyword_tables(metrics, data, summaries, reference_list, articles)
    tables["keywords"] = paper_tables.list_keywords(metrics, reference_list, articles)
    if choices is not None:
        papers = paper_tables.papers_scores(summaries, reference_list, articles)
        both = pd.concat([papers, data], ignore_index=True)
        tables = {"table3": paper_tables.agreement(both, choices, falling(both["metric"].unique()))} | tables
    for name in tables:
        check_output(out / f"rougek_{name}.tsv", [*scores, preferences])
    benchmark = printable(candidates.stem)
    out.mkdir(parents=True, exist_ok=True)
    write_tables(out, {f"rougek_{name}": table for name, table in tables.items()}, benchmark)
    recall, figure = tables["figure2"], "rougek_figure2"
    if recall.loc[recall["metric"] == "ROUGE-K", "length"].notna().any():
        from sera.reporting.figures import recall_by_length, save

        save(recall_by_length(recall, title=caption(figure, benchmark)), out / figure)
    else:
        say("Not drawn: Figure 2, since no keyword was found")
    say(align_table(readable_table4(tables["table4"])))
    if choices is not None:
        say(align_table(format_table(tables["table3"])))
    say(f"{counted(len(tables), 'table')} of {counted(data['system'].nunique(), 'system')} in {out}")


@research.command("sample")
@click.option(
    "--fitness",
    required=True,
    help="Metric by which summaries are optimised, as `sera metrics` lists it, for example S3-pyr-released.",
)
@inputs.SOURCES
@inputs.REFERENCES
@inputs.VECTORS
@inputs.FRAMENET
@click.option("--model", type=IN, help="S3: trained model.")
@inputs.LANGUAGE
@LENGTH
@click.option("--samples", type=click.IntRange(1), default=10, help="Summaries of each topic.")
@click.option(
    "--population", type=click.IntRange(4, 10**6), default=100, help="Individuals in each generation."
)
@click.option(
    "--generations",
    type=click.IntRange(1),
    default=100,
    help="Most generations; fewer are made if twenty of them bring nothing better.",
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, help="Seed of the random numbers.")
@click.option(
    "--judgements",
    type=OUT,
    help="TSV to write: topic, system, judgement, score; the fitness of each summary as a judgement.",
)
@click.option("--out", required=True, type=OUT, help="JSONL to write: topic, system, sentences.")
def sample(
    fitness: str,
    sources: Path,
    references: Path,
    language: str,
    samples: int,
    population: int,
    generations: int,
    seed: int,
    judgements: Path | None,
    out: Path,
    **given: Any,
) -> None:
    """Sample summaries over the whole range of a metric's scores, by a genetic algorithm.

    The best one of a topic is sample_01. docs/metrics.md describes the algorithm (Peyrard et al. 2017) and
    how to evaluate metrics on the samples.
    """
    from sera.io.records import Reference, Source, read_unique, write
    from sera.io.scores import write_judgements
    from sera.metrics.configure import check, equip, in_language
    from sera.progress import progress
    from sera.summarizers.budget import budget
    from sera.summarizers.genetic import Evolution, group_by_topic
    from sera.summarizers.genetic import sample as sample_one

    texts: list[Any] = []
    equipment = inputs.resources(texts, given)
    length = {name: given[name] for name in ("words", "sentences", "share")}
    settings = Evolution(population=population, generations=generations)
    family_settings = in_language([fitness], {}, language)
    check([fitness], family_settings, equipment)  # wrong options are reported before anything is read
    budget(Source("", ""), **length)
    articles = inputs.read_sources(sources, language)
    references_by_topic = group_by_topic(articles, read_unique(references, Reference), references)
    texts[:] = [*articles, *(reference for group in references_by_topic.values() for reference in group)]
    (metric,) = equip([fitness], family_settings, equipment)
    options: dict[str, Any] = {"samples": samples, "settings": settings, "seed": seed}
    results: list[Any] = []
    for source in progress(articles, "topics sampled"):
        human_texts = references_by_topic[source.topic]
        results += sample_one(source, human_texts, metric, budget(source, **length), **options)
    write(out, [candidate for candidate, _ in results])
    if judgements:
        write_judgements(judgements, [judgement for _, judgement in results])
    say(f"{counted(len(results), 'summary')} of {counted(len(articles), 'topic')} in {out}")


@research.command("ask")
@inputs.SOURCES
@click.option("--model", required=True, help="Model, by its name on the server.")
@click.option("--name", default="llm", help="Name of the system in the summaries.")
@click.option("--prompt", help="Instruction before the article; by default that of ROUGE-K's paper.")
@click.option("--input-words", type=click.IntRange(1), default=384, help="Words of an article to send.")
@click.option("--output-tokens", type=click.IntRange(1), default=128, help="Most tokens of an answer.")
@click.option("--sentences", type=click.IntRange(1), default=1, help="Sentences of an answer to keep.")
@click.option("--answers", required=True, type=Folder(), help="Folder that keeps the answers, by content.")
@click.option("--out", required=True, type=OUT, help="JSONL to write: topic, system, sentences.")
def ask(
    sources: Path, model: str, name: str, prompt: str | None, answers: Path, out: Path, **limits: Any
) -> None:
    """Ask a language model for summaries, on a server with OpenAI's interface.

    The environment variable SERA_LLM_URL has its address, SERA_LLM_KEY its key, if it needs one. An answer
    that is in the folder already is not asked for again. The command needs syntok and urllib3 alone.
    """
    from sera.io.records import write
    from sera.summarizers.language_model import Question, summaries_of_model

    options: dict[str, Any] = {"prompt": prompt} if prompt is not None else {}
    question = Question(model, **limits, **options)
    articles = inputs.read_sources(sources)
    candidates = summaries_of_model(question, articles, name, answers)
    say(f"{counted(write(out, candidates), 'summary')} in {out}")


@research.command("s3")
@inputs.TEXTS
@click.option("--sources", type=IN, help="JSONL: topic, id, sentences; for the article's features.")
@click.option("--judgements", required=True, type=IN, help="TSV: topic, system, judgement, score.")
@click.option("--judgement", help="Name of the judgement to learn, if there are several.")
@inputs.VECTORS
@inputs.FRAMENET
@inputs.LANGUAGE
@click.option(
    "--model-of",
    "name",
    type=click.Choice(["S3-best", "S3-full"]),
    default="S3-best",
    help="Model: the paper's six features (S3-best), or all available ones (S3-full).",
)
@click.option("--all-sets", is_flag=True, help="Keep TAC's update sets, topics such as D0801-B.")
@click.option("--model", "trained", type=OUT, help="Model (JSON) to write, trained on all topics.")
@click.option("--out", type=OUT, help="TSV to write: topic, system, metric, score; by the other topics.")
def s3(
    candidates: Path,
    references: Path,
    sources: Path | None,
    judgements: Path,
    judgement: str | None,
    language: str,
    name: str,
    all_sets: bool,
    trained: Path | None,
    out: Path | None,
    **given: Any,
) -> None:
    """Train and evaluate the metric S3, which is learnt from human judgements.

    CANDIDATES and REFERENCES are as of `sera score`. --model writes a model for `sera score --metrics S3-best
    --model FILE`. With --out, each topic is scored by a model that is trained on the other topics.
    """
    from sera.evaluation.s3_tables import update_lines
    from sera.io.records import Source
    from sera.io.scores import read_judgements, write_scores
    from sera.metrics.s3 import training
    from sera.metrics.s3.features import FULL, MODELS

    if trained is None and out is None:
        raise InputError("there is nothing to write", remedy="Give --model FILE, --out FILE, or both.")
    table = read_judgements(judgements)
    training.one_judgement(table, judgement)
    summaries, reference_list = inputs.read_summaries(candidates, references, language)
    topics = {summary.topic for summary in summaries}
    if not all_sets and (lines := update_lines(topics)):
        say(f"{lines[0]}; --all-sets keeps them")
        topics = set(training.initial_topics(topics))
        summaries = [summary for summary in summaries if summary.topic in topics]
    resources = inputs.resources([*summaries, *reference_list], given)
    features = training.available(resources, sources=bool(sources), language=language)
    features = [feature for feature in features if feature.name in MODELS[name]]
    names = [feature.name for feature in features]
    training.chosen_features(name, names)
    if missing := [feature for feature in FULL if feature in MODELS[name] and feature not in names]:
        say(f"without {', '.join(missing)}: give --vectors, --framenet and --sources for all features")
    articles = inputs.read_some(sources, Source, language) if sources else []
    values = training.feature_scores(features, summaries, reference_list, articles)
    if trained is not None:
        model = training.train(name, features, values, table, judgement)
        model.save(trained)
        number = counted(model.trained["summaries"], "summary")
        on = f"{number} of {counted(model.trained['topics'], 'topic')}"
        say(f"{name} of {counted(len(model.features), 'feature')}, trained on {on}, in {trained}")
    if out is not None:
        scores = training.leave_one_topic_out(values, table, judgement, [name])
        write_scores(out, scores)
        undefined = int(scores["score"].isna().sum())
        more = f"; {undefined} undefined" if undefined else ""
        on = counted(scores["topic"].nunique(), "topic")
        say(f"{counted(len(scores), 'score')} on {on} in {out}{more}")
