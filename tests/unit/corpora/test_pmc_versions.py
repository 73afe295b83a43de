"""Which version of an article is read from which of several packages."""

import gzip
import random
from pathlib import Path

import pytest
from commands import sera
from pmc_packages import HEADER, list_of, member, write_package

from sera.corpora.pmc_oa import (
    REPLACED,
    RETRACTED,
    extract,
    packages,
    read_selection,
    select,
    write_extract,
    write_selection,
)
from sera.errors import InputError
from sera.io import records
from sera.io.records import Document

BASE = "oa_comm_xml.PMC000xxxxxx.baseline.2024-12-18"
NEXT = "oa_comm_xml.PMC001xxxxxx.baseline.2024-12-18"
INCR = "oa_comm_xml.incr.2024-12-19"
LATER = "oa_comm_xml.incr.2024-12-20"
OTHER = "oa_noncomm_xml.PMC000xxxxxx.baseline.2024-12-18"
DAY = "2024-12-0{} 10:00:00"


@pytest.fixture
def make(tmp_path):
    """Makes a package: rows of (accession, day of LastUpdated, retracted), each of a member of that name."""

    def make(name, rows, listed=True, members=None):
        ids = dict.fromkeys(members or [id for id, _, _ in rows])
        body = "<article><front/><body><p>{} of {}.</p></body></article>"
        lines = "".join(
            f"P/{id}.xml,Cit. 2016,{id},{DAY.format(day) if day else ''},,CC BY,{gone}\n"
            for id, day, gone in rows
        )
        articles = [member(f"P/{id}.xml", body.format(id, name).encode()) for id in ids]
        return write_package(tmp_path / f"{name}.tar.gz", articles, lines if listed else None)

    return make


def taken(folder: Path, *paths: Path) -> list[str]:
    """What is written for the packages: ``article of package``, in its order."""
    counts = write_extract(paths, folder / "d.jsonl", folder / "u.tsv")
    documents = records.read(folder / "d.jsonl", Document)
    assert counts.documents == len({d.id for d in documents})
    return [d.sections[0].paragraphs[0].rstrip(".") for d in documents]


def test_a_newer_version_replaces_an_older_and_is_read_once(make, tmp_path):
    base = make(BASE, [("PMC1", 1, "no"), ("PMC2", 1, "no"), ("PMC3", 1, "no")])
    incr = make(INCR, [("PMC2", 2, "no"), ("PMC9", 2, "no")])
    expected = [f"PMC1 of {BASE}", f"PMC3 of {BASE}", f"PMC2 of {INCR}", f"PMC9 of {INCR}"]
    assert taken(tmp_path, base, incr) == expected
    assert sorted(taken(tmp_path, incr, base)) == sorted(expected)  # in whichever order they are named
    assert select([base, incr]) == {base: {"P/PMC2.xml": REPLACED}, incr: {}}
    lines = (tmp_path / "u.tsv").read_text().splitlines()
    assert lines[1:] == [f"{BASE}.tar.gz\tP/PMC2.xml\t{REPLACED}"]


@pytest.mark.parametrize(
    ("one", "other", "wins"),
    [
        ((BASE, 1), (INCR, 2), INCR),  # the time
        ((BASE, 2), (INCR, 1), BASE),  # before the kind of package
        ((BASE, 1), (INCR, 1), INCR),  # at one time, the package issued later
        ((INCR, 1), (LATER, 1), LATER),
        ((BASE.replace("18", "19"), 1), (INCR, 1), INCR),  # on one day, the incremental
        ((BASE.replace("2024-12-18", "2025-06-17"), 1), (INCR, 1), BASE.replace("2024-12-18", "2025-06-17")),
        ((BASE, 1), (OTHER, 1), BASE),  # all the same: the first
        ((BASE, None), (INCR, None), INCR),  # no time: the package's
        ((BASE, 9), (INCR, None), INCR),
        (("mine", 1), (BASE, 1), BASE),  # a name without a date is the oldest
    ],
)
def test_which_of_two_versions_is_read(make, tmp_path, one, other, wins):
    paths = [make(name, [("PMC1", day, "no")]) for name, day in (one, other)]
    assert taken(tmp_path, *paths) == [f"PMC1 of {wins}"]


@pytest.mark.parametrize(
    ("base", "incr", "expected"),
    [
        ((1, "no"), (2, "yes"), None),  # the newest version is retracted
        ((1, "no"), (1, "yes"), None),  # marked later, the time left as it was
        ((3, "no"), (2, "yes"), None),  # marked in a later package, with an older time
        ((1, "yes"), (1, "no"), None),  # two lists disagree about one version
        ((1, "yes"), (2, "no"), INCR),  # the mark was withdrawn
    ],
)
def test_an_article_that_was_retracted_since_is_left_out(make, tmp_path, base, incr, expected):
    paths = [make(BASE, [("PMC1", *base), ("PMC2", 1, "no")]), make(INCR, [("PMC1", *incr)])]
    left = select(paths)
    assert taken(tmp_path, *paths) == [f"PMC2 of {BASE}", *([f"PMC1 of {expected}"] if expected else [])]
    if not expected:
        assert left == {path: {"P/PMC1.xml": RETRACTED} for path in paths}


def test_an_article_listed_twice_in_one_package_is_read_once(make, tmp_path):
    path = make(BASE, [("PMC1", 1, "no"), ("PMC1", 1, "no"), ("PMC2", 1, "no"), ("PMC2", 2, "no")])
    assert taken(tmp_path, path) == [f"PMC1 of {BASE}", f"PMC2 of {BASE}"]
    assert taken(tmp_path, path, path) == [f"PMC1 of {BASE}", f"PMC2 of {BASE}"]


def test_of_two_members_with_one_accession_the_newer_is_read(make, tmp_path):
    path = make(BASE, [], members=["old", "new"])
    list_of(path).write_text(
        HEADER + f"P/new.xml,,PMC1,{DAY.format(2)},,,no\nP/old.xml,,PMC1,{DAY.format(1)},,,no\n"
    )
    assert taken(tmp_path, path) == [f"new of {BASE}"]
    assert [d.id for d in extract(path) if isinstance(d, Document)] == ["PMC1"]


def test_a_package_without_a_list_is_gone_through_for_its_members(make, tmp_path):
    base = make(BASE, [("PMC1", 1, "no"), ("PMC2", 1, "no"), ("PMC3", 1, "yes")])
    incr = make(INCR, [("PMC2", 1, "no"), ("PMC3", 1, "no")], listed=False)
    assert select([base, incr]) == {base: {"P/PMC2.xml": REPLACED, "P/PMC3.xml": REPLACED}, incr: {}}
    assert taken(tmp_path, base, incr) == [f"PMC1 of {BASE}", f"PMC2 of {INCR}", f"PMC3 of {INCR}"]


def test_a_list_that_breaks_off_is_refused_since_the_rest_might_mark_retractions(make, tmp_path):
    path = make(BASE, [(f"PMC{n}", 1, "no") for n in range(600)])
    whole = list_of(path).read_bytes()
    list_of(path).write_bytes(whole + b"P/PMC600.xml,\xff\n")
    for read in (lambda: select([path]), lambda: list(extract(path))):
        with pytest.raises(InputError, match=r"filelist\.csv, line 602: is not UTF-8 text"):
            read()


def test_packages_read_side_by_side_give_what_all_together_give(make, tmp_path):
    """Forty packages drawn at random against the rules, said again article by article."""
    draw = random.Random(2016)
    names = [BASE, NEXT, OTHER, *(f"oa_comm_xml.incr.2024-12-{day}" for day in range(19, 27))]
    versions: dict[str, list] = {}
    paths = []
    for rank, name in enumerate(names):
        rows = [
            (f"PMC{draw.randrange(60)}", draw.randint(1, 5), draw.choice(["no"] * 9 + ["yes"]))
            for _ in range(20)
        ]
        rows = list({id: (id, day, gone) for id, day, gone in rows}.values())
        paths.append(make(name, rows))
        for id, day, gone in rows:
            versions.setdefault(id, []).append((day, max(0, rank - 2), -rank, gone == "yes", name))
    expected = set()
    for id, known in versions.items():
        day, rank, _, _, name = max(known)
        if not any(gone and (d == day or r > rank) for d, r, _, gone, _ in known):
            expected.add(f"{id} of {name}")
    assert 20 < len(expected) < len(versions)
    together = taken(tmp_path, *paths)
    assert len(together) == len(set(together)) and set(together) == expected
    left_out = select(paths)
    apart = []
    for path in paths:
        write_selection(tmp_path / "s.jsonl.gz", left_out[path])
        chosen = read_selection(tmp_path / "s.jsonl.gz")
        assert chosen == left_out[path]
        apart += [d for d in extract(path, left_out=chosen) if isinstance(d, Document)]
    assert apart == records.read(tmp_path / "d.jsonl", Document)


def test_the_selection_of_a_package_changes_only_if_what_is_read_of_it_does(make, tmp_path):
    base = make(BASE, [(f"PMC{n}", 1, "no") for n in range(5)])
    other = make(NEXT, [("PMC7", 1, "no")])
    written = []
    for number, rows in enumerate(([("PMC1", 2, "no")], [("PMC1", 3, "no")], [("PMC2", 3, "no")])):
        make(f"oa_comm_xml.incr.2024-12-2{number}", rows)
        chosen = select(packages(tmp_path))
        for path in (base, other):
            write_selection(tmp_path / f"{path.name}.jsonl.gz", chosen[path])
        written.append([(tmp_path / f"{path.name}.jsonl.gz").read_bytes() for path in (base, other)])
    assert written[0] == written[1]
    assert written[1][0] != written[2][0] and written[1][1] == written[2][1]


def test_a_selection_of_another_kind_is_refused(tmp_path):
    (tmp_path / "s.jsonl").write_text('{"id": "PMC1"}\n')
    with pytest.raises(InputError, match="line 1: has no field 'member'"):
        read_selection(tmp_path / "s.jsonl")


def test_the_command_line_reads_each_article_once(make, tmp_path):
    base = make(BASE, [("PMC1", 1, "no"), ("PMC2", 1, "no"), ("PMC3", 1, "no")])
    incr = make(INCR, [("PMC2", 2, "no"), ("PMC3", 2, "yes")])
    out = tmp_path / "out.jsonl.gz"
    printed = sera("corpus", "extract", base, incr, "--out", out)
    assert "2 articles" in printed and "3 not read" in printed
    with gzip.open(out, "rt") as lines:
        assert [line.split('"')[3] for line in lines] == ["PMC1", "PMC2"]


@pytest.mark.slow
def test_many_articles_are_settled_in_bounded_time_and_memory(tmp_path):
    """Three lists of 100,000 articles; each of the last two replaces half of the one before."""
    import time
    import tracemalloc

    names = [BASE, INCR, LATER]
    for number, name in enumerate(names):
        (tmp_path / f"{name}.tar.gz").touch()
        with open(tmp_path / f"{name}.filelist.csv", "w") as stream:
            stream.write(HEADER)
            for n in range(50_000 * number, 50_000 * number + 100_000):
                stream.write(f"P/PMC{n}.xml,J. 2024; 1:{n},PMC{n},{DAY.format(number + 1)},{n},CC BY,no\n")
    paths = [tmp_path / f"{name}.tar.gz" for name in names]
    begun = time.process_time()
    left_out = select(paths)
    assert time.process_time() - begun < 10
    assert [len(left_out[path]) for path in paths] == [50_000, 50_000, 0]
    del left_out
    tracemalloc.start()
    select(paths[2:])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6
