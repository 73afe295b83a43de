"""Draw the figures of the multiverse, and write its page."""

from pathlib import Path

from sera.io.scores import read_signatures
from sera.reporting.figures import save
from sera.retrieval.lucene import open_index
from study.multiverse.answers import read_answer
from study.multiverse.cells import read_cells
from study.multiverse.choices import question_dimensions
from study.multiverse.figures import specification_curve
from study.multiverse.universes import universe_scores
from study.report.replication import write_replication
from study.workflow.job import job

with job(snakemake) as rule:
    paths = {Path(path).name.split(".")[0]: path for path in rule.input.tables}
    all_universes = read_answer(paths["universes"])
    benchmark, confidence = rule.params.benchmark, rule.params.confidence
    folder = Path(rule.output.page).parent
    for question in question_dimensions(rule.params.dimensions):
        universes = all_universes[all_universes["question"] == question]
        curve = specification_curve(universes, question, benchmark, confidence=confidence)
        save(curve, folder / "figures" / f"specification_curve_{question}")
    if figure := rule.params.optional.get("more_systems_figure"):
        (folder / "figures/more_systems.png").write_bytes(Path(figure).read_bytes())
    write_replication(
        rule.output.page,
        universe_scores(rule.params.own, read_cells(rule.input.cells)),
        tables={name: paths[name] for name in ("claims", "null", "universes")},
        files=rule.params.optional,
        published=None if rule.params.synthetic else rule.input.published,
        signature=read_signatures(rule.input.signatures)["Pyramid"],
        name=rule.params.name,
        articles=open_index(rule.input.index).documents,
        seed=rule.params.seed,
        confidence=confidence,
    )
