"""Names are text: what passes `sera.names.check` comes through tables, figures, runs and pages as it is."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from checkouts import checkout, configure, ran
from lxml import etree, html
from tables import check_forms, check_latex

from sera import names
from sera.errors import InputError
from sera.evaluation import tables
from sera.evaluation.papers.keyword_tables import correlations
from sera.io.records import Candidate, Reference
from sera.io.scores import read_scores
from sera.metrics import falling
from sera.reporting import figures
from sera.retrieval import queries
from study.multiverse.answers import read_answer
from study.multiverse.cells import CellStore
from study.multiverse.page import readable_answer
from study.published.comparison import read_expected, write_expected
from study.report import figures as study_figures
from study.report.figures import Panel
from study.workflow.own_summaries import read_candidates

NFC, NFD = "\u00e9", "e\u0301"
ODD = [
    *("a\"b|c$d{e}#f<g>'h", "../x", "CON", "NUL", "L" * 200, "شركة", "חברה", NFC, NFD, "日本", "a,b", "*"),
    *("**", "\\frac", "$x^2$", "$\\frac$", "-", "--help", "nan", "NA", "None", "true", "True", "1", "01"),
    *("1e5", "-1", "undefined", "human", "human_Z", "a b", "=cmd()", "%s", "%20", "&amp;", "</script>"),
    *("]]>", "a:b", "_x_", "[link](u)", "`", "constructor", "__proto__", "all systems", "{x}", "#x", "\\|"),
    *("r", "inf"),
]
"""Each of these is a name of its own."""


def test_each_is_a_name():
    assert [names.check("system", name) for name in ODD] == ODD and len(set(ODD)) == len(ODD)
    for name in ("\ufffe", "a\uffffb"):  # no XML can hold these, and so no figure
        with pytest.raises(InputError, match="has the character U\\+FFF"):
            names.check("system", name)


# Tables
# ------


def test_our_tables_keep_names_and_the_kinds_of_numbers(tmp_path):
    table = pd.DataFrame(
        {
            "metric": ODD,
            "against": ODD[::-1],
            "systems": range(len(ODD)),
            "pearson": [np.nan, 0.25] + [1.0] * (len(ODD) - 2),
            "whole": [np.nan, 3.0] + [4.0] * (len(ODD) - 2),
            "williams_t": [np.inf, -np.inf] + [0.5] * (len(ODD) - 2),
            "in_source": [True, False] + [True] * (len(ODD) - 2),
        }
    )
    tables.write_table(tmp_path / "t", table, caption="c", benchmark="nan")
    back = tables.read_tsv(tmp_path / "t.tsv")
    assert list(back["metric"]) == ODD and list(back["against"]) == ODD[::-1]
    assert set(back["benchmark"]) == {"nan"} and list(back.index) == list(range(len(ODD)))
    assert (
        back["systems"].dtype == "int64" and back["pearson"].dtype == float and back["whole"].dtype == float
    )
    assert back["in_source"].dtype == bool and list(back["williams_t"][:3]) == [np.inf, -np.inf, 0.5]
    assert np.isnan(back["pearson"][0]) and back["pearson"][1] == 0.25


def test_a_number_that_is_none_is_refused(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("metric\tpearson\nnan\t0.5\nundefined\tx\n")
    with pytest.raises(InputError, match="t.tsv, line 3: pearson 'x' is not a number"):
        tables.read_tsv(path)


def test_what_universes_answer_keeps_text(tmp_path):
    table = pd.DataFrame(
        {"system": ["true", "words", "kl_2"], "coefficient": "pearson", "universes": 1, "ROUGE_with": 0.5}
    )
    tables.write_tsv(tmp_path / "t.tsv", table)
    back = read_answer(tmp_path / "t.tsv")
    assert list(back["system"]) == ["true", "words", "kl_2"]
    # a system's name is not a name of a choice, whose words stand in place of it
    assert list(readable_answer("systems", back)["system"]) == ["true", "words", "kl 2"]
    (tmp_path / "u.tsv").write_text("universe\tpaper\tshare\nown\tundefined\tundefined\n")
    back = read_answer(tmp_path / "u.tsv")
    assert back["paper"][0] == "undefined" and np.isnan(back["share"][0])


def test_expected_numbers_keep_names(tmp_path):
    table = pd.DataFrame(
        {"metric": ODD, "against": "nan", "pearson": 0.5, "spearman": np.nan, "kendall": 0.25}
    )
    table = table[table["metric"] != "#x"]  # a line of comment there
    write_expected(tmp_path / "e.tsv", table, {"study": "a\u2028b#c"}, "3 topics")
    expected = read_expected(tmp_path / "e.tsv")
    assert list(expected.table["metric"]) == list(table["metric"])
    assert expected.settings == {"study": "a\u2028b#c"} and expected.data == "3 topics"


MARKDOWN = {
    "a\"b|c$d{e}#f<g>'h": "a\"b\\|c$d{e}#f\\<g>'h",
    "$x^2$": "\\$x^2\\$",
    "\\frac": "\\\\frac",
    "\\|": "\\\\\\|",
    "*": "*",
    "**": "\\*\\*",
    "_x_": "\\_x\\_",
    "[link](u)": "\\[link\\](u)",
    "`": "\\`",
    "&amp;": "\\&amp;",
    "</script>": "\\</script>",
    "__proto__": "\\_\\_proto\\_\\_",
    "TF*IDF-1": "TF*IDF-1",
    "citation_lexrank": "citation_lexrank",
    "human_A": "human_A",
    "R&D": "R&D",
    NFD: NFD,
}
LATEX = {
    "a\"b|c$d{e}#f<g>'h": r"a{\ttfamily\char34 }b\textbar{}c\$d\{e\}\#f\textless{}g\textgreater{}"
    r"\textquotesingle{}h",
    "$x^2$": r"\$x\textasciicircum{}2\$",
    "\\frac": r"\textbackslash{}frac",
    "--help": r"-{}-help",
    "''": r"\textquotesingle{}{}\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "r": "r",
    NFC: r"\'{e}",
    NFD: r"e\texttt{U+0301}",
    "ŕí": r"\'{r}\'{\i}",
    "Ałß": r"A\l{}\ss{}",
    "חב": r"\texttt{U+05D7}\texttt{U+05D1}",
    "citation_lexrank": r"citation\_lexrank",
}


@pytest.mark.parametrize(("name", "shown"), MARKDOWN.items())
def test_markdown_shows_the_name(name, shown):
    assert tables.markdown(name) == shown


@pytest.mark.parametrize(("name", "shown"), LATEX.items())
def test_latex_prints_the_name(name, shown, tmp_path):
    table = pd.DataFrame({"system": [name], "pearson": [0.5]})
    tables.write_table(tmp_path / "t", table, caption="c", benchmark="b")
    assert f"\n{shown} & 0.500 \\\\\n" in (tmp_path / "t.tex").read_text(encoding="ascii")


def test_a_row_of_latex_may_begin_as_an_option_does(tmp_path):
    table = pd.DataFrame({"system": ["[link](u)", "*"], "by": ["r", "r"]})
    tables.write_table(tmp_path / "t", table, caption="of r", benchmark="b")
    text = (tmp_path / "t.tex").read_text()
    assert "{}[link](u) & $r$ \\\\\n{}* & $r$ \\\\\n" in text and "of $r$" in text


def test_every_form_of_a_table_holds_and_compiles(tmp_path):
    table = pd.DataFrame({"system": ODD, "metric": ODD[::-1], "pearson": 0.5})
    for name, part in (("short", table[:40]), ("long", table)):
        tables.write_table(tmp_path / name, part, caption=f"By {' '.join(ODD)}.", benchmark="a|b")
        check_forms(tmp_path / f"{name}.tsv")
    check_latex(tmp_path.glob("*.tex"), tmp_path)


def test_a_benchmark_is_named_as_all_else(tmp_path):
    with pytest.raises(InputError, match="the benchmark 'a.tb' has the character U"):
        tables.write_table(tmp_path / "t", pd.DataFrame({"metric": ["m"]}), caption="c", benchmark="a\tb")


# Other places where names are distinguished
# ---------------------------------------


def test_a_query_has_one_topic_and_one_system():
    assert queries.query_id(Candidate("D1", "kl", ())) == "D1:kl"
    assert queries.query_id(Reference("D1", "A", ())) == "D1:human_A"
    assert queries.query_id(Candidate("a", "b:c", ())) == "a:b:c"
    assert queries.query_id(Candidate("a:b", "c", ())) == "a\\:b:c"
    assert queries.query_id(Candidate("a\\", "c", ())) == "a\\\\:c"
    pairs = [(topic, system) for topic in ODD for system in ODD]
    ids = [queries.query_id(Candidate(*pair, ())) for pair in pairs]
    assert len(set(ids)) == len(ids)


def test_a_system_named_as_an_annotators_summary_has_to_be_it():
    gold = Reference("t", "A", ("Words.",))
    assert queries.texts_of([Candidate("t", "human_A", ("Words.",))], [gold]) == {"t:human_A": ("Words.",)}
    with pytest.raises(InputError, match="the system 'human_A' has another summary of topic 't' than"):
        queries.texts_of([Candidate("t", "human_A", ("Other words.",))], [gold])


def test_a_cell_of_universes_may_be_of_a_long_name(tmp_path):
    cells = CellStore(tmp_path, "f")
    for parser in ("textblob", "spacy:" + "../x/" * 200, "spacy:" + "../y/" * 200):
        cell = "np", ("full", 250, parser), {"values": np.array([len(parser), ord(parser[-2])])}
        list(cells.kept_or_made([cell[:2]], lambda missing, cell=cell: iter([cell])))
    ((_, _, kept),) = cells.kept_or_made([cell[:2]], lambda missing: iter(missing))
    assert kept["values"][1] == ord("y")
    assert (tmp_path / "f/np-%22full%22-250-%22textblob%22.npz").is_file()


def test_a_system_may_be_called_as_all_systems_are():
    rows = [
        (topic, system, metric, float(place))
        for place, topic in enumerate("abc")
        for system in ("all systems", "(all systems)")
        for metric in ("x", "y")
    ]
    table = correlations(pd.DataFrame(rows, columns=["topic", "system", "metric", "score"]), ["x"], ["y"])
    assert list(table["system"]) == ["((all systems))", "(all systems)", "all systems"]


def test_a_metric_that_is_not_known_rises():
    assert falling(["JS-2", "JS-mine", "KL-1", "KL", "mine"]) == ["JS-2", "KL-1"]


def test_names_with_commas_stand_in_quotes():
    assert names.separated("ROUGE-2-F,ROUGE-L-R") == ["ROUGE-2-F", "ROUGE-L-R"]
    assert names.separated(' a , "b,c","d ""e""",f"g,,') == ["a", "b,c", 'd "e"', 'f"g']
    assert names.separated("") == []
    with pytest.raises(InputError, match="is not a list of names"):
        names.separated('"a,b')


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("a/b", "has a slash in it"),
        ("..", "begins with a dot"),
        (".hidden", "begins with a dot"),
        ("-rf", "begins with a dash"),
        ("é" * 101, "has more than 200 bytes"),
        ("con", "is the name of a device"),
        ("Com1.x", "is the name of a device"),
        ("a\0b", "has the character U\\+0000"),
    ],
)
def test_what_cannot_be_the_name_of_a_file_is_refused(name, problem):
    with pytest.raises(InputError, match=problem):
        names.check_file_name("topic", name)


def test_names_of_files_differ_in_more_than_case(tmp_path):
    names.check_files("topic", ["a", "b", "a b", "a:b", "{x}", "Comma", "a", NFC])
    for pair in (["a", "A"], [NFC, NFD], ["ß", "SS"], [NFC.upper(), NFD]):
        with pytest.raises(InputError, match="cannot both be names of files"):
            names.check_files("topic", pair)
    (tmp_path / "a.txt").write_text("Words.\n")
    with pytest.raises(InputError, match=r"the topic '\.\./x' has a slash in it and cannot be the name of a"):
        read_candidates(tmp_path, "mine", ["a", "../x"])
    assert read_candidates(tmp_path, "mine", ["a"]) == [Candidate("a", "mine", ("Words.",))]


# Figures
# -------


def letters(path: Path) -> str:
    """The text of an SVG."""
    return "\n".join("".join(text.itertext()) for text in etree.parse(path).iter("{*}text"))


def test_figures_show_names_letter_by_letter(tmp_path, caplog):
    points = {
        metric: pd.DataFrame({"score": range(len(ODD)), "judgement": range(len(ODD))}, index=ODD)
        for metric in ("$x$", "_x_", "</script>", "nan")
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figures.save(figures.scatter(points, judgement="$\\frac$", title="Of _x_ and $y$"), tmp_path / "s")
        matrix = pd.DataFrame(0.5, index=ODD, columns=ODD)
        figures.save(figures.heat_map(matrix, title="t"), tmp_path / "h")
        panel = pd.DataFrame({name: [0.1, 0.2] for name in ODD[-12:]}, index=[1, 2])
        made = study_figures.small_multiples({"$\\frac$ {x}": Panel(panel, "_x_")}, title="t")
        figures.save(made, tmp_path / "m")
        lines = {"_x_": [0.1, 0.2], "$\\frac$": [0.2, np.nan]}
        made = study_figures.correlation_by_cutoff(lines, [5, 10], title="t", judgement="J" * 300)
        figures.save(made, tmp_path / "c")
    for name in "shmc":
        assert all((tmp_path / f"{name}.{form}").stat().st_size > 1000 for form in ("svg", "png", "pdf"))
    shown = [name for name in ODD if len(name) < 40]
    for figure in "sh":
        text = letters(tmp_path / f"{figure}.svg")
        assert [name for name in shown if name not in text] == [], figure
    assert "Of _x_ and $y$" in letters(tmp_path / "s.svg")
    assert "_x_" in letters(tmp_path / "c.svg").split() and "$\\frac$" in letters(tmp_path / "c.svg")
    assert "_x_" in letters(tmp_path / "m.svg") and "__proto__" in letters(tmp_path / "m.svg")
    said = [record.getMessage() for record in caplog.records if "fonts lack" in record.getMessage()]
    assert len(said) <= 2  # the letters of Japanese, unless there is a font; one line a figure


def test_a_name_from_right_to_left_has_a_line_of_its_own_in_the_key():
    means = pd.DataFrame(
        {"score": [1, 2, 3, 4], "judgement": [1, 2, 3, 4]}, index=["alpha", "betas", "חבחבח", "gamma"]
    )
    figure = figures.scatter({"m": means}, judgement="j", title="t")
    lines = figure.get_supxlabel().split("\n")
    assert lines == ["1 alpha\u00a0\u00a0\u00a0 2 betas", "3 חבחבח", "4 gamma"]


def test_long_names_are_shortened_where_they_stay_distinct():
    long = ["a" * 30 + "1" + "b" * 30, "a" * 30 + "2" + "b" * 30, "c" * 60, "short"]
    shown = figures.shortened(long)
    assert shown == {
        long[0]: long[0],  # the two differ in the middle alone
        long[1]: long[1],
        long[2]: "c" * 20 + "…" + "c" * 19,
        "short": "short",
    }


# The whole study
# ---------------

SYSTEMS = ["a\"b|c$d{e}#f<g>'h", "../x", "nan", "01", "human_Z", "__proto__", NFC, NFD]
TOPICS = ["a:b", "</script>{x}$\\frac$", '../x "|']
JUDGEMENTS = ["</script>{x}$\\frac$", 'r "|*[l](u)`']
ANNOTATORS = ['a"b', "</script>", "__proto__"]
WORDS = "cells divide when the kinase binds and the gene is lost in yeast".split()


def benchmark(folder: Path) -> Path:
    """A folder whose every name is odd; all systems are judged."""
    folder.mkdir()
    records: dict[str, list[dict]] = {"sources": [], "references": [], "candidates": [], "nuggets": []}
    rows = [["topic", "system", "judgement", "score"]]
    for place, topic in enumerate(TOPICS):
        text = [" ".join(WORDS), f"It was seen in {place} cases."]
        records["sources"].append({"topic": topic, "id": f"{topic} %20", "title": topic, "sentences": text})
        for number, annotator in enumerate(ANNOTATORS):
            gold = [" ".join(WORDS[number : number + 9])]
            records["references"].append({"topic": topic, "annotator": annotator, "sentences": gold})
            records["nuggets"].append({"topic": topic, "annotator": annotator, "text": WORDS[number + 3]})
        for number, system in enumerate(SYSTEMS):
            words = WORDS[: 1 + (7 * number + place) % 12]
            records["candidates"].append({"topic": topic, "system": system, "sentences": [" ".join(words)]})
            rows += [[topic, system, name, str((5 * number + place) % 11)] for name in JUDGEMENTS]
    for name, lines in records.items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (folder / "judgements.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A checkout in which the benchmark of odd names has run, and the benchmark."""
    root = tmp_path_factory.mktemp("odd")
    folder = checkout(root / "study")
    configure(folder, candidates={}, resamples=20)
    ran(folder, "--config", f"benchmark={benchmark(root / 'odd')}")
    return folder, root / "odd"


def result(odd) -> Path:
    return odd[0] / "results/odd"


def test_every_table_of_the_study_has_the_names(odd):
    scores = read_scores(result(odd) / "scores.tsv")
    assert set(scores["system"]) == set(SYSTEMS) and set(scores["topic"]) == set(TOPICS)
    assert {scores["metric"].map(str).value_counts().max()} == {len(SYSTEMS) * len(TOPICS)}
    for name in ("system_level", "summary_level", "global_level", "table2"):
        table = tables.read_tsv(result(odd) / f"tables/{name}.tsv")
        assert set(table["against"]) == set(JUDGEMENTS), name
        assert set(table.dropna(subset="systems")["systems"]) <= {len(SYSTEMS)} or name == "global_level"
    means = tables.read_tsv(result(odd) / "tables/rougek_table5.tsv")
    assert list(dict.fromkeys(means["system"])) == SYSTEMS
    paths = sorted((result(odd) / "tables").glob("*.tsv"))
    assert paths
    for path in paths:
        check_forms(path)
    text = (result(odd) / "tables/rougek_table5.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [re.match(r"\| ((?:[^\\|]|\\.)*?) *\|", line)[1] for line in (lines[0], *lines[2:])]
    assert set(cells[1:]) == set(map(tables.markdown, SYSTEMS))


def test_the_page_of_the_study_has_the_names(odd):
    page = html.parse(result(odd) / "report.html").getroot()
    cells = {"".join(cell.itertext()) for cell in page.iter("th", "td")}
    assert set(SYSTEMS) | set(JUDGEMENTS) <= cells
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    topics = json.loads(page.get_element_by_id("topics").text)
    assert set(topics) == set(TOPICS) and topics["a:b"]["systems"] == SYSTEMS
    crate = json.loads((result(odd) / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    ids = [entity["@id"] for entity in crate["@graph"]]
    assert len(ids) == len(set(ids))
    assert json.loads((result(odd) / "provenance.json").read_text(encoding="utf-8"))["results"]
