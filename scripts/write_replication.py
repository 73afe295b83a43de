"""Draw the figures of the multiverse, and write its tables and its page."""

from pathlib import Path

from sera.io import records
from sera.reporting.figures import save
from sera.retrieval.lucene import open_index
from study.multiverse.answers import read_answer
from study.multiverse.cells import read_cells
from study.multiverse.choices import count_universes, question_dimensions
from study.multiverse.figures import specification_curve
from study.multiverse.more_systems import noise
from study.multiverse.page import question_rows, write_page
from study.multiverse.universes import universe_scores
from study.report.answer import answer, format_markdown, own_numbers, printed_table
from study.workflow.job import job

with job(snakemake) as rule:
    tables = {Path(path).name.split(".")[0]: read_answer(path) for path in rule.input.tables}
    benchmark, confidence = rule.params.benchmark, rule.params.confidence
    folder = Path(rule.output.page).parent
    combinations = {
        question: count_universes(universes, rule.params.systems)
        for question, universes in question_dimensions(rule.params.dimensions).items()
    }
    for question in combinations:
        universes = question_rows(tables, question)["universes"]
        curve = specification_curve(universes, question, benchmark, confidence=confidence)
        save(curve, folder / "figures" / f"specification_curve_{question}")
    topics = {record.topic for record in records.iterate(rule.input.references, records.Reference)}
    files = {path.name.split(".")[0]: path for path in map(Path, rule.input.tables)} | rule.params.optional
    scores = universe_scores(rule.params.own, read_cells(rule.input.cells))
    sampling = {"resamples": rule.params.resamples, "seed": rule.params.seed, "confidence": confidence}
    answers = answer(
        own_numbers(scores, "Pyramid", **sampling),
        paper=None if rule.params.synthetic else printed_table(rule.input.published),
        files=files,
    )
    if "more_systems_figure" in files:
        (folder / "figures/more_systems.png").write_bytes(Path(files["more_systems_figure"]).read_bytes())
    write_page(
        rule.output.page,
        rule.input.template,
        tables=tables,
        facts={
            "benchmark": benchmark,
            "answer": format_markdown(answers, confidence),
            "noise": noise(Path(files["more_systems"]).parent) if "more_systems_figure" in files else None,
            "name": rule.params.name,
            "synthetic": rule.params.synthetic,
            "combinations": combinations,
            "draws": rule.params.draws,
            "topics": len(topics),
            "systems": rule.params.systems,
            "articles": open_index(rule.input.index).documents,
        },
    )
