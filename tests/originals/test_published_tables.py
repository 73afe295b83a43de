"""The published tables equal the papers' texts."""

from __future__ import annotations

import pandas as pd
from conftest import ROOT

from study.published.tables import read_of_dataset, read_published

PUBLISHED = ROOT / "resources" / "published"


def text_of(shared, paper):
    (file,) = (shared / "papers").glob(f"{paper}_*.txt")
    return file.read_text(encoding="utf-8")


def cells(text):
    """The lines of a text as cells, which may be printed in bold face."""
    lines = (line.split("\t") for line in text.split("\n"))
    return [[cell.removeprefix("<b>").removesuffix("</b>") for cell in line] for line in lines]


def told(fidelity, name, values, original="the paper on S3", agreement="equal"):
    subject = f"resources/published/{name}.tsv"
    fidelity(subject, "its text", values, original, agreement)


def test_published_tables_equal_the_papers_text(shared, fidelity):
    lines = cells(text_of(shared, "000"))
    printed = {line[0]: list(map(float, line[1:])) for line in lines if len(line) == 4 and "-" in line[0]}
    rows = read_published(PUBLISHED / "table2.tsv").set_index("metric").drop(columns="against")
    assert {name: row.to_list() for name, row in rows.iterrows()} == printed
    printed = {line[0]: list(map(float, line[1:])) for line in lines if len(line) == 7 and "SERA" in line[0]}
    table3 = read_published(PUBLISHED / "table3.tsv").drop(columns="against")
    for name, group in table3.groupby("metric"):
        assert group.iloc[:, 1:].to_numpy().ravel().tolist() == printed.pop(name)
    assert not printed
    for name, table in (("table2", rows), ("table3", table3.drop(columns="metric"))):
        told(fidelity, name, table.size, "the paper")


def test_published_tables_equal_the_text_of_the_paper_on_s3(shared, fidelity):
    lines = cells(text_of(shared, "002"))
    printed = [line[1:] for line in lines if len(line) == 13 and line[1].startswith(("0", "."))]
    for name, rows in (("s3_table1", printed[:-7]), ("s3_table3", printed[-7:])):
        table = pd.concat([read_of_dataset(PUBLISHED / f"{name}.tsv", f"tac200{year}") for year in (8, 9)])
        numbers = [float(cell) for row in rows for cell in row if cell != "—"]
        assert sorted(table.iloc[:, 2:].to_numpy().ravel()) == sorted(numbers)
        told(fidelity, name, len(numbers), agreement="equal, in whatever order")
    table1 = read_of_dataset(PUBLISHED / "s3_table1.tsv", "tac2008").set_index(["metric", "against"])
    assert list(table1.loc[("JS-ref-1", "Pyramid")]) == [0.7527, 0.6481, 0.1862]
    assert list(table1.loc[("Pyramid", "responsiveness")]) == [0.7030, 0.6604, 0.8528]


def test_published_table_2_equals_the_text_of_the_paper_on_s3(shared, fidelity):
    lines = cells(text_of(shared, "002").split("Table 2: ")[0].split("Table 1: ")[-1])
    printed = [
        list(map(float, line[1:])) for line in lines if len(line) == 4 and line[0] and line[1].startswith(".")
    ]
    table = read_of_dataset(PUBLISHED / "s3_table2.tsv", "dbs")
    assert table.iloc[:, 2:].to_numpy().tolist() == printed
    assert table["metric"].tolist()[::6] == ["TF*IDF-1", "JS-1", "ROUGE-L-R"]
    assert set(table["against"]) == {"Pyramid"}
    told(fidelity, "s3_table2", table.iloc[:, 2:].size)
