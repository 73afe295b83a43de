"""Draw the figures of the multiverse, and write its tables and its page."""

from pathlib import Path

from sera.evaluation.tables import caption, write_readable
from sera.io import records
from sera.reporting.figures import save
from sera.retrieval.engines.embedded import open_index
from study.multiverse.answers import read_answer
from study.multiverse.choices import asked, count
from study.multiverse.figures import claims_figure, influence_figure, specification_curve, variance_figure
from study.multiverse.page import (
    ANSWER_COLUMNS,
    means_by_summarizers,
    readable_answer,
    rows_of_question,
    write_page,
)
from study.published.comparison import read_expected
from study.workflow.job import job

with job(snakemake) as rule:
    tables = {Path(path).name.split(".")[0]: read_answer(path) for path in rule.input.tables}
    benchmark, confidence = rule.params.benchmark, rule.params.confidence
    figures = {"influence": influence_figure(tables["systems"], benchmark)}
    combinations = {
        question: count(of, rule.params.systems) for question, of in asked(rule.params.dimensions).items()
    }
    for question in combinations:
        of = rows_of_question(tables, question)
        figures |= {
            f"specification_curve_{question}": specification_curve(
                of["universes"], question, benchmark, confidence=confidence
            ),
            f"claims_{question}": claims_figure(of["claims"], question, benchmark, confidence),
            f"variance_{question}": variance_figure(of["variance"], question, benchmark),
        }
    folder = Path(rule.output.page).parent
    for name, figure in figures.items():
        save(figure, folder / "figures" / name)
    for name in ANSWER_COLUMNS:
        write_readable(folder / name, readable_answer(name, tables[name]), caption(name, benchmark))
    topics = {each.topic for each in records.iterate(rule.input.references, records.Reference)}
    write_page(
        rule.output.page,
        rule.input.template,
        tables=tables,
        facts={
            "benchmark": benchmark,
            "by_summarizers": means_by_summarizers(map(read_expected, rule.input.expected)),
            "name": rule.params.name,
            "synthetic": rule.params.synthetic,
            "confidence": confidence,
            "combinations": combinations,
            "draws": rule.params.draws,
            "topics": len(topics),
            "systems": rule.params.systems,
            "articles": open_index(rule.input.index).documents,
        },
    )
