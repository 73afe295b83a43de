"""The report: the page in a real browser, its numbers and verdicts, figures and tables, and the RO-Crate."""

from __future__ import annotations

import json
import re
import shutil
from html import escape
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from rocrate_validator.services import ValidationSettings, validate
from rocrate_validator.utils import document_loader
from tables import check_forms

from sera import __version__
from sera.errors import InputError
from sera.evaluation.tables import read_tsv, write_table
from sera.io import records
from sera.io.records import Candidate, Nugget, Reference
from sera.io.scores import read_signatures
from sera.reporting.figures import scatter
from sera.reporting.overview import correlate_metrics, means_by_system, points
from sera.retrieval.runs import read_run
from sera.summarizers import NINE
from study.matrix.kinds import kind_sentences
from study.published import KINDS_RELEASED
from study.published.comparison import against_expected, against_published, read_expected, write_expected
from study.published.tables import join_published, read_published, readable_comparison
from study.report.facts import study_headline
from study.report.study_page import write_report
from study.report.summaries import topic_data
from study.workflow.crate import PROFILE

SECTIONS = {
    "headline", "correlations", "cutoffs", "similarity", "systems", "abstraction", "metrics-compared",
    "choices", "audit", "corpus", "provenance", "summaries",
}  # fmt: skip
FILES = (
    *("summaries.jsonl", "baselines.jsonl", "references.jsonl", "nuggets.jsonl", "correlations.tsv"),
    *("scores.tsv", "signatures.tsv", "tables/discrimination.tsv", "provenance.json"),
    *("corpus/unreadable.tsv", "figures/texts.tsv"),
)


@pytest.fixture(scope="module")
def folder(study):
    return study / "results/demo"


@pytest.fixture(scope="module")
def page(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def papers_page(folder):
    """The page as it would be if these were results on the paper's benchmark, made with other settings."""
    own = folder / "of_the_paper"
    own.mkdir(exist_ok=True)
    correlations = read_tsv(folder / "correlations.tsv")
    tables = {}
    for name in ("table2", "table3"):
        published = read_published(ROOT / f"resources/published/{name}.tsv")
        table = join_published(published, correlations)
        write_table(own / name, table, caption="T", benchmark="tac2014", cells=readable_comparison(table))
        tables[name] = own / f"{name}.tsv"
    write_report(
        folder / "paper.html",
        files={
            **{Path(name).stem: folder / name for name in FILES},
            **{"runs": sorted((folder / "runs").glob("*.trec"))},
            **{"index": folder / "index/whole"},
            "published": ROOT / "resources/published/table2.tsv",
            "kinds": ROOT / KINDS_RELEASED,
            **tables,
        },
        benchmark="tac2014",
        judgements=["Pyramid"],
        systems=NINE,
        collection="open-access",
        release=("TAC 2014 BiomedSumm", 20),
        defaults={"mu": 500},
    )
    yield folder / "paper.html"
    shutil.rmtree(own)
    (folder / "paper.html").unlink()


# The page as a file


def test_the_page_holds_all_that_it_shows(folder, page):
    assert (folder / "report.html").stat().st_size < 700_000
    assert not re.findall(r"""(?:src|href|action|poster|data)\s*=\s*["']?\s*(?:https?:)?//""", page)
    assert "@import" not in page and not re.search(r"url\(\s*[\"']?(?!data:|%23)", page)
    assert "default-src 'none'" in page  # and a browser would refuse the rest
    assert set(re.findall(r'<section id="([\w-]+)"', page)) == SECTIONS
    for target in ("audit", "multiverse"):
        assert re.search(rf'id="no-{target}">Not run: <code>', page)


def test_every_link_leads_somewhere(folder, page):
    links = set(re.findall(r'<a [^>]*href="([^"]+)"', page))
    assert len(links) > 25
    ids = set(re.findall(r'id="([\w-]+)"', page))
    assert "--report results/snakemake.html</code>" in page  # which another command writes
    for link in links:
        assert link[1:] in ids if link.startswith("#") else (folder / link).is_file(), link


@pytest.mark.parametrize("width", [390, 1280])
def test_its_looks(browser, folder, papers_page, width):
    assert [browser.faults(path, width) for path in (folder / "report.html", papers_page)] == [[], []]


def test_nothing_of_the_demo_is_compared_with_the_paper(folder, page):
    assert "the paper's cannot be compared with them, so this page does not." in page
    assert 'id="today"' not in page
    assert "TAC 2009" not in page and "releases" not in page  # which its table does not have
    assert "Pyramid is a program's judgement, not people's: nuggets are marked" in page
    assert ">paper</button>" not in page and 'class="verdict"' not in page and "A reproduction of" not in page
    assert "<title>Demo: how well do ROUGE and SERA follow Pyramid? demo (synthetic)</title>" in page
    for name in ("table2", "table3"):
        table = read_tsv(folder / f"tables/{name}.tsv")
        assert not [name for name in table if name.endswith(("_paper", "_difference"))]
        assert "published" not in (folder / f"tables/{name}.md").read_text(encoding="utf-8")
    for figure in (folder / "figures").glob("*.svg"):
        text = figure.read_text(encoding="utf-8")
        assert "SYNTHETIC" in text and "published" not in text, figure


def test_a_study_of_the_papers_benchmark_is_compared_with_the_paper(papers_page, folder):
    # without the figures, which are the demo's and say so
    page = re.sub("<img src='[^']*'[^>]*>", "", papers_page.read_text(encoding="utf-8"))
    assert "A reproduction of Cohan &amp; Goharian (2016)" in page and "SYNTHETIC" not in page
    assert page.count('class="verdict"') == (33 + 24) * 3
    assert all(sentence in page for sentence in kind_sentences(read_tsv(ROOT / KINDS_RELEASED)))
    row = re.search(r'<th scope="row">SERA-NP-5</th>(.*?)</tr>', page, re.DOTALL)[1]
    assert re.findall(r"<td>([\d.]+)", row)[0] == "0.859"  # read off the printed page
    provenance = page[page.index('<section id="provenance">') :].partition("</section>")[0]
    assert "settings that differ: mu 2000 (500 in config.yaml)" in provenance
    rho = read_tsv(folder / "tables/table2.tsv").set_index("metric")["spearman"].filter(like="SERA").mean()
    answer = page[page.index('<table id="answer"') :].partition("</table>")[0]
    assert re.findall(r'scope="col">([^<]*)', answer)[:3] == ["question", "the paper", "its articles"]
    levels = page[page.index('<table id="levels"') :].partition("</table>")[0]
    assert re.search(rf"<td [^>]*>0.84</td><td [^>]*>9 systems: {rho:z.2f} \(", levels)
    assert re.search(
        r"\d+ of 99 printed correlations of Table 2 lie in our intervals over topics; \d+ are\s+higher", page
    )
    assert "Expected of" not in page and 'id="no-audit"' in page


def test_a_summary_beside_its_references(folder, page):
    summaries = records.read(folder / "summaries.jsonl", Candidate)
    (summary,) = [each for each in summaries if (each.topic, each.system) == ("D2402", "kl")]
    topic = page[page.index("<summary>D2402</summary>") :]
    shown = topic[topic.index("<summary>Summary by kl</summary>") :].partition("</details>")[0]
    assert f"<p>{escape(' '.join(summary.sentences))}</p>" in shown
    documents = re.search(r"Query plain: (.*?)\.</p>", shown)[1]
    assert re.sub("</?b>", "", documents).split(", ") == read_run(folder / "runs/plain.trec")["D2402:kl"][:5]


# What it says


def comparison(**changed):
    row = {"metric": "SERA-5", "against": "Pyramid", "systems": 9, "topics": 10}
    for name, value in {"pearson": 0.5, "spearman": 0.6, "kendall": 0.4}.items():
        row |= {name: value, f"{name}_low": value - 0.1, f"{name}_high": value + 0.1, f"{name}_paper": 0.65}
        row[f"{name}_difference"] = value - 0.65
    return row | changed


def test_the_headline():
    table = pd.DataFrame([comparison(), comparison(metric="ROUGE-1-F", spearman=0.3, spearman_paper=0.9)])
    said = study_headline(table, "Pyramid")
    assert said["means"] == {"ROUGE": 0.3, "SERA": 0.6}
    assert said["means_paper"] == {"ROUGE": 0.9, "SERA": 0.65}
    assert said["cells"] == 6 and sum(said["verdicts"].values()) == 6
    # the intervals of r and tau end below 0.65, twice; that of rho holds 0.65, and ends below 0.9
    assert said["verdicts"] == {"same": 0, "in the interval": 1, "higher": 0, "lower": 5, "undefined": 0}
    assert said["distance"] == pytest.approx(0.15)


@pytest.mark.parametrize(
    ("value", "low", "high", "other", "published", "expected"),
    [
        (0.8411, 0.7, 0.9, 0.841, "same", "OK"),
        (0.8416, 0.7, 0.9, 0.841, "in the interval", "moved, within the interval"),
        (0.8, 0.7, 0.9, 0.7, "in the interval", "moved, within the interval"),
        (0.8, 0.7, 0.9, 0.69, "higher", "moved"),
        (0.8, 0.7, 0.9, 0.95, "lower", "moved"),
        (0.5, 0.1, 0.2, 0.4, "lower", "moved"),  # the interval need not hold the value
        (np.nan, np.nan, np.nan, 0.5, "undefined", "moved"),
        (0.5, 0.4, 0.6, np.nan, "undefined", "moved"),
        (np.nan, np.nan, np.nan, np.nan, "undefined", "OK"),
    ],
)
def test_verdicts(value, low, high, other, published, expected):
    assert against_published(value, low, high, other) == published
    assert against_expected(value, low, high, other) == expected


def test_expected_numbers_that_move_are_told(tmp_path):
    table = pd.DataFrame([comparison(), comparison(metric="SERA-10", kendall=np.nan)])
    path = tmp_path / "expected.tsv"
    write_expected(path, table, {"mu": 2000, "depth": 50}, "2 topics")
    expected = read_expected(path)
    assert set(expected.movements(table)["verdict"]) == {"OK"}
    moved = table.assign(metric=["SERA-10", "SERA-5"], pearson=[0.5, 0.55])  # in another order
    verdicts = expected.movements(moved).set_index(["metric", "coefficient"])["verdict"]
    assert verdicts["SERA-5", "pearson"] == "moved, within the interval"
    assert (verdicts["SERA-5", "kendall"], verdicts["SERA-10", "kendall"]) == ("moved", "moved")
    of_lost = expected.movements(table[:1]).set_index(["metric", "coefficient"])["verdict"]
    assert of_lost["SERA-10", "pearson"] == "moved"
    assert expected.differing({"mu": 500, "depth": 50, "seed": 1}) == {"mu": (2000, 500)}
    path.write_text("metric\tagainst\n")
    with pytest.raises(InputError, match="python -m study publish expected"):
        read_expected(path)


def test_content_units_and_rankings_of_a_topic():
    topic = "a:b"  # in the name of a query the colon of the topic has a backslash
    gold = {"A": "Kinase X binds p53.", "B": "Cells die early."}
    references = [Reference(topic, annotator, (text,)) for annotator, text in gold.items()]
    made = topic_data(
        [Candidate(topic, "mine", ("Kinase X binds DNA and p53.",))],
        references,
        pd.DataFrame([(topic, "mine", "M", 0.25)], columns=["topic", "system", "metric", "score"]),
        metrics=["M"],
        nuggets=[Nugget(topic, "A", "kinase X binds p53"), Nugget(topic, "B", "cells die")],
        runs={"plain": {r"a\:b:mine": ["d1", "d2"], r"a\:b:human_A": ["d2"]}},
        pyramid={"threshold": 0.75, "tiers": "text"},
    )
    assert made[topic]["references"]["B"] == ("Cells die early.",)
    assert made[topic]["summaries"]["mine"] == {
        "sentences": ("Kinase X binds DNA and p53.",),
        "scores": {"M": 0.25},
        "units": 2,
        "found": [(1, ["kinase X binds p53"])],
        "rankings": {"plain": [("d1", False), ("d2", True)]},
    }


def _scored(**metrics):
    """Scores by metric, topic and system s0, s1, ..."""
    return pd.DataFrame(
        [
            (f"t{topic}", f"s{system}", metric, value)
            for metric, of_topics in metrics.items()
            for topic, values in enumerate(of_topics)
            for system, value in enumerate(values)
        ],
        columns=["topic", "system", "metric", "score"],
    )


def test_what_is_undefined_leaves_out_the_topic_and_not_the_metric():
    nan = np.nan
    scores = _scored(M=[[1, 2, 3], [nan, 5, 6], [3, 4, 8]], H=[[1, 2, nan], [3, 4, nan], [nan, nan, nan]])
    judged = scores[(scores["metric"] == "M") | scores["score"].notna()]  # what nobody judged has no row
    one = pd.DataFrame([("t0", "human_A", "M", 9.0)], columns=scores.columns)  # who wrote one summary
    means = means_by_system(pd.concat([judged, one]))
    # of the first topic and the last
    assert means["M"].to_dict() == {"s0": 2, "s1": 3, "s2": 5.5, "human_A": 9}
    assert means["H"].tolist()[1:3] == [2, 3] and means["H"].isna().tolist() == [True, False, False, True]
    nothing = means_by_system(_scored(M=[[nan, 1]], N=[[1, 2]]))
    assert nothing["M"].isna().all() and nothing["N"].tolist() == [1, 2]
    systems = ["s0", "s1", "s2"]
    pair = points(scores, systems, ["M"], "H")["M"]
    assert pair.to_dict("list") == {"score": [1, 2], "judgement": [1, 2]} and list(pair.index) == ["s0", "s1"]
    three = _scored(M=[[1, 2, 3, 9]], N=[[3, 2, 1, 9]], H=[[1, 3, 2, nan]])
    matrix = correlate_metrics(three, [*systems, "s3"], ["H", "M", "N"], "H")
    assert matrix.loc["H"].tolist() == [1, 0.5, -0.5] and matrix.loc["M", "N"] == -1  # s3 was not judged
    figure = scatter(points(three, [*systems, "s3"], ["M", "N"], "H"), judgement="H", title="T")
    assert [axes.get_xlabel() for axes in figure.axes[:2]] == ["M", "N"]
    assert [text.get_text() for text in figure.axes[0].texts] == systems
    assert scatter({}, judgement="H", title="T").axes


def test_signatures_stand_beside_the_scores(study):
    signatures = read_signatures(study / "results/demo/signatures.tsv")
    scored = pd.read_csv(study / "results/demo/scores.tsv", sep="\t")["metric"].unique()
    assert list(signatures) == list(scored)
    version = f"|sera:{__version__}"
    assert signatures["ROUGE-2-F"] == f"ROUGE-2-F|stem:yes|stop:removed|refs:pooled|alpha:0.5{version}"
    assert signatures["SERA-KW-5"] == (
        f"SERA-KW-5|query:kw|keyword_threshold:collection|analyzer:english|mu:2000|documents:40{version}"
    )
    assert signatures["ROUGE-WE-1-R"].startswith("ROUGE-WE-1-R|vectors:learnt#")
    assert signatures["S3-best"] == f"S3-best|features:6|trained:other topics|judgement:Pyramid{version}"


# For papers, and for other programs


def test_every_table_is_there_in_three_forms(folder):
    tables = sorted((folder / "tables").glob("*.tsv"))
    assert tables
    for path in tables:
        check_forms(path)


def test_the_crate_is_a_workflow_run_crate(folder, monkeypatch):
    """The validator checks the profiles on which this one is built too."""
    context = json.loads(resources.files("rocrate").joinpath("data/ro-crate.jsonld").read_text("utf-8"))
    assert context["@id"] == f"{PROFILE}/context"
    # the validator would fetch it from the network; two checks do so, whatever is there
    monkeypatch.setattr(document_loader, "_fetch_json_ld", lambda address: context)
    fetched = {"ro-crate-1.1_3.1", "ro-crate-1.1_3.2"}
    settings = ValidationSettings(rocrate_uri=str(folder), profile_identifier="workflow-run-crate-0.5")
    found = {issue.check.identifier: issue.message for issue in validate(settings).get_issues()}
    assert set(found) <= fetched, found
