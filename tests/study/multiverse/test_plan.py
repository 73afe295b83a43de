"""What the rules of the multiverse make: universes, sets of summaries and collections."""

from __future__ import annotations

from conftest import ROOT

from study.multiverse.plan import Plan, name_of_collection
from study.settings.settings import read_config


def plan(baselines=("lead",), **dimensions) -> Plan:
    """A plan of two systems in which only these dimensions vary."""
    settings = read_config(ROOT / "config.yaml")
    multiverse = settings["multiverse"]
    own = {name: [values[0]] for name, values in multiverse["dimensions"].items()}
    settings |= {"baselines": list(baselines), "multiverse": {**multiverse, "dimensions": own | dimensions}}
    return Plan(settings, ["kl", "lsa"], {"words": 250})


def test_the_first_universe_of_a_question_is_the_studys_own():
    found = plan(level=["system", "summary"], mu=[100, 2000])
    assert found.questions == ["systems", "summaries"]
    first = {each["question"]: each for each in reversed(found.universes)}
    assert [(first[name]["level"], first[name]["weight"], first[name]["mu"]) for name in found.questions] == [
        ("system", 0.0, 2000),
        ("summary", 0.0, 2000),
    ]
    assert found.values("mu") == [(2000,), (100,)]
    assert [len(found.block(number)) for number in found.blocks] == [len(found.universes)]
    assert all(each["weight"] > 0 for of in found.tested.values() for each in of)


def test_files_of_summaries_are_named_by_length_and_order():
    found = plan(length=["100 words", "5 sentences"], order=["article"], cleaning=["full", "none"])
    own = "250-words"
    assert found.set_names[0].startswith(own)
    assert {name.rsplit("-", 1)[0] for name in found.set_names} == {own, "100-words", "5-sentences"}
    assert {"100 words", "5 sentences"} <= {length for length, _ in found.shapes}
    assert found.batches == ["full-study", "none-study"]
    sets = found.sets("none-study")
    assert len(sets) == len(found.set_names) and {of[:2] for of in sets} == {("none", "study")}


def test_a_collection_is_named_by_its_choices():
    found = plan(analyzer=["english", "standard"], figures=[False], topic_documents=[False])
    assert list(found.collections) == ["outside-text-english", "outside-text-standard"]
    assert found.own_collection == "outside-text-english"
    assert name_of_collection((False, True, "standard")) == "outside-captions-standard"
    own, drawn = found.wanted_of_collection("outside-text-standard")  # of 250 words, and of 100
    assert not own and {key[0] for key in drawn} == {"plain", "np", "kw"}
    sets = found.wanted(["rouge"], *found.batches)
    assert [[key[:4] for key in of] for of in sets] == [
        [("rouge", "full", "study", length)] for length in ("250 words", "100 words")
    ]
