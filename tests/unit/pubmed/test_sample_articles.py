"""Samples of a server like PubMed Central's bucket."""

import hashlib

import pytest
from bucket import bucket  # noqa: F401
from commands import sera

from bench.sample_articles import main, sample
from sera.errors import InputError


@pytest.fixture
def population(bucket):  # noqa: F811
    """Sixty articles and an inventory of them: some have two versions, some may not be drawn."""
    faults = {10: {"is_retracted": True}, 20: {"is_historical_ocr": True}, 30: {"is_pmc_openaccess": False}}
    for number in range(1, 61):
        bucket.put_article(f"PMC{number}.1", **faults.get(number, {}))
    bucket.put_article("PMC5.2")
    names = [f"PMC{number}.1" for number in range(1, 61)]
    bucket.put_inventory(1, ["PMC99.1"])
    bucket.put_inventory(2, ["PMC5.2", *names[30:]], [*names[:30], "PMC44444.1"])
    return bucket


def test_a_sample_is_drawn_by_a_hash_of_seed_and_id(population):
    drawn = sample(56, seed=1, before="PMC60", source=population.source)
    assert set(drawn) == {f"PMC{n}.{2 if n == 5 else 1}" for n in range(1, 60) if n not in (10, 20, 30)}

    def rank(name):
        return hashlib.blake2b(f"1 {name.partition('.')[0]}".encode(), digest_size=8).digest()

    assert drawn == sorted(drawn, key=rank)
    assert sample(20, seed=1, before="PMC60", source=population.source) == drawn[:20]
    assert sample(20, seed=2, before="PMC60", source=population.source) != drawn[:20]
    with pytest.raises(InputError, match="there are only 57 such articles"):
        sample(60, source=population.source)  # one more than before; the last has no metadata
    # another order of rows, and new articles
    population.put_inventory(3, ["PMC70.1", *(f"PMC{n}.1" for n in range(60, 0, -1)), "PMC5.2"])
    assert sample(20, before="PMC60", source=population.source) == drawn[:20]


def test_the_program_draws_a_list_that_can_be_downloaded(population, tmp_path, capsys):
    out = tmp_path / "ids.txt"
    given = ["--number", "8", "--out", str(out), "--source", population.source]
    main([*given, "--seed", "3", "--before", "PMC60"])
    assert capsys.readouterr().out == f"8 articles in {out}\n"
    printed = sera("corpus", "download", tmp_path / "to", "--ids", out, "--source", population.source)
    assert "8 articles" in printed
    with pytest.raises(SystemExit, match=r"'PMC6.1' is not an id. Give an id like PMC4800000"):
        main([*given, "--before", "PMC6.1"])
