"""Build or search an index with one engine, and print time and memory as one line of JSON.

    python measure.py ENGINE build DOCUMENTS FOLDER COUNT [FIRST]
    python measure.py embedded merge FOLDER PART...
    python measure.py ENGINE search QUERIES FOLDER K RANKINGS
    python measure.py ENGINE extract FILES

Each step runs in its own process. Seconds are processor seconds of the whole process, so other work on the
machine has little effect. Building includes reading the documents; searching does not include opening the
index, whose seconds (with checking every byte, if it is new, and a first query) are given apart.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any


def lines(path: str, count: int, first: int) -> Iterator[tuple[str, str]]:
    with open(path, encoding="utf-8", newline="\n") as stream:
        for line in islice(stream, first, first + count):
            id, text = line.rstrip("\n").split("\t", 1)
            yield id, text


# Each engine has build(documents, folder) and search(queries, folder, k). The latter opens the index, yields
# once, and then yields a list of (document, score) for each query.


class Embedded:
    def build(self, documents: Iterable[tuple[str, str]], folder: str) -> None:
        from sera.io.records import Document
        from sera.retrieval.engines.index_building import build_part

        build_part((Document(id, text) for id, text in documents), folder)

    def search(self, queries: list[str], folder: str, k: int):
        from sera.retrieval.engines.embedded import open_index

        engine = open_index(folder)
        engine.search(queries[:1], k)
        yield
        yield from engine.search(queries, k)


class EmbeddedOneByOne(Embedded):
    def search(self, queries: list[str], folder: str, k: int):
        from sera.retrieval.engines.embedded import open_index

        engine = open_index(folder)
        engine.search(queries[:1], k)
        yield
        for query in queries:
            yield engine.search([query], k)[0]


class Bm25s:
    """bm25s with its own tokenizer and English stop words, without a stemmer."""

    def build(self, documents: Iterable[tuple[str, str]], folder: str) -> None:
        import bm25s

        tokens = bm25s.tokenize([text for _, text in documents], stopwords="en", show_progress=False)
        retriever = bm25s.BM25()
        retriever.index(tokens, show_progress=False)
        retriever.save(folder)

    def search(self, queries: list[str], folder: str, k: int):
        import bm25s

        retriever = bm25s.BM25.load(folder, mmap=True)
        one = bm25s.tokenize(queries[:1], stopwords="en", show_progress=False)
        retriever.retrieve(one, k=k, show_progress=False)
        yield
        tokens = bm25s.tokenize(queries, stopwords="en", show_progress=False)
        documents, scores = retriever.retrieve(tokens, k=k, show_progress=False)
        for row in zip(documents.tolist(), scores.tolist()):
            yield list(zip(*row))


class Tantivy:
    """tantivy with the analyzer `en_stem`: lower case, Snowball stems and, as in the others, positions."""

    def build(self, documents: Iterable[tuple[str, str]], folder: str) -> None:
        import tantivy

        schema = tantivy.SchemaBuilder()
        schema.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
        schema.add_text_field("text", tokenizer_name="en_stem", index_option="position")
        os.makedirs(folder)
        index = tantivy.Index(schema.build(), path=folder)
        writer = index.writer(heap_size=256 * 2**20, num_threads=1)
        for id, text in documents:
            writer.add_document(tantivy.Document(id=id, text=text))
        writer.commit()
        writer.wait_merging_threads()

    def search(self, queries: list[str], folder: str, k: int):
        import tantivy

        index = tantivy.Index.open(folder)
        searcher = index.searcher()
        yield
        for query in queries:
            hits = searcher.search(index.parse_query_lenient(query, ["text"])[0], k, count=False).hits
            yield [(searcher.doc(address)["id"][0], score) for score, address in hits]


ENGINES: dict[str, Any] = {
    "embedded": Embedded,
    "embedded-single": EmbeddedOneByOne,
    "bm25s": Bm25s,
    "tantivy": Tantivy,
}


def extract(engine: str, files: list[str]) -> None:
    if engine == "embedded":
        from sera.corpora import jats

        for file in files:
            jats.read_article(Path(file).read_bytes(), file)
    else:
        import pubmed_parser

        for file in files:
            pubmed_parser.parse_pubmed_xml(file)
            pubmed_parser.parse_pubmed_paragraph(file, all_paragraph=True)


class Peak(threading.Thread):
    """The peak of resident memory without mapped files, in bytes, sampled every 5 ms."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.bytes = 0
        self.start()

    def run(self) -> None:
        while True:
            with open("/proc/self/status", encoding="ascii") as status:
                anonymous = next((line for line in status if line.startswith("RssAnon")), "RssAnon: 0 kB")
            self.bytes = max(self.bytes, int(anonymous.split()[1]) * 1024)
            time.sleep(0.005)


def main() -> None:
    engine, step, *rest = sys.argv[1:]
    peak = Peak()
    begin, opening = time.process_time(), 0.0
    if step == "build":
        count, first = int(rest[2]), int(rest[3]) if len(rest) > 3 else 0
        ENGINES[engine]().build(lines(rest[0], count, first), rest[1])
    elif step == "merge":
        from sera.retrieval.engines.index_building import merge

        merge(rest[1:], rest[0])
    elif step == "search":
        texts = Path(rest[0]).read_text(encoding="utf-8").split("\n")[:-1]
        search = ENGINES[engine]().search(texts, rest[1], int(rest[2]))
        next(search)
        opening = time.process_time() - begin
        begin = time.process_time()
        rankings = list(search)
        seconds = time.process_time() - begin
        with open(rest[3], "w", encoding="utf-8", newline="\n") as out:
            out.writelines("".join(f"{id} {score!r}\t" for id, score in hits) + "\n" for hits in rankings)
        begin = time.process_time() - seconds
    else:
        extract(engine, Path(rest[0]).read_text(encoding="utf-8").split("\n")[:-1])
    seconds = time.process_time() - begin
    print(json.dumps({"step": step, "seconds": seconds, "opening": opening, "memory": peak.bytes}))


if __name__ == "__main__":
    main()
