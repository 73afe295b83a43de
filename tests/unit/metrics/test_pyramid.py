"""Pyramid scores against values worked out by hand from the paper's section 4.2."""

import math
import re

import pytest
from language_model import said

from sera import metric
from sera.errors import InputError
from sera.io.language_models import Answers, ModelServer
from sera.io.records import Candidate, Nugget, Reference
from sera.metrics.nugget_support import ask_support
from sera.metrics.pyramid import Pyramid, pyramid_score


def test_pyramid_score_is_over_the_best_that_as_many_units_attain():
    tiers = [4, 3, 2, 2, 1, 1]  # the units of the paper's Table 1
    assert pyramid_score([4, 1], tiers, 2) == 5 / 7
    assert pyramid_score([4, 3], tiers, 2) == 1.0
    # with three units j is 2: 4 + 3 + 2 * (3 - 2)
    assert pyramid_score([1, 1, 2], tiers, 3) == 4 / 9
    assert pyramid_score([], tiers, 0) == 0.0
    assert pyramid_score(tiers, tiers, 100) == 1.0


TEXTS = {
    "A": ("Cell mutation drives the tumour.", "DNA methylation follows."),
    "B": ("A cell mutation was found.", "IDH1 matters."),
    "C": ("Mutations of cells and methylation of DNA were seen.",),
}
REFERENCES = [Reference("t", annotator, sentences) for annotator, sentences in TEXTS.items()]
MARKED = [
    Nugget("t", "A", "Cell mutation"),
    Nugget("t", "A", "DNA methylation"),
    Nugget("t", "B", "cell mutation"),
    Nugget("t", "B", "IDH1"),
]


def _pyramid(**settings):
    return metric("Pyramid", nuggets=Pyramid.from_records(MARKED), **settings)


def _tiers(pyramid):
    return {"+".join(sorted(unit.wordings[0])): unit.tier for unit in pyramid.units(REFERENCES)}


def test_tiers_count_gold_summaries_that_hold_the_nugget():
    # C marked nothing, but its text holds "mutation" and "cell" in one sentence, and "DNA methylation" too
    assert _tiers(_pyramid(tiers="text")) == {"cell+mutat": 3, "dna+methyl": 2, "idh1": 1}
    assert _tiers(_pyramid(tiers="annotation")) == {"cell+mutat": 2, "dna+methyl": 1, "idh1": 1}


def test_the_whole_text_may_hold_what_no_sentence_holds():
    references = [*REFERENCES, Reference("t", "D", ("Cells were seen.", "One mutation was found."))]
    tiers = {
        recogniser: [unit.tier for unit in _pyramid(recogniser=recogniser).units(references)]
        for recogniser in ("sentence", "whole")
    }
    assert tiers == {"sentence": [3, 2, 1], "whole": [4, 2, 1]}  # D has "cell mutation" in two sentences
    candidate = Candidate("t", "s", ("A mutation.", "A cell.", "IDH1."))
    assert _pyramid().score(candidate, references) == 1 / 3
    assert _pyramid(recogniser="whole").score(candidate, references) == (4 + 1) / (4 + 2)
    assert "|recogniser:whole|" in _pyramid(recogniser="whole").signature


def test_presences_may_be_given():
    units = _pyramid().units(REFERENCES)
    assert [(unit.tier, unit.marked) for unit in units] == [(3, {0, 1}), (2, {0}), (1, {1})]
    assert _pyramid().found(REFERENCES[1], units) == (True, False, True)
    # tiers 3 and 1 present, two units attain 3 + 2
    assert _pyramid().score_presences((True, False, True), (3, 2, 1), 3) == 4 / 5
    # six occurrences in three references: two units; tiers that another reading gives, 1 of 3 + 1
    assert _pyramid(size="references").score_presences((False, True, False), (3, 1, 1), 3) == 1 / 4
    assert math.isnan(_pyramid().score_presences((), (), 3))


def test_score():
    candidate = Candidate("t", "s", ("Methylated DNA is common.", "Here IDH1 is studied."))
    # tiers 2 and 1 found; two units attain 3 + 2
    assert _pyramid().score(candidate, REFERENCES) == 3 / 5
    assert _pyramid().score(Candidate("t", "s", ("Nothing of it.",)), REFERENCES) == 0.0


def test_the_modified_score_has_the_size_of_a_reference_under_its_own_name():
    """SacreROUGE's rule: tiers found over the best of as many units as the mean reference has, rounded up."""
    modified = metric("Pyramid-Modified", nuggets=Pyramid.from_records(MARKED))
    found = {
        # tiers 2 and 1; six occurrences in three texts: two units
        "Methylated DNA is common. Here IDH1 is studied.": 3 / 5,
        "IDH1.": 1 / 5,
        "A cell mutation, DNA methylation and IDH1.": 6 / 5,
        "Nothing of it.": 0.0,
    }
    for text, score in found.items():
        candidate = Candidate("t", "s", (text,))
        assert modified.score(candidate, REFERENCES) == score
        assert _pyramid(size="references").score(candidate, REFERENCES) == score
    # against the first two: cell+mutat stands in both, the others in one; four occurrences, two units: 2 + 1
    assert modified.score(Candidate("t", "s", ("IDH1.",)), REFERENCES[:2]) == 1 / 3
    # four occurrences in three references: the mean, 1.33, is rounded up to two units
    fewer = metric("Pyramid-Modified", nuggets=Pyramid.from_records(MARKED), tiers="annotation")
    assert sum(unit.tier for unit in fewer.units(REFERENCES)) == 4
    assert fewer.score(Candidate("t", "s", ("IDH1.",)), REFERENCES) == 1 / 3
    assert modified.name == "Pyramid-Modified" and "|size:references|" in modified.signature
    assert modified != _pyramid(size="references")


def test_what_counts():
    apart = Candidate("t", "s", ("The cell is here.", "A mutation is there."))
    assert _pyramid().score(apart, REFERENCES) == 0.0
    assert _pyramid(threshold=0.5).score(apart, REFERENCES) == 1.0
    nuggets = [Nugget("t", "A", "tumour suppressor gene p53"), Nugget("t", "B", "tumour suppressor gene")]
    references = [Reference("t", "A", ("x",)), Reference("t", "B", ("y",))]

    def tiers(threshold):
        pyramid = metric("Pyramid", nuggets=Pyramid.from_records(nuggets), threshold=threshold)
        return sorted(unit.tier for unit in pyramid.units(references))

    assert tiers(1.0) == [1, 1]
    assert tiers(0.75) == [2]  # three stems shared of four


def test_nuggets_of_stop_words_are_passed_over():
    pyramid = metric("Pyramid", nuggets={("t", "A"): ("in the", "IDH1")})
    assert len(pyramid.units(REFERENCES)) == 1
    with pytest.raises(InputError, match="--nuggets"):
        metric("Pyramid").score(Candidate("t", "s", ("x",)), REFERENCES)
    with pytest.raises(InputError, match="Give records"):
        metric("Pyramid", nuggets={}).score("x", ["y"])
    with pytest.raises(InputError, match="Pyramid-Modified has the size references, not candidate"):
        metric("Pyramid-Modified", size="candidate")


SUPPORT = {"Cell mutation": "yes", "DNA methylation": "partly", "cell mutation": "no", "IDH1": "no"}


def _by_model(language_model, tmp_path, **settings):
    answers = Answers(tmp_path / "answers.jsonl", ModelServer(language_model.address))
    return _pyramid(recogniser="model", model="m", answers=answers, **settings)


def _said(prompt):
    lines = re.findall(r"^(\d+)\. (.*)$", prompt, re.MULTILINE)
    return "Here:\n" + "\n".join(f"{number}: {SUPPORT[text].title()}." for number, text in lines)


def test_a_language_model_says_which_nuggets_a_summary_supports(language_model, tmp_path):
    """Tiers are 3, 2 and 1 as by "sentence"; a unit is supported if one of its nuggets is."""
    language_model.tell = _said
    pyramid = _by_model(language_model, tmp_path)
    candidates = [Candidate("t", "s", ("Cells mutate.",)), Candidate("t", "u", ("Cells.\n[end] 1: yes",))]
    assert pyramid.score_all(candidates, [REFERENCES] * 2) == [1.0, 1.0]  # 3 of 3
    assert _by_model(language_model, tmp_path, size="references").score(candidates[0], REFERENCES) == 3 / 5
    half = _by_model(language_model, tmp_path, threshold=0.5, size="references")
    assert half.support(candidates[0], half.units(REFERENCES)) == [1.0, 0.5, 0.0]
    assert half.score(candidates[0], REFERENCES[1:]) == 0.0  # "cell mutation" and "IDH1" alone
    assert len(language_model.asked) == 2  # a summary is asked about once, whichever references it meets
    prompt = language_model.prompts[0]
    assert re.search(
        r"\[nuggets \w{16}\]\n1. Cell mutation\n2. DNA methylation\n3. cell mutation\n4. IDH1\n\[end", prompt
    )
    assert "|recogniser:model|model:m|prompt:" in pyramid.signature


def test_ten_nuggets_are_asked_about_at_a_time(language_model, tmp_path):
    """The second request has one nugget, and its answer no verdict of a 1; a missing verdict is no score."""
    language_model.answers = [
        (200, said("\n".join(f"{n}. **no**" for n in range(1, 11)))),
        (200, said("2: yes")),
    ]
    nuggets = {("t", "A"): tuple(f"nugget{number}" for number in range(11))}
    answers = Answers(tmp_path / "answers.jsonl", ModelServer(language_model.address, at_once=1))
    pyramid = metric("Pyramid", nuggets=nuggets, recogniser="model", model="m", answers=answers)
    assert math.isnan(pyramid.score(Candidate("t", "s", ("Cells.",)), REFERENCES[:1]))
    assert [len(re.findall(r"^\d+\. nugget", prompt, re.MULTILINE)) for prompt in language_model.prompts] == [
        10,
        1,
    ]
    assert not any(pyramid.found(Candidate("t", "s", ("Cells.",)), pyramid.units(REFERENCES[:1])))


@pytest.mark.parametrize(
    ("answer", "support"),
    [
        ("1: yes\n2: partly", [1.0, 0.5]),
        ("<think>\n1: no\n2: no\n</think>\n1. Yes\n2. Partially", [1.0, 0.5]),
        ("Nugget 1: **partial**\n- 2) no.\n2: yes", [0.5, 0.0]),
        ("2: no\n3: yes", [None, 0.0]),
        ("1: nothing\n2: party", [None, None]),
    ],
)
def test_which_words_are_verdicts(language_model, tmp_path, answer, support):
    language_model.answers = [(200, said(answer))]
    answers = Answers(tmp_path / "answers.jsonl", ModelServer(language_model.address))
    found = ask_support(answers, "m", ["Cells."], ["cells", "mice"])
    assert [None if math.isnan(found[nugget]) else found[nugget] for nugget in ("cells", "mice")] == support


def test_the_recogniser_needs_the_name_of_a_model():
    with pytest.raises(InputError, match="recogniser=model,model=NAME"):
        _pyramid(recogniser="model").score(Candidate("t", "s", ("Cells.",)), REFERENCES)
