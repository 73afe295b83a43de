"""What every family of metrics has in common."""

import math

import numpy as np
import pandas as pd
import pytest

from sera import Summary, metric
from sera.errors import InputError
from sera.metrics import catalogue, family_of


def test_every_listed_name_selects_the_metric_that_prints_it():
    for name, description in catalogue():
        found = metric(name)
        assert (found.name, str(found)) == (name, name)
        assert found == metric(name) and hash(found) == hash(metric(name))
        assert "\n" not in description and len(description) > 10
    # the longest family name wins
    assert family_of("ROUGE-1-F") == "ROUGE"
    assert family_of("Pyramid") == "Pyramid"


ONE, SEVERAL = "score(Summary([sentence, sentence])", "score_all([candidate, candidate], [[reference], [ref"


@pytest.mark.parametrize(
    "candidate",
    [["a b", "c d"], np.array(["a b", "c d"]), pd.Series(["a b"]), None, math.nan],
)
def test_a_candidate_that_may_be_several_texts_or_none_is_refused_with_the_right_call(candidate):
    with pytest.raises(InputError, match="the candidate is ") as error:
        metric("ROUGE-1-F").score(candidate, ["a b"])
    assert ONE in str(error.value) and SEVERAL in str(error.value)


@pytest.mark.parametrize(
    ("references", "problem"),
    [
        ([None], "reference 1 is None"),
        (["a", [1]], "sentence 1 of reference 2 is 1"),
        ({"a": 1}, "the references are "),
        (None, "the references are None"),
        ([], "no reference"),
    ],
)
def test_what_is_no_reference_is_refused(references, problem):
    with pytest.raises(InputError, match=problem):
        metric("ROUGE-1-F").score("a b", references)
    with pytest.raises(InputError, match=problem):
        metric("ROUGE-1-F").score_all(["a b"], [references])


def test_sentences_are_told_from_texts_by_type():
    rouge = metric("ROUGE-2-R")
    # the bigram b c of the string lies across the boundary of the sentences; ROUGE-1.5.5 counts it
    assert rouge.score("a b c", ["b c d"]) == rouge.score(Summary(["a b", "c"]), ["b c d"]) == 0.5
    # ROUGE-L goes by sentences: the union of a b and c d, or the longest subsequence of the whole
    longest = metric("ROUGE-L-R")
    assert longest.score(Summary(["c d", "a b"]), ["a b c d"]) == 1.0
    assert longest.score("c d a b", ["a b c d"]) == 0.5
    # a list in the references holds the sentences of one reference
    assert (
        longest.score("a b c d", [["c d", "a b"]]) == longest.score("a b c d", Summary(["c d", "a b"])) == 1.0
    )


def test_a_summary_has_a_list_of_sentences():
    assert Summary(["a", "b"]) == Summary(("a", "b")) and Summary([]).sentences == ()
    with pytest.raises(InputError, match="one string, 'a b'. Give a list of strings: Summary"):
        Summary("a b")
    with pytest.raises(InputError, match="sentence 1 of the summary is None"):
        Summary([None])


def test_several_candidates_have_several_scores():
    rouge = metric("ROUGE-1-R")
    texts, references = ["a b", "c"], [["a b c d"], ["c", "d"]]
    assert rouge.score_all(texts, references) == [0.5, 0.5]
    assert rouge.score_all(pd.Series(texts), pd.Series(["a b c d", "c"])) == [0.5, 1.0]
    assert rouge.score_all([["a", "b"], Summary(["c"])], [["a b c d"], Summary(["c", "d"])]) == [0.5, 0.5]
    assert rouge.score_all([], []) == []
    assert metric("Red-1").score_all(texts) == [metric("Red-1").score(text) for text in texts]
    article = [["a b c"], ["c d"]]
    assert metric("Cov-1").score_all(texts, sources=article) == [
        metric("Cov-1").score(text, source=source) for text, source in zip(texts, article)
    ]


def test_a_setting_that_a_family_does_not_have_is_told():
    for name, setting in (("ROUGE-1-F", "stemming"), ("MOULIN-ROUGE", "gamma"), ("ROUGE-K", "stem")):
        with pytest.raises(InputError, match=f"{name.removesuffix('-1-F')} has no setting '{setting}'. "):
            metric(name, **{setting: True})
    with pytest.raises(InputError, match="SERA-5: "):
        metric("SERA-5", cutoff=3)


OUT_OF_RANGE = {
    "MOULIN-ROUGE": {"beta": [0, math.nan], "n": [0], "frequent": [0, 1.1]},
    "ROUGE-1-F": {"beta": [-1, "infinite"], "multi": ["mean"], "words": [0]},
    **{"ROUGE-K": {"matching": ["words"], "longest": [0]}, "Pyramid": {"threshold": [0]}},
}


@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_a_setting_out_of_its_range_is_refused(name):
    for setting, values in OUT_OF_RANGE[name].items():
        for value in values:
            with pytest.raises(InputError, match=f"{setting} is {value!r}. Give "):
                metric(name, **{setting: value})


@pytest.mark.parametrize(
    "name", "ROUGE ROUGE-0-F ROUGE-W-F rouge-2-F ROUGE-S\u0664-F SERA-0 SERA-NP-DIS-5 JS-0 Piramid".split()
)
def test_what_only_looks_like_a_metric_is_none(name):
    with pytest.raises(InputError, match="there is no metric"):
        metric(name)
