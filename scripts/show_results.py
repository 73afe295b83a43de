"""Print Table 2 of the latest results, tell where everything lies, and what differs from what is expected.

Usage: show_results.py [benchmark=NAME] [results=FOLDER] [study=NAME], where config.yaml would be overruled.
"""

from latest import ROOT, latest

from sera.corpora.pmc_oa import unreadable_reasons
from sera.evaluation.tables import compact, read_tsv
from sera.files import read_json
from sera.metrics import FAMILIES, catalogue_names, family_of
from sera.metrics.scoring import read_scores
from sera.published.verdicts import MOVED, MOVED_WITHIN, OK, read_expected, settings_of

settings, name, folder = latest()

table = read_tsv(folder / "tables/table2.tsv")
count = f"{table['systems'].max():g} systems, {table['topics'].max():g} topics"
by = " and ".join(table["against"].unique())
published = "" if table["pearson_paper"].isna().all() else ": reproduced, published, difference"
print(f"\nTable 2, correlation with {by} over {count}{published}")
print(f"Benchmark: {table['benchmark'][0]}\n")
print(compact(table))
unreadable = unreadable_reasons(folder / "corpus/unreadable.tsv")
reasons = ", ".join(f"{count} {reason}" for reason, count in unreadable.items()) or "none"
print(f"\nArticles left out: {reasons} (see {folder}/corpus/unreadable.tsv)")
scored = set(read_scores(folder / "scores.tsv")["metric"])
for absent, reason in (
    (
        [name for name in catalogue_names() if FAMILIES.needs(family_of(name))],
        f"see {folder}/logs/score_s3.log",
    ),
    ([name for name in catalogue_names() if family_of(name) == "Pyramid"], "no content units are marked"),
):
    if absent := [name for name in absent if name not in scored]:
        print(f"Metrics left out: {', '.join(absent)} ({reason})")
for what, where in (
    ("Report:", "report.html"),
    ("Tables with intervals:", "tables/table2.md, table3.md (.tsv and .tex beside)"),
    ("All metrics judged:", "tables/system_level.md, summary_level.md, global_level.md, differences.md"),
    ("Keywords:", "tables/rougek_table5.tsv to rougek_table9.tsv, rougek_figure2.tsv"),
    *(
        [("Metrics and the truth:", "tables/truth.md, figures/truth.svg")]
        if (folder / "truth").is_dir()
        else []
    ),
    ("Figures:", "figures/ (SVG, PNG and PDF)"),
    ("Scores:", "scores.tsv"),
    ("What made them:", "provenance.json"),
):
    print(f"{what} {folder}/{where}")
for study in settings["studies"]:
    print(f"The study {study}: {settings['results']}/{study}/")

if (path := ROOT / f"resources/expected/{name}.tsv").is_file():
    expected = read_expected(path)
    moves = expected.movements(table)
    counts = moves["verdict"].value_counts()
    print(f"\nTable 2 beside the numbers expected of it ({path.relative_to(ROOT)}):")
    record = read_json(folder / "provenance.json")
    if differ := expected.differing(settings_of(record)):
        print(f"These differ from what made them, so numbers may move: {', '.join(differ)}")
    print(", ".join(f"{counts.get(verdict, 0)} {verdict}" for verdict in (OK, MOVED_WITHIN, MOVED)))
    moved = moves[moves["verdict"] != OK].drop(columns="against")
    if len(moved):
        print(moved.to_string(index=False, float_format="{:.3f}".format, na_rep="undefined"))
