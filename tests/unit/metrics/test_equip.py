"""Metrics meet their settings and resources: `sera.metrics.configure`, selectors, and declared settings."""

import math

import pandas as pd
import pytest

from sera.errors import InputError
from sera.io.records import Candidate, Reference
from sera.io.scores import read_signatures
from sera.metrics import FAMILIES, RESOURCES, metric, read_selector
from sera.metrics.configure import Resources, check, equip, families_with, listed_names, openers
from sera.metrics.notes import undefined_lines
from sera.metrics.rouge.measures import Rouge
from sera.metrics.scoring import score, write_signatures
from sera.metrics.sera import RunRankings
from sera.registry import declare
from sera.retrieval.search import search_settings
from sera.settings import declared

CANDIDATE = Candidate("t", "s", ("the cats sat",))
REFERENCE = Reference("t", "A", ("a cat sat down",))


def test_settings_of_a_family_hold_for_all_that_have_them():
    nuggets = Resources(nuggets={})
    plain, modified = equip(
        ["Pyramid", "Pyramid-Modified"], {"Pyramid": {"size": "candidate", "threshold": 0.5}}, nuggets
    )
    assert (plain.size, plain.threshold) == ("candidate", 0.5)
    assert (modified.size, modified.threshold) == ("references", 0.5)  # its name fixes the size
    one, other = equip(["ROUGE-1-F", "ROUGE-1-F(stem=false)"], {"ROUGE": {"stem": True}})
    assert (one.stem, other.stem) == (True, False)


GOOGLE = {"dialect": "rouge-score"}


@pytest.mark.parametrize(
    ("name", "settings"), [("ROUGE-Lsum-F(dialect=rouge-score)", {}), ("ROUGE-Lsum-F", GOOGLE)]
)
def test_a_metric_that_needs_a_setting_gets_it_before_it_is_made(name, settings):
    (one,) = equip([name], {"ROUGE": settings})
    assert one == metric(name, **settings)
    undefined = pd.DataFrame({"metric": [str(one)], "score": [math.nan]})
    assert f"{one} (1 of 1): undefined" in undefined_lines(undefined)[0]


def test_every_setting_of_every_family_stands_in_the_selector_if_it_is_not_the_default(tmp_path):
    values = {bool: True, int: 7, float: 0.25, str: "ROUGE-1-F"}
    values["tokens"] = "spacy:m"
    values["stop_words"] = str(tmp_path / "stop.txt")
    (tmp_path / "stop.txt").write_text("the\n")
    for family in FAMILIES:
        for each in declared(FAMILIES.load(family)):
            value = each.choices[-1] if each.choices else values.get(each.name, values[each.kind])
            loaded = FAMILIES.load(family)
            name = next(name for name in loaded.names() if loaded.has(name, each.name))
            made = metric(name, **{each.name: value})
            assert metric(str(made)) == made
            assert f"{each.name}=" in str(made)


def test_settings_of_the_search_stand_in_the_selector_of_sera():
    search = search_settings(
        "english", 12, mu=100, keyword_threshold=4.5, noun_phrases="spacy:a,b", query_stop=True
    )
    rankings = RunRankings({}, search)
    assert str(metric("SERA-5", rankings=rankings)) == "SERA-5(mu=100)"
    assert str(metric("SERA-KW-5", rankings=rankings)) == "SERA-KW-5(mu=100,keyword_threshold=4.5)"
    assert str(metric("SERA-NP-5", rankings=rankings)) == 'SERA-NP-5(mu=100,noun_phrases="spacy:a,b")'
    assert read_selector('SERA-NP-5(mu=100,noun_phrases="spacy:a,b")') == (
        "SERA-NP-5",
        {"mu": 100.0, "noun_phrases": "spacy:a,b"},
    )


def test_a_resource_is_made_once_for_the_same_settings_and_with_them():
    made = []

    def rankings(**search):
        made.append(search)
        return RunRankings({}, {"mu": search.get("mu", 2000.0)})

    found = equip(
        ["SERA-5", "SERA-10", "SERA-5(mu=7)", "SERA-NP-5"],
        {"SERA": {"noun_phrases": "textblob"}},
        Resources(rankings=rankings),
    )
    assert made == [{}, {"mu": 7.0}, {"noun_phrases": "textblob"}]
    assert list(map(str, found)) == ["SERA-5", "SERA-10", "SERA-5(mu=7)", "SERA-NP-5"]
    assert found[0].rankings is found[1].rankings

    def rankings(**search):
        raise AssertionError

    check(["SERA-5(mu=7)", "ROUGE-1-F"], {}, Resources(rankings=rankings))


def test_each_metric_is_made_once(monkeypatch):
    made = []
    monkeypatch.setattr(Rouge, "__post_init__", lambda one: made.append(one.name))
    names = ["ROUGE-1-F", "ROUGE-2-F(stem=true)", "ROUGE-L-R"]
    equip(names, {"ROUGE": {"stop": True}})
    assert made == ["ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-R"]


def test_a_resource_is_opened_by_the_first_file_that_it_has(tmp_path):
    (tmp_path / "words.txt").write_text("the\n")
    found = openers({"frequent_words": tmp_path / "words.txt", "index": tmp_path, "encoder": ""})
    assert list(found) == ["rankings", "collection"]
    assert Resources(**found).get("collection").name == "list of 1 words"
    with pytest.raises(InputError, match="the index is 3. Give what sera.index returns"):
        Resources(**openers({"index": 3})).get("rankings")


def test_a_resource_of_a_new_kind_is_a_function_and_a_line_in_its_table(tmp_path, monkeypatch):
    (tmp_path / "with_names.py").write_text(
        """
from dataclasses import dataclass
from sera.metrics.base import Metric, sentences_of, signature

def open_names(files, texts):
    return frozenset(open(files["names"]).read().split())

@dataclass(frozen=True)
class Named(Metric):
    names_: frozenset | None = None
    pattern, listed, measures = "Named", ("Named",), "names in a summary"
    signature = property(lambda self: signature(self.name))
    def score_one(self, candidate, references, source=None):
        return float(sum(name in " ".join(sentences_of(candidate)) for name in self.names_))
"""
    )
    (tmp_path / "names.txt").write_text("Ann Bo")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sera.registry._DECLARED", {})
    declare("metric family", "Named", "with_names:Named", "names in a summary", "names_")
    declare("resource", "names_", "with_names:open_names", "names", "names")
    with pytest.raises(InputError, match="Named needs names_. Give names_=... to it."):
        equip(["Named"])
    (one,) = equip(["Named"], resources=Resources(**openers({"names": tmp_path / "names.txt"})))
    assert one.score("Ann met Cy.", ["-"]) == 1 and "Named" in listed_names(FAMILIES)


def test_listed_names():
    texts = [family for family in FAMILIES if set(FAMILIES.needs(family)) <= {"source"}]
    assert families_with(Resources()) == texts
    assert families_with(Resources(), sources=False) == ["ROUGE", "ROUGE-K", "JS-ref", "Red"]
    assert set(families_with(Resources(nuggets={}))) == {*texts, "Pyramid"}
    assert listed_names(["SERA"], {"SERA": {"cutoffs": [20, 5]}})[:4] == [
        "SERA-5", "SERA-10", "SERA-20", "SERA-KW-5"
    ]  # fmt: skip
    assert "ROUGE-SU9-F" in listed_names(["ROUGE", "SERA"], {"ROUGE": {"gaps": [9]}})
    german = {"SERA": {"language": "de"}, "ROUGE-K": {"language": "de"}, "Frame": {"language": "de"}}
    families = ["SERA", "ROUGE-K", "Frame"]
    listing = {"SERA": {"cutoffs": [20]}}
    there = listed_names(families, listing, german)
    assert {"SERA-20", "SERA-DIS-KW-5", "ROUGE-K", "ROUGE-K-TFIDF"} <= set(there)
    everything = listed_names(families, listing)
    assert [name for name in everything if name not in there] == [
        *("SERA-NP-5", "SERA-NP-10", "SERA-NP-20", "SERA-DIS-NP-5", "SERA-DIS-NP-10", "SERA-DIS-NP-20"),
        *("SERA-POS-5", "SERA-POS-10", "SERA-POS-20", "ROUGE-K-TextRank", "Frame-1", "Frame-2"),
    ]
    with_spacy = {"SERA": {"language": "de", "noun_phrases": "spacy:de_core_news_sm"}}
    there = listed_names(["SERA"], {}, with_spacy)
    assert [name for name in listed_names(["SERA"]) if name not in there] == ["SERA-POS-5", "SERA-POS-10"]


def test_the_registry_and_the_class_agree_on_what_a_family_needs():
    for family in FAMILIES:
        loaded = FAMILIES.load(family)
        uses = FAMILIES.uses(family)
        assert {need for need in uses if need in RESOURCES} == {
            name
            for name, each in loaded.__dataclass_fields__.items()
            if name in RESOURCES and "setting" not in each.metadata
        }
        assert ("source" in FAMILIES.needs(family)) == loaded.needs_source


def test_stemmed_and_unstemmed_stand_in_one_table(tmp_path):
    both = equip(["ROUGE-1-F", "ROUGE-1-F(stem=true)"])
    table = score(both, [CANDIDATE], [REFERENCE])
    assert list(zip(table["metric"], table["score"], strict=True)) == [
        ("ROUGE-1-F", 0.28571),  # sat: 2 * (1/3 * 1/4) / (1/3 + 1/4)
        ("ROUGE-1-F(stem=true)", 0.57143),  # cat and sat
    ]
    write_signatures(tmp_path / "signatures.tsv", both)
    signatures = read_signatures(tmp_path / "signatures.tsv")
    assert list(signatures) == ["ROUGE-1-F", "ROUGE-1-F(stem=true)"]
    assert signatures["ROUGE-1-F(stem=true)"].startswith("ROUGE-1-F|stem:yes|stop:kept|refs:pooled|")
    with pytest.raises(InputError, match="the metric ROUGE-1-F is there twice"):
        score(equip(["ROUGE-1-F", "ROUGE-1-F"]), [CANDIDATE], [REFERENCE])
