"""Draw the figures of the multiverse, and write its tables and its page."""

from pathlib import Path

from sera import records
from sera.evaluation.tables import write_readable
from sera.multiverse.answers import read_answer
from sera.multiverse.curves import claims_figure, influence_figure, specification_curve, variance_figure
from sera.multiverse.dimensions import asked, count
from sera.multiverse.readable import ANSWER_COLUMNS, readable_answer
from sera.multiverse.replication import rows_of_question, write_page
from sera.published.paper import caption
from sera.reporting.figures import save
from sera.reporting.job import job
from sera.retrieval.engines.embedded import open_index

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
