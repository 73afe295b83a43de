"""One step that `speed.py` measures, in a process of its own, of this project or of a peer.

    python steps.py SECONDS STEP PROGRAM ARGUMENT... < TEXTS

Prints a line of JSON: the processor seconds of one run of the step, the peak of memory that is not a mapped
file (bytes), and what the step found. A step is repeated until SECONDS have passed. What a step needs is
imported, opened and used once before; a build and an extraction include the import.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

PARTS = {"P": "precision", "R": "recall", "F": "fmeasure"}
SUMY = {
    "lexrank": "lex_rank:LexRankSummarizer",
    "lsa": "lsa:LsaSummarizer",
    "luhn": "luhn:LuhnSummarizer",
    "sumbasic": "sum_basic:SumBasicSummarizer",
    "kl": "kl:KLSummarizer",
}


# ROUGE: texts are [candidate, references], each text a list of sentences; found are the scores of each pair.


def rouge(program: str, measures: str, stem: str) -> Callable[[], list]:
    texts = json.load(sys.stdin)
    score = ROUGE[program](measures.split(","), stem == "stemmed")
    score(*texts[0])
    return lambda: [score(*text) for text in texts]


def _sera(measures: list[str], stem: bool, **dialect: Any) -> Callable[..., Any]:
    from sera.metrics.rouge.measures import Rouge

    names = [f"ROUGE-{measure}-{part}" for measure in measures for part in PARTS]
    own = [name.replace("L", "Lsum") if dialect else name for name in names]
    metrics = [Rouge.parse(name, stem=stem, stop=False, **dialect) for name in own]
    return lambda candidate, references: dict(
        zip(names, Rouge.score_together(metrics, candidate, references))
    )


def _sera_as_rouge_score(measures: list[str], stem: bool) -> Callable[..., Any]:
    return _sera(measures, stem, dialect="rouge-score")


def _rouge_score(measures: list[str], stem: bool, package: str = "rouge_score") -> Callable[..., Any]:
    types = {measure: f"rouge{'Lsum' if measure == 'L' else measure}" for measure in measures}
    scorer = import_module(f"{package}.rouge_scorer").RougeScorer(list(types.values()), use_stemmer=stem)

    def score(candidate: list[str], references: list[list[str]]) -> dict[str, float]:
        found = scorer.score_multi(["\n".join(each) for each in references], "\n".join(candidate))
        return {
            f"ROUGE-{measure}-{part}": getattr(found[type], attribute)
            for measure, type in types.items()
            for part, attribute in PARTS.items()
        }

    return score


def _rouge_score_rs(measures: list[str], stem: bool) -> Callable[..., Any]:
    return _rouge_score(measures, stem, "rouge_score_rs")


ROUGE: dict[str, Callable[[list[str], bool], Callable[..., Any]]] = {
    "sera": _sera,
    "as rouge-score": _sera_as_rouge_score,
    "rouge-score-rs": _rouge_score_rs,
    "rouge-score": _rouge_score,
}


def batch(program: str) -> Callable[[], Any]:
    """Score pairs by ROUGE-1 and 2 in one call, or in a loop with a peer."""
    texts = json.load(sys.stdin)
    if program != "sera":
        score = ROUGE[program](["1", "2"], False)
        return lambda: [score(*text) for text in texts] and None
    import pandas as pd

    import sera

    table = pd.DataFrame({"candidate": [one for one, _ in texts], "references": [gold for _, gold in texts]})
    names = [f"ROUGE-{size}-{part}(stem=false,stop=false)" for size in (1, 2) for part in PARTS]
    sera.score_batch(table[:1], names)
    return lambda: sera.score_batch(table, names) is None


def script(program: str, candidates: str, references: str, out: str) -> Callable[[], None]:
    """What people write with a peer in place of `sera score`."""

    def work() -> None:
        scorer = import_module(f"{program.replace('-', '_')}.rouge_scorer").RougeScorer(
            ["rouge1", "rouge2", "rougeLsum"], use_stemmer=False
        )
        with open(references, encoding="utf-8") as gold:
            of_topic = {each["topic"]: "\n".join(each["sentences"]) for each in map(json.loads, gold)}
        with open(candidates, encoding="utf-8") as lines, open(out, "w", encoding="utf-8") as table:
            for each in map(json.loads, lines):
                scores = scorer.score(of_topic[each["topic"]], "\n".join(each["sentences"]))
                for name, found in scores.items():
                    print(each["topic"], each["system"], name, round(found.fmeasure, 5), sep="\t", file=table)

    return work


# Indexes. Found are the rankings: for each query the documents with their scores.


def _lines(path: str, count: int) -> Iterator[tuple[str, str]]:
    with open(path, encoding="utf-8", newline="\n") as stream:
        for line in islice(stream, count):
            id, text = line.rstrip("\n").split("\t", 1)
            yield id, text


def build(program: str, documents: str, folder: str, count: str) -> Callable[[], None]:
    texts = _lines(documents, int(count))

    def sera() -> None:
        from sera.io.records import Document
        from sera.retrieval.engines.index_building import build_part

        build_part((Document(id, text) for id, text in texts), folder)

    def bm25s() -> None:  # with its own tokenizer and English stop words, without a stemmer
        import bm25s

        tokens = bm25s.tokenize([text for _, text in texts], stopwords="en", show_progress=False)
        retriever = bm25s.BM25()
        retriever.index(tokens, show_progress=False)
        retriever.save(folder)

    def tantivy() -> None:  # with lower case, Snowball stems and, as in the others, positions
        import tantivy

        schema = tantivy.SchemaBuilder()
        schema.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
        schema.add_text_field("text", tokenizer_name="en_stem", index_option="position")
        os.makedirs(folder)
        index = tantivy.Index(schema.build(), path=folder)
        writer = index.writer(heap_size=256 * 2**20, num_threads=1)
        for id, text in texts:
            writer.add_document(tantivy.Document(id=id, text=text))
        writer.commit()
        writer.wait_merging_threads()

    return {"sera": sera, "bm25s": bm25s, "tantivy": tantivy}[program]


def merge(program: str, folder: str, *parts: str) -> Callable[[], None]:
    from sera.retrieval.engines.index_building import merge

    return lambda: merge(parts, folder)


def search(program: str, queries: str, folder: str, k: str) -> Callable[[], Any]:
    texts, best = Path(queries).read_text(encoding="utf-8").splitlines(), int(k)
    if program == "bm25s":
        import bm25s

        def ask(some: list[str]) -> list[list]:
            tokens = bm25s.tokenize(some, stopwords="en", show_progress=False)
            found, scores = retriever.retrieve(tokens, k=best, show_progress=False)
            return [list(zip(*row)) for row in zip(found.tolist(), scores.tolist())]

        retriever = bm25s.BM25.load(folder, mmap=True)
    elif program == "tantivy":
        import tantivy

        def ask(some: list[str]) -> list[list]:
            asked = (index.parse_query_lenient(query, ["text"])[0] for query in some)
            hits = (searcher.search(query, best, count=False).hits for query in asked)
            return [[(searcher.doc(address)["id"][0], score) for score, address in of] for of in hits]

        index = tantivy.Index.open(folder)
        searcher = index.searcher()
    else:
        from sera.retrieval.engines.embedded import open_index

        def ask(some: list[str]) -> list[list]:
            return [[(hit.document, hit.score) for hit in hits] for hits in engine.search(some, best)]

        engine = open_index(folder)
    ask(texts[:1])
    at_once = len(texts) if program in ("sera", "bm25s") else 1
    return lambda: [
        row for first in range(0, len(texts), at_once) for row in ask(texts[first : first + at_once])
    ]


def extract(program: str, listed: str) -> Callable[[], None]:
    files = Path(listed).read_text(encoding="utf-8").splitlines()

    def sera() -> None:
        from sera.corpora import jats

        for file in files:
            jats.read_article(Path(file).read_bytes(), file)

    def pubmed_parser() -> None:
        import pubmed_parser

        for file in files:
            pubmed_parser.parse_pubmed_xml(file)
            pubmed_parser.parse_pubmed_paragraph(file, all_paragraph=True)

    return {"sera": sera, "pubmed_parser": pubmed_parser}[program]


def summarise(program: str, system: str, words: str) -> Callable[[], None]:
    """Summarise articles, given as [sentences, citances]; sumy gets the words as this project splits them."""
    from sera.io.records import Citance, Section, Source
    from sera.summarizers import summarize
    from sera.summarizers.budget import WordBudget
    from sera.summarizers.document import Article, terms

    if program == "sumy":
        from sumy.nlp.stemmers import Stemmer

        module, _, name = SUMY[system].partition(":")
        summarizer = getattr(import_module(f"sumy.summarizers.{module}"), name)(Stemmer("english"))
        summarizer.stop_words = terms().stop_words

    def run(articles: list) -> None:
        for sentences, cited in articles:
            source = Source("t", "a", sections=(Section("", tuple(sentences)),))
            if program == "sumy":
                summarizer(Article(source), WordBudget(int(words)))
            else:
                summarize(system, source, [Citance("t", "c", text) for text in cited], words=int(words))

    articles = json.load(sys.stdin)
    run([[["A short article.", "A sentence is short.", "It has three."], ["It cites a short article."]]])
    return lambda: run(articles)


def _peak(found: list[int]) -> None:
    """Keep the peak of resident memory without mapped files in ``found``, sampled every 5 ms."""
    while True:
        with open("/proc/self/status", encoding="ascii") as status:
            anonymous = next((line for line in status if line.startswith("RssAnon")), "RssAnon: 0 kB")
        found[0] = max(found[0], int(anonymous.split()[1]) * 1024)
        time.sleep(0.005)


STEPS: dict[str, Callable[..., Callable[[], Any]]] = {
    each.__name__: each for each in (rouge, batch, script, build, merge, search, extract, summarise)
}


def main() -> None:
    least, step, *arguments = sys.argv[1:]
    memory = [0]
    threading.Thread(target=_peak, args=(memory,), daemon=True).start()
    begin, starting = time.process_time(), time.process_time()
    work = STEPS[step](*arguments)
    if step not in ("build", "merge", "extract", "script"):
        begin = time.process_time()
    found, runs = work(), 1
    while time.process_time() - begin < float(least):
        work()
        runs += 1
    seconds = (time.process_time() - begin) / runs
    print(json.dumps({"seconds": seconds, "opening": begin - starting, "memory": memory[0], "found": found}))


if __name__ == "__main__":
    main()
