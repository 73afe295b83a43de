"""What files may hold, as strategies of Hypothesis; and `READERS`, every way in which a file is read.

A new reader gets all tests of `test_properties` by one line of `READERS`.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import json
import math
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd
import yaml
from conftest import ROOT
from hypothesis import strategies as st
from releases import HEAD, MADE, NAMESPACE, put, record, unit
from releases import NIST_ARTICLE as NEWS
from releases import TAC_ARTICLE as ARTICLE
from releases import summaries as nist_summaries
from s3_pickles import array, pickled

from sera import names
from sera.benchmarks import folder, nist, realsumm, tac2014
from sera.corpora import jats, pmc_oa, pmc_oa_download
from sera.errors import InputError
from sera.evaluation import tables
from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.io import checksums, records
from sera.io import scores as score_tables
from sera.io.files import read_bytes
from sera.metrics.framenet import FrameNet
from sera.metrics.s3 import model as s3
from sera.metrics.s3 import released
from sera.retrieval import runs
from sera.retrieval.engines import (
    Hit,
    documents_in,
    embedded,
    index_format,
    server,
)
from sera.retrieval.engines.index_building import build_part
from sera.vectors import word_vectors
from study.demo import truth as demo_truth
from study.demo.file_formats import archive
from study.published import audit
from study.published import comparison as verdicts
from study.published import tables as paper
from study.report.facts import run_times
from study.workflow.own_summaries import read_candidates

# Texts and names
# ---------------

HARD = (
    *(
        '"',
        "a\"b'c",
        "|",
        "a|b",
        "$HOME",
        "#",
        "a #b",
        "{x}",
        "{0}",
        "*",
        "<b>&amp;",
        "a,b",
        "\\n",
        "a b",
        "%20",
    ),
    *(
        "%2520",
        "é",
        "e\u0301",
        "\u0645\u0644\u062e\u0635",
        "名前",
        "🧪",
        "NA",
        "nan",
        "None",
        "undefined",
        "null",
    ),
    *("007", "1e5", "1_0", "-", "true", "=1+1", "human_A", "Q0", "../x", "~", "`ls`", "$(ls)", "a\u200bb"),
    *("\u0660", "ſ", "İ", "ß", "\u0301", "\ufffd", "\U0010ffff", "constructor", "x" * 300),
)
"""Names that may be, each of which some program once took for something else."""


REFUSED = (
    *("", " ", " a", "a ", "a\tb", "a\nb", "a\rb", "\0", "a\x1fb", "\x7f", "a\x85b", "\u2028", "\u202e"),
    "a\u00a0b",
)

texts = st.text(max_size=60)


def is_name(text: str) -> bool:
    """Whether a text may be a name; what this says is checked against literal expectations."""
    try:
        return names.check("name", text) == text
    except InputError:
        return False


a_name = st.one_of(st.sampled_from(HARD), st.text(min_size=1, max_size=12).filter(is_name))
no_name = st.one_of(
    st.sampled_from(REFUSED),
    st.builds(
        lambda start, wrong, end: start + wrong + end,
        st.text(max_size=3),
        st.sampled_from([text for text in REFUSED if len(text.strip(" a")) == 1]),
        st.text(max_size=3),
    ),
)
finite = st.floats(-1e100, 1e100)  # what a score may be
plain_words = st.lists(
    st.sampled_from("cell gene protein binds of the (p < 0.05). Mice 3 µm é \u4e2d".split()), max_size=8
).map(" ".join)
sentences = st.lists(st.one_of(texts, plain_words), max_size=3).map(tuple)
file_names = a_name.filter(
    lambda name: "/" not in name and len(name.encode()) < 200 and name.strip(".") == name and name != "~"
)


def listed(
    one: st.SearchStrategy, key: Callable[[Any], Any] | None = None, least: int = 0
) -> st.SearchStrategy:
    """Up to five of a kind, each key once."""
    return st.lists(one, min_size=least, max_size=5, unique_by=key)


# Records
# -------

sections = st.lists(st.builds(records.Section, texts, sentences), max_size=2).map(tuple)
passages = st.lists(st.builds(records.Passage, texts, sentences), max_size=2).map(tuple)
candidates = st.builds(records.Candidate, a_name, a_name, sentences)
references = st.builds(records.Reference, a_name, a_name, sentences)
sources = st.builds(records.Source, a_name, a_name, texts, sections)
citances = st.builds(records.Citance, a_name, texts, texts)
nuggets = st.builds(records.Nugget, a_name, a_name, texts)
documents = st.builds(records.Document, a_name, texts, texts, sentences, passages)
queries = st.builds(records.Query, a_name, texts)
truths = st.builds(
    demo_truth.Truth,
    a_name,
    sentences,
    st.lists(
        st.builds(demo_truth.TrueFact, a_name, st.integers(0, 9), texts, sentences, sentences, sentences),
        max_size=2,
    ).map(tuple),
    st.lists(st.builds(demo_truth.Statement, texts, sentences), max_size=2).map(tuple),
)
left_out = st.dictionaries(texts.filter(bool), texts, max_size=4)

# Tables
# ------


def frame(columns: Sequence[str], numbers: st.SearchStrategy) -> st.SearchStrategy:
    """A table of three columns of names and one of numbers, each three names once."""
    rows = listed(st.tuples(a_name, a_name, a_name, numbers), lambda row: row[:3], least=1)
    return rows.map(lambda rows: pd.DataFrame(rows, columns=list(columns)).astype({"score": float}))


scores = frame(score_tables.SCORE_COLUMNS, st.one_of(finite, st.just(math.nan)))
judgements = frame(score_tables.JUDGEMENT_COLUMNS, finite)
coefficients = st.floats(-1, 1).map(lambda value: round(value, 6))
correlations = st.lists(st.tuples(a_name, a_name, *[coefficients] * 3), min_size=1, max_size=4).map(
    lambda rows: pd.DataFrame(rows, columns=["metric", "against", *CORRELATIONS])
)
expected = st.tuples(
    correlations,
    st.dictionaries(texts, st.one_of(texts, st.integers(), st.none()), max_size=3),
    a_name,
)
printed = st.one_of(
    st.floats(-1, 1).map("{:.3f}".format),
    st.sampled_from(["", "nan", "undefined", "1", "-1.000", "\N{MINUS SIGN}0.5", ".25", "5e-1"]),
)
audited = st.lists(st.builds(audit.Pair, a_name, a_name, printed, printed), min_size=1, max_size=4)
hits = listed(st.builds(Hit, a_name, st.floats(-1e6, 1e6, width=32)), lambda hit: hit.document, least=1)
rankings = st.dictionaries(a_name, hits, max_size=4)
digests = st.binary(min_size=32, max_size=32).map(bytes.hex)
checked_files = listed(st.builds(checksums.File, a_name, st.integers(0, 2**53), digests))
package_files = listed(
    st.builds(
        pmc_oa_download.PackageFile,
        st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,12}", fullmatch=True).filter(
            lambda n: n != pmc_oa_download.TABLE
        ),
        st.one_of(st.none(), st.integers(0, 2**62)),
        st.one_of(st.just(""), digests),
        st.just(""),
        st.sampled_from(["", "https://example.org/x?a=b#c"]),
    ),
    lambda file: file.file,
).map(lambda files: sorted(files, key=lambda file: file.file))

# Vectors, models, frames
# -----------------------

vector_words = st.text(st.characters(categories=["L", "M", "P", "S"]), min_size=1, max_size=8).map(str.lower)
single = st.floats(-1e3, 1e3, width=32)


@st.composite
def word_tables(draw) -> dict[str, list[float]]:
    """Words in lower case with vectors of one width, at least 2."""
    width = draw(st.integers(2, 4))
    words = draw(st.lists(vector_words, min_size=1, max_size=4, unique_by=str.lower))
    return {word.lower(): draw(st.lists(single, min_size=width, max_size=width)) for word in words}


def put_vectors(kind: str, path: Path, table: dict[str, list[float]]) -> None:
    """A file of vectors as word2vec (text, binary), GloVe or this project writes it."""
    width = len(next(iter(table.values())))
    if kind == "npz":
        word_vectors.WordVectors(table, np.array(list(table.values()), np.float32)).save(path)
        return
    head = b"" if kind == "glove" else f"{len(table)} {width}\n".encode()
    if kind == "binary":
        rows = [f"{word} ".encode() + struct.pack(f"<{width}f", *row) + b"\n" for word, row in table.items()]
    else:
        rows = [f"{word} {' '.join(map(repr, row))}\n".encode() for word, row in table.items()]
    content = head + b"".join(rows)
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def holds_vectors(kind: str, table: dict[str, list[float]]) -> bool:
    """Whether a file of this kind can hold these words.

    A damaged file may be of another kind than its name says; then a word may contain what separates words
    in this kind: line ends, in text also blanks (a tab counts as one). A binary file has a blank after a
    word, no line end before it, and words below 10,000 bytes. Control characters or bytes that are not
    UTF-8, among its first 4,096, mark it.
    """
    if not table:
        return False
    first = next(iter(table))
    if kind == "npz":
        return list(table) != [""] and not any("\n" in word for word in table)
    if kind == "binary":
        begin = f"{first} ".encode() + struct.pack(f"<{len(table[first])}f", *table[first]) + b"\n"
        plain = not any(" " in word or word.startswith("\n") for word in table)
        return plain and all(len(word.encode()) < 9_999 for word in table) and not _is_text(begin[:4096])
    if kind == "glove" and len(first.encode().split()) != 1:  # its fields say the width of all vectors
        return False
    return all(word and not re.search(r"[\n\t]", word) for word in table)


def _is_text(begin: bytes) -> bool:
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(begin)  # its last character may be cut
    except UnicodeDecodeError:
        return False
    return not re.search(r"[\x00-\x08\x0e-\x1f]", text)


@st.composite
def models(draw) -> s3.Model:
    name = draw(st.sampled_from(sorted(s3.MODELS)))
    features = tuple(
        draw(st.lists(st.sampled_from(sorted(s3.MODELS[name])), min_size=1, max_size=3, unique=True))
    )
    vectors = draw(st.integers(1, 3))
    small = st.floats(-1e6, 1e6)
    numbers = draw(st.lists(small, min_size=vectors * len(features), max_size=vectors * len(features)))
    return s3.Model(
        name,
        features,
        tuple(draw(texts) for _ in features),
        draw(st.floats(1e-3, 1e3)),
        draw(small),
        np.array(numbers).reshape(vectors, -1),
        np.array(draw(st.lists(small, min_size=vectors, max_size=vectors))),
        draw(st.dictionaries(texts, st.one_of(texts, st.integers(0, 9)), max_size=2)),
    )


def same_model(one: s3.Model, other: s3.Model) -> bool:
    return one.digest == other.digest and (one.name, one.features, one.trained) == (
        other.name,
        other.features,
        other.trained,
    )


frames = st.dictionaries(
    st.sampled_from(["Giving", "Motion", "Kin"]),
    st.lists(
        st.tuples(st.sampled_from(["give.v", "gift.n", "run.v", "hand over.v"]), st.integers(0, 99)),
        max_size=3,
    ),
    min_size=1,
)


def put_frames(path: Path, content: dict[str, list[tuple[str, int]]]) -> None:
    for number, (frame, units) in enumerate(content.items(), 100):
        body = "".join(unit(name, count, 10 * number + place) for place, (name, count) in enumerate(units))
        text = f'{HEAD}<frame {MADE} name="{frame}" ID="{number}" {NAMESPACE}>\n{body}</frame>\n'
        put(path, {f"frame/{frame}.xml": text})


# Articles and packages
# ---------------------

in_xml = st.one_of(
    plain_words, st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=["Cc"]))
)


@st.composite
def articles(draw) -> bytes:
    """JATS: what `jats.read_article` reads, with markup that it passes over."""
    text = in_xml.map(escape)
    paragraphs = "".join(
        f"<p>{draw(text)}<italic>{draw(text)}</italic></p>" for _ in range(draw(st.integers(1, 3)))
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "JATS.dtd">\n<article><front><article-meta>'
        f"<title-group><article-title>{draw(text)}</article-title></title-group>"
        f"<abstract><p>{draw(text)}</p></abstract></article-meta></front>"
        f"<body><sec><title>{draw(text)}</title>{paragraphs}<p>It ends.</p></sec></body></article>"
    ).encode()


packages = st.dictionaries(
    st.integers(1, 99).map("PMC{}".format),
    st.tuples(articles(), st.sampled_from(["no", "yes"])),
    min_size=1,
    max_size=3,
)
LIST_HEADER = (
    "Article File,Article Citation,AccessionID,LastUpdated (YYYY-MM-DD HH:MM:SS),PMID,License,Retracted\n"
)


def put_packages(path: Path, content: dict[str, tuple[bytes, str]]) -> None:
    name = "oa_comm_xml.PMC000xxxxxx.baseline.2024-12-18"
    rows = "".join(
        f'P/{id}.xml,"J. 1,2",{id},2024-12-01 10:00:00,,CC BY,{gone}\n' for id, (_, gone) in content.items()
    )
    members = [(f"P/{id}.xml", xml) for id, (xml, _) in content.items()]
    put(path, {f"{name}.tar.gz": archive(members), f"{name}.filelist.csv": LIST_HEADER + rows})


def read_packages(path: Path) -> list[records.Document]:
    out = path.with_name("extracted.jsonl")
    table = path.with_name("extracted.tsv")
    pmc_oa.write_extract(pmc_oa.packages(path), out, table)
    pmc_oa.unreadable_reasons(table)
    return records.read(out, records.Document)


# Indexes
# -------

collections = listed(st.builds(records.Document, a_name, plain_words), lambda each: each.id, least=1)


def put_index(path: Path, content: list[records.Document]) -> None:
    build_part(content, path, memory=10**6)


def search(path: Path) -> int:
    """Ask everything that an engine is asked."""
    engine = embedded.open_index(path)
    engine.search(["gene protein cell", "binds", ""], 5)
    engine.document_frequency(["gene", "gene protein", "cell binds mice"])
    engine.mean_idf()
    index_format.verify(path)
    return engine.documents


def search_signed(path: Path) -> int:
    """`search`, in an index whose manifest agrees with its files: as somebody makes it on purpose."""
    try:
        manifest = json.loads((path / "manifest.json").read_bytes())
        for name, facts in manifest["files"].items():
            content = (path / name).read_bytes()
            facts |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        manifest["fingerprint"] = hashlib.sha256(np.load(path / "digests.npy").tobytes()).hexdigest()
        (path / "manifest.json").write_text(json.dumps(manifest))
    except Exception:  # of what the damage left no sign can be made
        pass
    return search(path)


receipts = st.fixed_dictionaries(
    {
        "name": a_name,
        "format": st.just(server.ELASTICSEARCH.receipt_format),
        "version": st.just(server.RECEIPT_VERSION),
        "analyzer": st.just("english"),
        "mu": st.floats(0, 1e4),
        "fingerprint": digests,
        "documents": st.integers(0, 10**6),
        "mean_idf": st.floats(0, 10),
    }
)

# Benchmarks
# ----------


@st.composite
def benchmarks(draw) -> dict[str, Any]:
    """The records of a folder of one's own, of which each names the other's topics."""
    topics = draw(listed(a_name, str, least=1))
    systems = draw(listed(a_name, str, least=1))
    words = sentences.map(lambda texts: (*texts, "Word."))
    return {
        "sources": [
            records.Source(topic, f"a{place}", draw(texts), draw(sections))
            for place, topic in enumerate(topics)
        ],
        "references": [records.Reference(topic, draw(a_name), draw(words)) for topic in topics],
        "candidates": [
            records.Candidate(topic, system, draw(words)) for topic in topics for system in systems
        ],
        "nuggets": [records.Nugget(topic, "A", draw(texts)) for topic in topics],
        "documents": draw(collections),
        "judgements": [
            records.Judgement(topic, system, "content", draw(finite))
            for topic in topics
            for system in systems
        ],
    }


def put_benchmark(path: Path, content: dict[str, Any]) -> None:
    path.mkdir(parents=True, exist_ok=True)
    for name, of_kind in content.items():
        if name == "judgements":
            score_tables.write_judgements(path / "judgements.tsv", of_kind)
        else:
            records.write(path / f"{name}.jsonl", of_kind)


def read_benchmark(path: Path) -> dict[str, Any]:
    topics = folder.read(release=path)
    folder.judged(path)
    collected = folder.collection(path)
    return {
        "sources": [topic.source for topic in topics],
        "references": [each for topic in topics for each in topic.references],
        "candidates": [each for topic in topics for each in topic.candidates],
        "nuggets": [each for topic in topics for each in topic.nuggets],
        "documents": records.read(collected, records.Document) if collected else [],
        "judgements": [each for topic in topics for each in topic.judgements],
    }


lines_of = plain_words.map(lambda words: f"{words} word .")
parallel = st.tuples(st.lists(lines_of, min_size=2, max_size=3), listed(file_names, str, least=1))


def put_realsumm(path: Path, content: tuple[list[str], list[str]]) -> None:
    texts, systems = content
    text = "".join(f"{line}\n" for line in texts)
    files = {name: text for name in ("documents.txt", "references.txt")}
    files["ids.txt"] = "".join(f"d{number}\n" for number in range(len(texts)))
    files["SCUs.txt"] = "one unit\tanother\n" * len(texts)
    for system in systems:
        files |= {f"summaries/{system}.summary": text, f"labels/{system}.label": "1\t0\n" * len(texts)}
    put(path, files)


def put_tac(path: Path, citations: list[str]) -> None:
    topic = "release/data/D1401_TRAIN"
    files: dict[str, Any] = {
        f"{topic}/Documents_Text/Smith,A.txt": ARTICLE,
        f"{topic}/Documents_Text/O'Shea.txt": "It was cited [1]. \u201cNaïve\u201d".encode("cp1252"),
        "pyramid/annotations/d1401-A.ann": "T1\t0 3\tOne\nT2\t22 27\tThree\n#1\tNote T1\tno\n",
    }
    for letter in "ABCE":
        lines = [record(number, letter, " ".join(text.split())) for number, text in enumerate(citations, 1)]
        files[f"{topic}/Annotation/D1401_TRAIN.{letter}.ann.txt"] = "\n".join(lines)
        files[f"{topic}/Summary/D1401_TRAIN.{letter}.summary.txt"] = f"One by {letter} is here. Two.\n"
    put(path, files)


def read_tac(path: Path) -> list[Any]:
    tac2014.read_annotations(path / "release")
    return tac2014.read(release=path / "release", pyramids=path / "pyramid")


def put_nist(path: Path, texts: list[str]) -> None:
    topics = ["D0901-A", "D0901-B"]
    files = nist_summaries("UpdateSumm09_eval", topics, text="\n".join(texts))
    for letter in "AB":
        rows = [
            f"D0901-{letter}\t{peer}\t0.{peer}25\t3\t0\tF\t21\t0.2\t{peer + 4}\t{10 - peer}\n"
            for peer in range(3)
        ]
        files[f"UpdateSumm09_eval/manual/manual.peer.{letter}"] = "".join(rows)
        files[f"docs/files/D0901A/D0901A-{letter}/APW_1"] = NEWS
    put(path, files)


def put_see(path: Path, texts: list[str]) -> None:
    anchors = "".join(
        f"<a name={n}>[{n}]</a> <a href='#{n}' id={n}>{text}</a>\n" for n, text in enumerate(texts)
    )
    files = {"short.results.table": ""}
    for of_set in ("D061", "D062"):
        files[f"models/{of_set}.M.100.J.A.html"] = "<html>\n<a id=0>Rain fell.</a>\n</html>\n"
        for peer in range(3):
            files[f"peers/{of_set}.M.100.J.{peer}.html"] = f"<html>\n{anchors}</html>\n"
            row = [of_set, "M", "-", "100", *"xxxx", str(peer), *["0"] * 18, f"0.{peer}25", *["0"] * 5]
            files["short.results.table"] += "\t".join(row) + "\n"
    put(path, files)


def read_nist(path: Path) -> list[Any]:
    nist.judged(path)
    return nist.read(release=path)


# Settings
# --------

settings = st.fixed_dictionaries(
    {},
    optional={
        "words": st.integers(1, 500),
        "cutoffs": st.lists(st.integers(1, 20), min_size=1, max_size=3, unique=True),
        "seed": st.integers(0, 9),
        "systems": st.lists(st.sampled_from(["luhn", "kl", "lsa"]), min_size=1, unique=True),
        "depth": st.integers(100, 200),
    },
)


def put_settings(path: Path, content: dict[str, Any]) -> None:
    defaults = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    path.write_text(yaml.safe_dump({**defaults, **content}, allow_unicode=True), encoding="utf-8")


def read_settings(path: Path) -> dict[str, Any]:
    """The settings as the workflow takes them."""
    from study.settings import checks
    from study.settings import settings as study_settings

    schema = study_settings.read_settings(ROOT / "schemas/config.schema.yaml")
    config = study_settings.with_defaults(study_settings.read_settings(path), schema)
    checks.check_settings(config, ROOT / "schemas/config.schema.yaml")
    return config


jobs = st.lists(st.tuples(st.floats(0, 1e4), st.floats(0, 1e4), st.floats(0, 1e4)), min_size=1, max_size=3)


def put_jobs(path: Path, rows: list[tuple[float, ...]]) -> None:
    table = pd.DataFrame(rows, columns=["s", "cpu_time", "max_rss"]).to_csv(sep="\t", index=False)
    put(path, {"summarize/luhn.tsv": table, "report.tsv": table})


# Readers
# -------


def always(_: Any) -> bool:
    return True


def never(_: Any) -> bool:
    return False


@dataclass(frozen=True)
class Reader:
    """One way in which a file or folder is read.

    ``file`` is what it is called, ``values`` what it may hold, ``write`` puts a value there, ``read`` reads
    it. ``same`` says whether what was read is what was written; None where the two are of other shapes.
    ``again`` says whether what was read, from a damaged file too, can be written.
    """

    name: str
    file: str
    values: st.SearchStrategy
    write: Callable[[Path, Any], object]
    read: Callable[[Path], Any]
    same: Callable[[Any, Any], bool] | None = None
    again: Callable[[Any], bool] = always

    def __str__(self) -> str:
        return self.name


def equal(one: Any, other: Any) -> bool:
    return one == other


def same_table(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    return list(one.columns) == list(other.columns) and all(
        np.array_equal(one[column], other[column], equal_nan=True)
        if column == "score"
        else one[column].tolist() == other[column].tolist()
        for column in one.columns
    )


_is_numeric = pd.api.types.is_numeric_dtype


def same_up_to_digits(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    return list(one.columns) == list(other.columns) and all(
        (one[column].tolist() == other[column].tolist())
        if not (_is_numeric(one[column]) and _is_numeric(other[column]))
        else np.allclose(one[column], other[column], atol=1e-6, equal_nan=True)
        for column in one.columns
    )


def _of(kind: type) -> Callable[[Path], list[Any]]:
    return partial(records.read, kind=kind)


def _jsonl(name: str, one: st.SearchStrategy, kind: type, ending: str = "jsonl") -> Reader:
    return Reader(name, f"{name}.{ending}", listed(one), records.write, _of(kind), equal)


def _vectors(kind: str, file: str) -> Reader:
    def read(path: Path) -> dict[str, list[float]]:
        found = word_vectors.read(path)
        return dict(zip(found.words, found.matrix.tolist(), strict=True))

    return Reader(
        f"vectors-{kind}-{file}",
        file,
        word_tables(),
        partial(put_vectors, kind),
        read,
        equal,
        again=partial(holds_vectors, kind),
    )


def _read_expected(path: Path) -> tuple[pd.DataFrame, Any, str]:
    found = verdicts.read_expected(path)
    return found.table, found.settings, found.data


def _by_name(files: list[pmc_oa_download.PackageFile]) -> list[pmc_oa_download.PackageFile]:
    return sorted(files, key=lambda each: each.file)


def _read_runs(path: Path) -> dict[str, list[Hit]]:
    return {query: [Hit(document, 0.0) for document in found] for query, found in runs.read_run(path).items()}


def _same_ranks(one: dict[str, list[Hit]], other: dict[str, list[Hit]]) -> bool:
    return [(query, [hit.document for hit in found]) for query, found in one.items()] == [
        (query, [hit.document for hit in found]) for query, found in other.items()
    ]


def _same_count(one: list[records.Document], other: int) -> bool:
    return len(one) == other


def _audit(path: Path) -> pd.DataFrame:
    pairs = audit.read_pairs(path)
    return audit.audit({"table": pairs}, audit.digits_of(pairs))


def _write_text(path: Path, text: str | bytes) -> None:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def _put_runs(path: Path, content: dict[str, list[Hit]]) -> None:
    runs.write_run(path, content.items(), tag="embedded")


def _put_pairs(path: Path, pairs: list[audit.Pair]) -> None:
    rows = [(p.metric, p.against, p.spearman, p.kendall) for p in pairs]
    put(
        path.parent,
        {
            path.name: "".join(
                "\t".join(row) + "\n" for row in [("metric", "against", "spearman", "kendall"), *rows]
            )
        },
    )


def _put_published(path: Path, table: pd.DataFrame) -> None:
    put(path.parent, {path.name: "# as printed\n" + table.to_csv(sep="\t", index=False, quoting=3)})


def _put_texts(path: Path, content: dict[str, list[str]]) -> None:
    put(path, {f"{topic}.txt": "\n".join(lines) for topic, lines in content.items()})


def _put_receipt(path: Path, receipt: dict[str, Any]) -> None:
    put(path, {"manifest.json": json.dumps(receipt)})


READERS = [
    _jsonl("candidates", candidates, records.Candidate),
    _jsonl("references", references, records.Reference),
    _jsonl("sources", sources, records.Source),
    _jsonl("citances", citances, records.Citance),
    _jsonl("nuggets", nuggets, records.Nugget),
    _jsonl("documents", documents, records.Document, "jsonl.gz"),
    _jsonl("queries", queries, records.Query),
    Reader(
        "truth",
        "truth.jsonl",
        listed(truths, lambda t: t.topic),
        records.write,
        lambda path: list(demo_truth.read_truth(path).values()),
        equal,
    ),
    Reader("selection", "selection.jsonl.gz", left_out, pmc_oa.write_selection, pmc_oa.read_selection, equal),
    Reader("scores", "scores.tsv", scores, score_tables.write_scores, score_tables.read_scores, same_table),
    Reader(
        "judgements",
        "judgements.tsv",
        judgements,
        score_tables.write_scores,
        score_tables.read_judgements,
        same_table,
    ),
    Reader("results", "correlations.tsv", correlations, tables.write_tsv, tables.read_tsv, same_up_to_digits),
    Reader(
        "expected",
        "demo.tsv",
        expected,
        lambda path, value: verdicts.write_expected(path, *value),
        _read_expected,
        lambda one, other: same_up_to_digits(one[0], other[0]) and one[1] == other[1],
    ),
    Reader(
        "published",
        "table2.tsv",
        correlations,
        _put_published,
        paper.read_published,
        same_up_to_digits,
        again=never,
    ),
    Reader(
        "published-s3",
        "s3.tsv",
        correlations.map(lambda t: t.assign(dataset="tac2008")),
        _put_published,
        lambda path: paper.read_published_s3(path, "tac2008"),
    ),
    Reader("audit", "table.tsv", audited, _put_pairs, _audit),
    Reader("run", "plain.trec", rankings, _put_runs, _read_runs, _same_ranks),
    Reader("checksums", "inputs.tsv", checked_files, checksums.write_files, checksums.read_files, equal),
    Reader(
        "packages-table",
        "packages.tsv",
        package_files,
        pmc_oa_download.write_catalogue,
        pmc_oa_download.read_catalogue,
        lambda one, other: _by_name(one) == _by_name(other),  # it is written by name
    ),
    Reader(
        "candidates-folder",
        "mine",
        st.dictionaries(
            file_names, st.lists(plain_words.map("{}.".format), min_size=1), min_size=1, max_size=3
        ),
        _put_texts,
        lambda path: read_candidates(path, "mine", [file.stem for file in sorted(path.glob("*.txt"))]),
    ),
    Reader("index", "index", collections, put_index, search, _same_count, again=never),
    Reader("index-signed", "index", collections, put_index, search_signed, _same_count, again=never),
    Reader("index-count", "index", collections, put_index, documents_in, _same_count, again=never),
    Reader("receipt", "receipt", receipts, _put_receipt, server.open_elasticsearch),
    Reader("own-benchmark", "mine", benchmarks(), put_benchmark, read_benchmark, equal),
    Reader("realsumm", "realsumm", parallel, put_realsumm, lambda path: realsumm.read(release=path)),
    Reader(
        "tac2014",
        "tac",
        st.lists(plain_words.map("It was {}.".format), min_size=1, max_size=3),
        put_tac,
        read_tac,
    ),
    Reader("nist", "nist", st.lists(lines_of, min_size=1, max_size=3), put_nist, read_nist),
    Reader("nist-see", "nist", st.lists(lines_of, min_size=1, max_size=3), put_see, read_nist),
    Reader(
        "jats",
        "article.xml",
        articles(),
        _write_text,
        lambda path: jats.read_article(read_bytes(path), "PMC1", figures=True),
    ),
    Reader("packages", "packages", packages, put_packages, read_packages),
    Reader("s3-model", "model.json", models(), lambda path, model: model.save(path), s3.load, same_model),
    Reader(
        "s3-pickle",
        "model.pkl",
        st.lists(st.floats(-1e6, 1e6), min_size=12, max_size=12),
        lambda path, numbers: put(
            path.parent, {path.name: pickled(support_vectors_=array([2, 6], *numbers))}
        ),
        lambda path: released.convert(path, "S3-pyr-released").support_vectors.ravel().tolist(),
        equal,
    ),
    _vectors("text", "vectors.txt"),
    _vectors("text", "vectors.vec.gz"),
    _vectors("glove", "glove.txt"),
    _vectors("binary", "vectors.bin"),
    _vectors("binary", "vectors.bin.gz"),
    _vectors("npz", "vectors.npz"),
    Reader("framenet", "fndata-1.7", frames, put_frames, FrameNet),
    Reader("settings", "config.yaml", settings, put_settings, read_settings),
    Reader("run-times", "benchmarks", jobs, put_jobs, run_times),
]
