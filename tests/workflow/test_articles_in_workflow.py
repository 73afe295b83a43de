"""Articles in the workflow are read again only in the subfolders and packages that changed."""

from __future__ import annotations

import hashlib
import os

from checkouts import checkout, configure, planned, ran
from pmc_packages import member, write_package

from sera.io import records
from sera.io.records import Document
from sera.pubmed.articles import Collection
from study.demo.benchmark import unpack

TEXT = "<article><front/><body><p>{}.</p></body></article>"


def put(folder, articles):
    """Files of articles, each of one sentence, older than all that was read before."""
    for name, text in articles.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(TEXT.format(text))
        os.utime(folder / name, (10**9, 10**9))


def checksum(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_changed_article_has_its_part_alone_read_again(tmp_path):
    unpack(tmp_path / "demo", topics=1, articles=10)
    articles = tmp_path / "articles"
    folder = checkout(tmp_path / "study")
    configure(
        folder,
        benchmark="tac2014",
        tac2014=f"{tmp_path}/demo/release",
        pyramids=f"{tmp_path}/demo/pyramids",
        pmc_oa=str(articles),
    )
    put(
        articles,
        {"PMC000xxxxxx/PMC1.1.xml": "One", "PMC001xxxxxx/PMC1000002.1.xml": "Two", "PMC7.1.xml": "Top"},
    )
    write_package(
        articles / "zip.tar.gz",
        [member(f"P/PMC{n}.xml", TEXT.format(f"Packed {n}").encode()) for n in (1, 3)],
        "".join(f"P/PMC{n}.xml,,PMC{n},2024-12-01 00:00:00,,,no\n" for n in (1, 3)),
    )
    target = "results/tac2014/corpus/unreadable.tsv"
    corpus = folder / "results/tac2014/corpus"

    def run():
        ran(folder, target)
        paths = {path.name.removesuffix(".jsonl.gz"): path for path in corpus.glob("*.jsonl.gz")}
        texts = [d.content for path in paths.values() for d in records.read(path, Document)]
        assert planned(folder, target) == set()
        return sorted(texts), {name: path.stat().st_mtime_ns for name, path in paths.items()}

    texts, first = run()
    assert texts == ["One.", "Packed 3.", "Top.", "Two."]
    assert set(first) == {"PMC000xxxxxx", "PMC001xxxxxx", "articles", "zip"}
    put(articles, {"PMC001xxxxxx/PMC1000002.1.xml": "Other two"})
    texts, second = run()
    assert texts == ["One.", "Other two.", "Packed 3.", "Top."]
    assert {name for name in second if second[name] != first[name]} == {"PMC001xxxxxx"}
    put(articles, {"PMC000xxxxxx/PMC3.1.xml": "Three"})  # which the package has too
    texts, third = run()
    assert texts == ["One.", "Other two.", "Three.", "Top."]
    assert {name for name in third if third[name] != second[name]} == {"PMC000xxxxxx", "zip"}
    # a list of the articles pins them: what it says of one reruns that part alone
    rows = [
        (id, "1", "no", checksum(path)) for path in sorted(articles.rglob("*.xml")) for id in [path.name[:-6]]
    ]

    def pin(rows):
        lines = ["\t".join(row) for row in [("pmcid", "version", "retracted", "sha256"), *rows]]
        (articles / "articles.tsv").write_text("\n".join(lines) + "\n")

    pin(rows)
    texts, fourth = run()
    assert texts == ["One.", "Other two.", "Three.", "Top."]
    assert Collection(articles).listing() == [
        articles / name for name in ("articles.tsv", "zip.tar.gz", "zip.filelist.csv")
    ]
    pin([(id, version, "yes" if id == "PMC7" else gone, *rest) for id, version, gone, *rest in rows])
    texts, fifth = run()
    assert texts == ["One.", "Other two.", "Three."]
    assert {name for name in fifth if fifth[name] != fourth[name]} == {"articles"}
