"""What files may hold, as strategies of Hypothesis; and `READERS`, every way in which a file is read.

A new reader gets all tests of `test_properties` by one line of `READERS`.
"""

import gzip
import math
import struct
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from operator import eq
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd
import releases
from conftest import ROOT
from hypothesis import strategies as st
from made_scores import put_table
from pmc_packages import HEADER
from releases import framenet, put

from sera import names
from sera.benchmarks import folder, nist, realsumm, tac2014
from sera.corpora import jats
from sera.corpora.articles import write_extract
from sera.errors import InputError
from sera.io import records
from sera.io import scores as score_tables
from sera.io.files import read_bytes
from sera.metrics.frames import FrameNet
from sera.metrics.s3 import model as s3
from sera.retrieval import runs
from sera.retrieval.engines import Hit
from sera.vectors import word_vectors
from study.demo.file_formats import archive
from study.published import audit
from study.settings import checks
from study.settings import settings as study_settings
from study.workflow.own_summaries import read_candidates

# Texts and names
# ---------------

HARD = [
    *r"""" a"b'c | a|b $HOME # {x} {0} * <b>&amp; a,b \n %20 %2520 NA nan None undefined null""".split(),
    *"007 1e5 1_0 - true =1+1 human_A Q0 ../x ~ `ls` $(ls) ſ İ ß constructor é 名前 🧪".split(),
    *("a b", "a #b", "e\u0301", "\u0645\u0644\u062e\u0635", "a\u200bb", "\u0660", "\u0301", "\ufffd"),
    *("\U0010ffff", "x" * 300),
]
"""Names that may be, each of which some program once took for something else."""

texts = st.text(max_size=60)


def is_name(text: str) -> bool:
    """Whether a text may be a name; what this says is checked against literal expectations."""
    try:
        return names.check("name", text) == text
    except InputError:
        return False


a_name = st.one_of(st.sampled_from(HARD), st.text(min_size=1, max_size=12).filter(is_name))
finite = st.floats(-1e303, 1e303)  # what a score may be
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


def a_record(kind: type) -> st.SearchStrategy:
    """A record with all of its fields."""
    types = typing.get_type_hints(kind)
    return st.builds(kind, *(_a_field(field.name, types[field.name]) for field in fields(kind)))


def _a_field(name: str, kind: Any) -> st.SearchStrategy:
    if kind is str:
        return a_name if name in records.NAMES else texts
    if kind is int:
        return st.integers(0, 9)
    item, _ = typing.get_args(kind)  # of tuple[item, ...]
    return sentences if item is str else st.lists(a_record(item), max_size=2).map(tuple)


# Tables
# ------


def frame(columns: Sequence[str], numbers: st.SearchStrategy) -> st.SearchStrategy:
    """A table of three columns of names and one of numbers, each three names once."""
    rows = listed(st.tuples(a_name, a_name, a_name, numbers), lambda row: row[:3], least=1)
    return rows.map(lambda rows: pd.DataFrame(rows, columns=list(columns)).astype({"score": float}))


scores = frame(score_tables.SCORE_COLUMNS, st.one_of(finite, st.just(math.nan)))
judgements = frame(score_tables.JUDGEMENT_COLUMNS, finite)
printed = st.one_of(
    st.floats(-1, 1).map("{:.3f}".format),
    st.sampled_from(["", "nan", "undefined", "1", "-1.000", "\N{MINUS SIGN}0.5", ".25", "5e-1"]),
)
audited = st.lists(st.builds(audit.Pair, a_name, a_name, printed, printed), min_size=1, max_size=4)
rankings = st.dictionaries(a_name, listed(a_name, str, least=1), max_size=4)


def same_table(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    one, other = one.reset_index(drop=True), other.reset_index(drop=True)
    pd.testing.assert_frame_equal(one, other, check_dtype=False, check_categorical=False, rtol=0, atol=0)
    return True


def put_pairs(path: Path, pairs: list[audit.Pair]) -> None:
    rows = [(pair.metric, pair.against, pair.spearman, pair.kendall) for pair in pairs]
    put_table(path, "metric against spearman kendall", *rows)


def read_pairs(path: Path) -> pd.DataFrame:
    pairs = audit.read_pairs(path)
    return audit.audit({"table": pairs}, audit.digits_of(pairs))


def put_run(path: Path, ranked: dict[str, list[str]]) -> None:
    hits = ((query, [Hit(each, float(-rank)) for rank, each in enumerate(ranked[query])]) for query in ranked)
    runs.write_run(path, hits, tag="embedded")


# Vectors, models, frames
# -----------------------

vector_words = st.text(st.characters(categories=["L", "M", "P", "S"]), min_size=1, max_size=8).map(str.lower)
word_tables = st.integers(2, 4).flatmap(
    lambda width: st.dictionaries(
        vector_words,
        st.lists(st.floats(-1e3, 1e3, width=32), min_size=width, max_size=width),
        min_size=1,
        max_size=4,
    )
)


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


def read_vectors(path: Path) -> dict[str, list[float]]:
    found = word_vectors.read(path)
    return dict(zip(found.words, found.matrix.tolist(), strict=True))


s3_model = s3.Model(
    name="S3-best",
    features=tuple(sorted(s3.MODELS["S3-best"])[:2]),
    settings=("a setting|\u2028", ""),
    gamma=0.5,
    intercept=-1e6,
    support_vectors=np.array([[0.1, 1e-300], [-2.5, 1e6]]),
    coefficients=np.array([1 / 3, -1.0]),
    trained={"a": 1},
)


def same_model(one: s3.Model, other: s3.Model) -> bool:
    return (one.digest, one.features, one.trained) == (other.digest, other.features, other.trained)


# Articles and packages
# ---------------------

in_xml = st.one_of(
    plain_words, st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=["Cc"]))
).map(escape)


def an_article(title: str, abstract: str, heading: str, paragraphs: list[str]) -> bytes:
    """JATS: what `jats.read_article` reads, with markup that it passes over."""
    body = "".join(f"<p>{text}<italic>{text}</italic></p>" for text in paragraphs)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "JATS.dtd">\n<article><front><article-meta>'
        f"<title-group><article-title>{title}</article-title></title-group>"
        f"<abstract><p>{abstract}</p></abstract></article-meta></front>"
        f"<body><sec><title>{heading}</title>{body}<p>It ends.</p></sec></body></article>"
    ).encode()


articles = st.builds(an_article, in_xml, in_xml, in_xml, st.lists(in_xml, min_size=1, max_size=3))


def read_jats(path: Path) -> records.Document:
    return jats.read_article(read_bytes(path), "PMC1", figures=True)


packages = st.dictionaries(
    st.integers(1, 99).map("PMC{}".format),
    st.tuples(articles, st.sampled_from(["no", "yes"])),
    min_size=1,
    max_size=3,
)


def put_packages(path: Path, content: dict[str, tuple[bytes, str]]) -> None:
    name = "oa_comm_xml.PMC000xxxxxx.baseline.2024-12-18"
    rows = "".join(
        f'P/{id}.xml,"J. 1,2",{id},2024-12-01 10:00:00,,CC BY,{gone}\n' for id, (_, gone) in content.items()
    )
    members = [(f"P/{id}.xml", xml) for id, (xml, _) in content.items()]
    put(path, {f"{name}.tar.gz": archive(members), f"{name}.filelist.csv": HEADER + rows})


def read_packages(path: Path) -> list[records.Document]:
    out = path.with_name("extracted.jsonl")
    table = path.with_name("extracted.tsv")
    write_extract([path], out, table)
    return records.read(out, records.Document)


# Benchmarks
# ----------


def put_benchmark(path: Path, text: str) -> None:
    section = records.Section("Results", (text,))
    kinds = {
        "sources": [records.Source(topic, "a", text, (section,)) for topic in "tu"],
        "references": [records.Reference(topic, "A", (text,)) for topic in "tu"],
        "candidates": [records.Candidate(topic, system, (text,)) for topic in "tu" for system in "xy"],
        "nuggets": [records.Nugget("t", "A", text)],
        "documents": [records.Document("d", text)],
    }
    for kind, found in kinds.items():
        records.write(path / f"{kind}.jsonl", found)
    judged = [records.Judgement(topic, system, "content", 0.5) for topic in "tu" for system in "xy"]
    score_tables.write_judgements(path / "judgements.tsv", judged)


def read_benchmark(path: Path) -> object:
    folder.judged(path)
    folder.collection(path)
    return folder.read(release=path)


def read_tac(path: Path) -> object:
    tac2014.read_annotations(path / "release")
    return tac2014.read(release=path / "release", pyramids=path / "pyramid")


def read_nist(path: Path) -> object:
    nist.judged(path)
    return nist.read(release=path)


# Settings and what the study writes
# ----------------------------------


def read_settings(path: Path) -> dict[str, Any]:
    """The settings as the workflow takes them."""
    schema = study_settings.read_settings(ROOT / "schemas/config.schema.yaml")
    config = study_settings.with_defaults(study_settings.read_settings(path), schema)
    checks.check_settings(config, ROOT / "schemas/config.schema.yaml")
    return config


own_texts = st.dictionaries(
    file_names, st.lists(plain_words.map("{}.".format), min_size=1), min_size=1, max_size=3
)


def read_texts(path: Path) -> list[records.Candidate]:
    return read_candidates(path, "mine", [file.stem for file in sorted(path.glob("*.txt"))])


def put_texts(path: Path, content: dict[str, list[str]]) -> None:
    put(path, {f"{topic}.txt": "\n".join(texts) for topic, texts in content.items()})


# Readers
# -------


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
    again: Callable[[Any], bool] = lambda value: True

    def __str__(self) -> str:
        return self.name


def _records(file: str, kind: type) -> Reader:
    read = partial(records.read, kind=kind)
    return Reader(file.partition(".")[0], file, listed(a_record(kind)), records.write, read, eq)


def _table(name: str, file: str, values: st.SearchStrategy, read: Callable[[Path], Any]) -> Reader:
    return Reader(name, file, values, score_tables.write_scores, read, same_table)


def _vectors(kind: str, file: str) -> Reader:
    put = partial(put_vectors, kind)
    return Reader(f"vectors-{kind}-{file}", file, word_tables, put, read_vectors, eq, lambda _: False)


def _release(name: str, content: dict, read: Callable[[Path], Any], file: str = "release") -> Reader:
    return Reader(name, file, st.just(content), put, read)


CONFIG = ROOT / "config.yaml"
FRAMES = {"Giving": [("give.v", 20), ("gift.n", 3), ("hand over.v", 9)], "Motion": [("run.v", 8)], "Kin": []}
READERS = [
    _records("candidates.jsonl", records.Candidate),
    _records("references.jsonl", records.Reference),
    _records("sources.jsonl", records.Source),
    _records("citances.jsonl", records.Citance),
    _records("nuggets.jsonl", records.Nugget),
    _records("documents.jsonl.gz", records.Document),
    _records("queries.jsonl", records.Query),
    _table("scores", "scores.tsv", scores, score_tables.read_scores),
    _table("judgements", "judgements.tsv", judgements, score_tables.read_judgements),
    Reader("audit", "table.tsv", audited, put_pairs, read_pairs),
    Reader("run", "plain.trec", rankings, put_run, runs.read_run, eq),
    Reader("candidates-folder", "mine", own_texts, put_texts, read_texts),
    Reader("own-benchmark", "mine", plain_words.map("{} word.".format), put_benchmark, read_benchmark),
    _release("realsumm", releases.REALSUMM, lambda path: realsumm.read(release=path)),
    _release("tac2014", releases.tac2014(), read_tac),
    _release("nist", releases.tac2009(), read_nist),
    _release("nist-see", releases.duc2002(), read_nist),
    Reader("jats", "article.xml", articles, Path.write_bytes, read_jats),
    Reader("packages", "packages", packages, put_packages, read_packages),
    Reader("s3-model", "model.json", st.just(s3_model), lambda path, of: of.save(path), s3.load, same_model),
    _vectors("text", "vectors.txt"),
    _vectors("text", "vectors.vec.gz"),
    _vectors("glove", "glove.txt"),
    _vectors("binary", "vectors.bin"),
    _vectors("binary", "vectors.bin.gz"),
    _vectors("npz", "vectors.npz"),
    _release("framenet", framenet(FRAMES), FrameNet, "fndata-1.7"),
    Reader("settings", "config.yaml", st.just(CONFIG.read_bytes()), Path.write_bytes, read_settings),
]
