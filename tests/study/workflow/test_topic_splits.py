"""What a model is trained on and what it summarises share no topic."""

from __future__ import annotations

import pytest

from sera.benchmarks import Topic
from sera.errors import InputError
from sera.io.records import Reference, Section, Source
from study.workflow.topic_splits import draw_part, read_splits

SOURCES = [Source(f"t{n}", f"t{n}", "", (Section("", ("Cells grow.",)),)) for n in range(20)]
REFERENCES = [Reference(source.topic, "A", ("Cells.",)) for source in SOURCES]


def test_each_topic_is_summarised_once_by_a_model_that_did_not_see_it():
    found = [draw_part(number, 4, SOURCES, REFERENCES, 2016) for number in range(4)]
    assert sorted(source.topic for one in found for source in one.tested) == sorted(
        one.topic for one in SOURCES
    )
    for one in found:
        seen = [source.topic for topics in (one.training, one.development) for source in topics.sources]
        tested = [source.topic for source in one.tested]
        assert (len(seen), len(set(seen)), len(tested)) == (15, 15, 5)
        assert not set(seen) & set(tested)
        assert len(one.development.sources) == 2  # a tenth of 15, rounded
    assert draw_part(1, 4, SOURCES, REFERENCES, 2016) == found[1] != draw_part(1, 4, SOURCES, REFERENCES, 7)


def test_too_few_topics_are_refused():
    with pytest.raises(InputError, match="3 topics cannot be divided into 4 parts.* Lower guided.folds"):
        draw_part(0, 4, SOURCES[:3], REFERENCES, 1)
    # two of three topics in part 0 leave one, which cannot both be learnt and choose the best pass
    with pytest.raises(InputError, match="3 topics cannot be divided into 2 parts.* Raise guided.folds"):
        draw_part(0, 2, SOURCES[:3], REFERENCES, 1)
    with pytest.raises(InputError, match="2 topics cannot be divided into 2 parts.* Add topics"):
        draw_part(0, 2, SOURCES[:2], REFERENCES, 1)
    assert len(draw_part(0, 3, SOURCES[:3], REFERENCES, 1).training.sources) == 1


def test_the_splits_of_a_benchmark():
    topics = [
        Topic(id=one.topic, source=one, references=(two,))
        for one, two in zip(SOURCES, REFERENCES, strict=True)
    ]
    splits = {"train": topics[:10], "dev": topics[10:13], "test": topics[12:]}
    found = read_splits(splits, SOURCES[12:], "folder")
    assert [source.topic for source in found.training.sources] == [f"t{n}" for n in range(10)]
    assert [source.topic for source in found.development.sources] == ["t10", "t11"]  # t12 is tested too
    assert found.tested == SOURCES[12:]
    with pytest.raises(InputError, match="folder: has no split 'dev'"):
        read_splits({"train": topics}, SOURCES[12:], "folder")
