"""Real packages of PubMed Central, read whole."""

from __future__ import annotations

import gzip
import json
import random
import re
import tarfile

from collection_table import rows
from conftest import ROOT

from sera.io import records
from sera.io.records import Document
from sera.pubmed.articles import Collection, write_extract
from sera.pubmed.jats import read_article


def test_real_packages_are_read_whole(shared, tmp_path):
    folder = shared / "data/pmc_oa"
    names = list(Collection(folder).parts)
    assert len(names) == 3
    counts = write_extract([folder], tmp_path / "d.jsonl.gz", tmp_path / "u.tsv", part=names[2])
    assert counts == (395, 0)
    documents = records.read(tmp_path / "d.jsonl.gz", Document)
    assert len({d.id for d in documents}) == 395
    assert all(d.id.startswith("PMC9") and d.title for d in documents)
    long = [d for d in documents if len(d.content.split()) > 2000]
    assert len(long) > 200
    assert not any("Decision letter" in s.title for d in documents for s in d.sections)
    assert not any(d.content.count("dx.doi.org/10.7554/eLife") > 2 for d in long)


def test_the_real_packages_hold_nothing_twice_and_nothing_retracted(shared):
    collection = Collection(shared / "data/pmc_oa")
    plans = [entry for part in collection.parts for entry in collection.plan(part)]
    assert len(plans) == 1187 and not any(entry.reason for entry in plans)


def test_the_table_names_the_articles_of_the_study_and_their_texts(shared):
    lines = (ROOT / "resources/collection.tsv").read_text(encoding="utf-8").splitlines()[1:]
    table = [tuple(line.split("\t")) for line in lines]
    assert len(table) == len({row[:2] for row in table}) == 3068
    assert sum(bool(pmcid) for pmcid, _, _ in table) == 1881
    part = random.randrange(3)
    found = list(rows(shared / "data", slice(part, part + 1)))
    assert len(found) > 300 and set(found) <= set(table)


def words(text):
    return re.findall(r"[^\W\d_]{2,}", text)


def test_real_articles_agree_with_an_extraction_made_apart(shared):
    """The Lucene oracle's texts were taken from the same articles by other means, with captions and tables.

    So nearly every word of ours must be there, and nearly all of its words here once captions are asked
    for (tables' cells and references' marks are the rest).
    """
    with gzip.open(shared / "oracles/lucene/documents.jsonl.gz", "rt", encoding="utf-8") as lines:
        oracle = {d["id"]: d["text"] for d in map(json.loads, lines) if d["id"].startswith("elife")}
    compared = 0
    package = shared / "data/pmc_oa/oa_comm_xml.PMC000xxxxxx.baseline.2016-12-31.tar.gz"
    with tarfile.open(package) as tar:
        for member in tar:
            xml = tar.extractfile(member).read()
            doi = re.search(rb'pub-id-type="doi">10\.7554/eLife\.(\d+)<', xml)
            text = oracle.get(f"elife{doi[1].decode()}")
            if text is None:
                continue
            compared += 1
            theirs = words(text)
            known = set(theirs)
            ours = words(read_article(xml, "x").content)
            with_captions = set(words(read_article(xml, "x", figures=True).content))
            assert sum(word in known for word in set(ours)) >= 0.98 * len(set(ours))
            assert len(ours) < 1.02 * len(theirs)
            assert sum(word in with_captions for word in theirs) >= 0.80 * len(theirs)
            if compared == 20:
                break
    assert compared == 20
