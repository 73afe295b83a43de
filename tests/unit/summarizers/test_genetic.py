"""The genetic algorithm that samples summaries over the range of a metric's scores."""

import random

import pytest

from sera import metric
from sera.errors import InputError
from sera.io.records import Reference, Section, Source
from sera.summarizers.budget import Budget
from sera.summarizers.genetic import Evolution, SentencePool, evenly_spaced, evolve, sample

FIVE = SentencePool([4, 3, 3, 2, 6], limit=7)  # sentences 0 to 4, by their words


def test_summaries_and_mutants_fit():
    """Of the sentences of 4, 3, 3, 2 and 6 words, 7 words in all."""
    draw = random.Random(1)
    drawn = {FIVE.draw_summary(range(5), draw) for _ in range(300)}
    # every one to which nothing more can be added: 4 + 3, 4 + 2, 3 + 3, 3 + 2, 6
    assert drawn == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (4,)}
    assert FIVE.draw_summary([4], draw) == (4,) and FIVE.draw_summary([], draw) == ()
    # a mutant of 0 and 2 loses one of them and gains 1 or 3, which fit
    mutants = {FIVE.mutate((0, 2), draw) for _ in range(100)}
    assert mutants == {(0, 1), (0, 3), (1, 2), (2, 3)}
    assert {FIVE.mutate((4,), draw) for _ in range(100)} == {(0,), (1,), (2,), (3,)}
    assert SentencePool([5, 9], 5).mutate((0,), draw) is None


def test_the_best_is_found_and_the_last_population_covers_the_range():
    """Ten sentences of one word, three to choose: worth 2^n, so 7, 8, 9 are best and 0, 1, 2 worst."""
    ten = SentencePool([1] * 10, limit=3)
    scored = []

    def worth(one):
        scored.append(one)
        return float(sum(2**number for number in one))

    ranked = evolve(ten, worth, Evolution(population=40), random.Random(1))
    assert ranked[0] == ((7, 8, 9), 896)
    values = [value for _, value in ranked]
    assert values == sorted(values, reverse=True) and len({one for one, _ in ranked}) == len(ranked)
    assert values[-1] < 448 and 10 < len(ranked) <= 40  # random ones are there too
    assert all(len(one) == 3 for one, _ in ranked)
    again = evolve(ten, worth, Evolution(population=40), random.Random(1))
    assert again == ranked
    assert evolve(ten, worth, Evolution(population=40), random.Random(2)) != ranked
    # what survived is not scored again: much fewer than 40 in each of at least 21 generations
    assert len(scored) < 3 * 40 * 21


def test_it_stops_when_nothing_gets_better():
    calls = []
    one = SentencePool([1], limit=1)
    assert evolve(one, lambda _: calls.append(1) or 0.5) == [((0,), 0.5)]
    assert len(calls) == 1
    for lengths in ([5, 6], []):
        with pytest.raises(InputError, match="no sentence fits"):
            evolve(SentencePool(lengths, 4), lambda _: 0.0)


def test_items_are_evenly_spaced_from_the_first():
    assert evenly_spaced(range(1, 101), 10) == [1, 11, 21, 31, 41, 51, 61, 71, 81, 91]
    assert evenly_spaced("abcde", 2) == ["a", "c"] and evenly_spaced("abc", 9) == ["a", "b", "c"]


SENTENCES = ("Fish swim in water.", " ", "Ships sail.", "Birds fly high.", "Fish eat.")
SOURCE = Source("t", "a", sections=(Section("", SENTENCES),))
REFERENCES = [Reference("t", "A", ("Fish swim and eat.",))]


def test_samples_of_an_article():
    # of four sentences, one each; the recall of fish, swim, and, eat is 2/4, 0, 0, 2/4
    found = sample(SOURCE, REFERENCES, metric("ROUGE-1-R"), Budget(1, "sentences"), samples=4)
    assert [(each.system, *each.sentences, one.score) for each, one in found] == [
        ("sample_01", "Fish swim in water.", 0.5),
        ("sample_02", "Fish eat.", 0.5),
        ("sample_03", "Ships sail.", 0.0),
        ("sample_04", "Birds fly high.", 0.0),
    ]
    assert {(one.topic, one.judgement) for _, one in found} == {("t", "fitness")}
    assert [one.system for _, one in found] == [each.system for each, _ in found]
    # sentences stand in the order of the article; of a divergence, the lowest is the best
    best, *_, worst = sample(SOURCE, REFERENCES, metric("JS-ref-1"), Budget(6))
    assert best[0].sentences == ("Fish swim in water.", "Fish eat.") and best[1].score < worst[1].score
    assert sample(SOURCE, REFERENCES, metric("JS-ref-1"), Budget(6), seed=3)[0] == best
