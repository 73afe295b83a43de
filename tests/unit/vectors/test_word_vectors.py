"""Word vectors: learnt from an index beside dense linear algebra, read from every format, and damaged."""

import gzip
import os
import random
import re
import struct
import subprocess
import sys

import numpy as np
import pytest

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval.index import build_part
from sera.vectors.learning import learn
from sera.vectors.word_vectors import WordVectors, read

WORDS = ["kinase", "Cell", "naïve"]
ROWS = [[1.0, -0.5], [0.25, 2.0], [3.0, 1e-3]]
TEXT = "kinase 1.0 -0.5\nCell 0.25 2.0\nnaïve 3.0 1e-3\n"


def binary(words=WORDS, rows=ROWS, count=None, end="\n"):
    head = f"{count or len(words)} {len(rows[0])}\n".encode()
    return head + b"".join(
        word.encode() + b" " + struct.pack(f"<{len(row)}f", *row) + end.encode()
        for word, row in zip(words, rows)
    )


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        b"3 2\n" + TEXT.encode(),
        b"3 2\n" + TEXT.replace("\n", " \n").encode(),  # fastText
        TEXT.replace(" ", "\t").replace("\n", "\r\n").encode(),
        gzip.compress(b"3 2\n" + TEXT.encode(), mtime=0),
        binary(),
        binary(end=""),
        gzip.compress(binary(), mtime=0),
    ],
    ids=["GloVe", "word2vec", "fastText", "tabs", "gzip", "binary", "binary, no line ends", "binary, gzip"],
)
def test_every_format(tmp_path, content):
    path = tmp_path / "vectors"
    path.write_bytes(content)
    found = read(path)
    assert (found.words, found.width) == (["kinase", "cell", "naïve"], 2)
    assert np.array_equal(found.matrix, np.array(ROWS, np.float32))
    assert found.rows(["naïve", "ship", "cell"]).tolist() == [2, -1, 1]
    assert re.fullmatch("vectors#[0-9a-f]{8}", found.name)
    some = read(path, ["cell", "ship"])
    assert (some.words, some.matrix.tolist(), some.name) == (["cell"], [ROWS[1]], found.name)


def test_words_of_files(tmp_path):
    path = tmp_path / "vectors"
    path.write_text("US 1 1\nus 2 2\nUs 3 3\nus 4 4\nMAPK 5 5\nMapk 6 6\n")
    found = read(path)
    assert dict(zip(found.words, found.matrix[:, 0].tolist())) == {"us": 2, "mapk": 5}
    # words of glove may have blanks
    path.write_text("the 1 2\n. . . 3 4\nat name@x.org 5 6\n")
    assert read(path).words == ["the", ". . .", "at name@x.org"]


@pytest.mark.parametrize(
    "content, problem",
    [
        (b"a 1 2\nb 1 2 3\n", "line 2: is not a word and 2 numbers"),
        (b"a 1 2\nb 1 x\n", "line 2: the vector of 'b' holds a value that is not"),
        (b"a 1 2\nb\xff 1 2\n", "line 2: is not UTF-8 text"),
        (b"PK\x03\x04" + b"\0" * 100, "is not a file of word vectors, or damaged"),
        (b"3 2\na 1 2\nb 1 2\n", "has 2 vectors, and its first line says 3"),
        (binary()[:-6], "ends, or is damaged, at vector 3 of 3"),
        (binary(rows=[[1, 2], [1, float("nan")], [1, 2]]), "the vector of 'Cell' holds a value that is not"),
        (struct.pack("<ii", 793712314, 12) + b"\0" * 90, "is a model of fastText. Name its vectors"),
    ],
)
def test_damaged_files_are_told(tmp_path, content, problem):
    path = tmp_path / "vectors"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(f"{path}") + "[:,] " + re.escape(problem)):
        read(path)


def test_files_and_the_words_of_the_texts(tmp_path):
    (tmp_path / "vectors").write_text(TEXT)
    with pytest.raises(InputError, match="has no vector of any word of the texts"):
        read(tmp_path / "vectors", ["ship"])
    with pytest.raises(InputError, match="there is no such file; expected word vectors"):
        read(tmp_path / "none")
    assert read(tmp_path / "vectors", ["naïve"]).words == ["naïve"]


# Learnt


def documents(count=60, seed=0, words=40):
    draw = random.Random(seed)
    names = [f"w{chr(97 + n // 10)}{chr(97 + n % 10)}" for n in range(words)]
    # neighbours in the list go together
    texts = []
    for _ in range(count):
        start = draw.randrange(words)
        text = [names[(start + draw.randrange(6)) % words] for _ in range(30)]
        text[5] = "the"
        texts.append(" ".join(text))
    return [Document(f"d{number}", text) for number, text in enumerate(texts)]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vectors") / "index"
    build_part(documents(), folder)
    return folder


def test_learnt_vectors_beside_dense_linear_algebra(index, fidelity):
    found = learn(index, width=8, window=3, minimum=5)
    names = found.words
    number = {name: n for n, name in enumerate(names)}
    counts = np.zeros((len(names), len(names)))
    for document in documents():
        words = document.text.split()
        for here, word in enumerate(words):
            for there in range(max(0, here - 3), min(len(words), here + 4)):
                # a stop word takes a position and has no vector
                if there != here and word in number and words[there] in number:
                    counts[number[word], number[words[there]]] += 1
    smoothed = counts.sum(axis=0) ** 0.75
    with np.errstate(divide="ignore"):
        ppmi = np.log(counts * smoothed.sum() / (counts.sum(axis=1)[:, None] * smoothed))
    left, singular, _ = np.linalg.svd(np.maximum(ppmi, 0))
    wanted = left[:, :8] * np.sqrt(singular[:8])
    wanted /= np.linalg.norm(wanted, axis=1)[:, None]
    assert len(names) == 40 and found.matrix.shape == (40, 8)
    assert np.allclose(found.matrix @ found.matrix.T, wanted @ wanted.T, atol=1e-4)
    of, on = "word vectors that are learnt", "cosines of made-up words"
    fidelity(of, on, len(names) ** 2, "numpy's decomposition of dense counts", "to 1e-4")


def test_the_same_bytes_on_one_core_and_on_two(tmp_path, index):
    code = "import sys; from sera.vectors.learning import learn; "
    code += "learn(sys.argv[1], width=20).save(sys.argv[2])"
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        arguments = [sys.executable, "-c", code, str(index), str(tmp_path / threads)]
        subprocess.run(arguments, env=environment, check=True)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_of_a_large_index_every_so_many_documents_are_sampled(tmp_path, index):
    both = []
    for document in documents():
        both += [document, Document(f"{document.id}x", "of " * len(document.text.split()))]
    build_part(both, tmp_path / "both")
    # 3,600 positions: every second document, and those between hold stop words alone
    sampled = learn(tmp_path / "both", width=8, sample=1800)
    assert np.array_equal(sampled.matrix, learn(index, width=8).matrix)
    assert not np.array_equal(sampled.matrix, learn(index, width=8, sample=900).matrix)


def test_words_of_one_stem_have_one_vector_unless_the_index_has_words(tmp_path, index):
    texts = [Document(f"d{n}", "kinases bind proteins near a membrane kinase " * 5) for n in range(3)]
    build_part(texts, tmp_path / "stems")
    stems = learn(tmp_path / "stems", width=2, window=2)
    assert stems.row("kinases") == stems.row("kinase") == stems.words.index("kinas")
    assert stems.row("a") == stems.row("ship") == -1
    build_part(texts, tmp_path / "words", analyzer="standard")
    words = learn(tmp_path / "words", width=2, window=2)
    assert words.row("kinases") != words.row("kinase") and words.row("a") >= 0
    few = "40 terms occur 5 times or more, too few for vectors of 100 numbers"
    with pytest.raises(InputError, match=few):
        learn(index)


# What is saved


def test_learnt_vectors_are_saved_and_read(index, tmp_path):
    learnt = learn(index, width=8)
    learnt.save(tmp_path / "v.npz")
    again = read(tmp_path / "v.npz", ["passed", "over"])
    assert again.words == learnt.words and np.array_equal(again.matrix, learnt.matrix)
    assert (again.name, again.analyzer, again.about) == (learnt.name, "english", learnt.about)
    assert learnt.about["settings"]["width"] == 8
    WordVectors([], np.zeros((0, 1))).save(tmp_path / "none.npz")
    assert read(tmp_path / "none.npz").words == []
