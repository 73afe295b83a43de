"""One step that `speed.py` measures, in a process of its own, of this project or of a peer.

    python steps.py SECONDS STEP PROGRAM ARGUMENT... < TEXTS

Prints a line of JSON: the processor seconds of one run of the step, and the peak of memory that is not a
mapped file (bytes). A step is repeated until SECONDS have passed. Imports, opening and a first use do not
count, except where the step is a whole program: in `build`, `first` and `script`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

OURS = "this project"
PARTS = {"P": "precision", "R": "recall", "F": "fmeasure"}
SUMY = {
    "lexrank": "lex_rank:LexRankSummarizer",
    "lsa": "lsa:LsaSummarizer",
    "luhn": "luhn:LuhnSummarizer",
    "sumbasic": "sum_basic:SumBasicSummarizer",
    "kl": "kl:KLSummarizer",
}


def _rouge(program: str, measures: list[str], stem: bool) -> Callable[..., Any]:
    """What scores a candidate with its references, each a list of sentences."""
    if program in (OURS, "as rouge-score"):
        from sera.metrics.rouge.measures import Rouge

        dialect = {"dialect": "rouge-score"} if program != OURS else {}
        names = [f"ROUGE-{measure}-{part}" for measure in measures for part in PARTS]
        names = [name.replace("L", "Lsum") if dialect else name for name in names]
        metrics = [Rouge.parse(name, stem=stem, stop=False, **dialect) for name in names]
        return lambda candidate, references: Rouge.score_together(metrics, candidate, references)
    types = [f"rouge{'Lsum' if measure == 'L' else measure}" for measure in measures]
    module = import_module(f"{program.replace('-', '_')}.rouge_scorer")  # of Google's package, or one like it
    scorer = module.RougeScorer(types, use_stemmer=stem)
    return lambda candidate, references: scorer.score_multi(
        ["\n".join(each) for each in references], "\n".join(candidate)
    )


def rouge(program: str, measures: str, stem: str) -> Callable[[], Any]:
    texts = json.load(sys.stdin)
    score = _rouge(program, measures.split(","), stem == "stemmed")
    for text in texts[:200]:  # compiled loops run in Python at first
        score(*text)
    return lambda: [score(*text) for text in texts]


def batch(program: str, measures: str, systems: str, form: str) -> Callable[[], Any]:
    """Score pairs in one call, or in a loop with a peer; ``form``: texts "in sentences", or each "whole"."""
    texts = json.load(sys.stdin)
    sizes = measures.split(",")
    if program != OURS:
        score = _rouge(program, sizes, False)
        return lambda: [score(*text) for text in texts]
    import pandas as pd

    import sera

    if form == "whole":
        texts = [[" ".join(text), [" ".join(each) for each in gold]] for text, gold in texts]
    table = pd.DataFrame(texts, columns=["summary", "references"])
    numbers, each_topic = table.index, int(systems)
    table = table.assign(topic=(numbers // each_topic).astype(str), system=(numbers % each_topic).astype(str))
    names = [f"ROUGE-{size}-{part}" for size in sizes for part in PARTS]
    sera.score(table[:2000], metrics=names)  # compiled loops run in Python at first
    return lambda: sera.score(table, metrics=names)


def first(program: str) -> Callable[[], Any]:
    """Score one pair, with all that is imported and loaded for it."""

    def work() -> None:
        texts = ["The kinase binds p53.", "It grows."], ["p53 is bound by the kinase.", "It grew."]
        if program == OURS:
            import sera

            sera.score([texts[0]], [[texts[1]]], ["ROUGE-1", "ROUGE-2", "ROUGE-L"])
        else:
            _rouge(program, ["1", "2", "L"], False)(texts[0], [texts[1]])

    return work


def script(program: str, candidates: str, references: str, out: str) -> Callable[[], None]:
    """What people write with a peer in place of `sera score`."""

    def work() -> None:
        scorer = import_module(f"{program.replace('-', '_')}.rouge_scorer").RougeScorer(
            ["rouge1", "rouge2", "rougeLsum"], use_stemmer=False
        )
        with open(references, encoding="utf-8") as gold:
            of_topic: dict[str, list[str]] = {}
            for each in map(json.loads, gold):
                of_topic.setdefault(each["topic"], []).append("\n".join(each["sentences"]))
        with open(candidates, encoding="utf-8") as lines, open(out, "w", encoding="utf-8") as table:
            for each in map(json.loads, lines):
                scores = scorer.score_multi(of_topic[each["topic"]], "\n".join(each["sentences"]))
                for name, found in scores.items():
                    print(each["topic"], each["system"], name, round(found.fmeasure, 5), sep="\t", file=table)

    return work


def build(program: str, documents: str, folder: str) -> Callable[[], None]:
    lines = open(documents, encoding="utf-8", newline="\n")
    texts = (line.rstrip("\n").split("\t", 1) for line in lines)

    def sera() -> None:
        from sera.io.records import Document
        from sera.retrieval.index import build_part

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

    return {OURS: sera, "bm25s": bm25s, "tantivy": tantivy}[program]


def search(program: str, queries: str, folder: str) -> Callable[[], Any]:
    texts, best = Path(queries).read_text(encoding="utf-8").splitlines(), 20
    if program == "bm25s":
        import bm25s

        def ask(some: list[str]) -> Any:
            tokens = bm25s.tokenize(some, stopwords="en", show_progress=False)
            return retriever.retrieve(tokens, k=best, show_progress=False)

        retriever = bm25s.BM25.load(folder, mmap=True)
    elif program == "tantivy":
        import tantivy

        def ask(some: list[str]) -> Any:
            asked = (index.parse_query_lenient(query, ["text"])[0] for query in some)
            hits = (searcher.search(query, best, count=False).hits for query in asked)
            return [[(searcher.doc(address)["id"][0], score) for score, address in of] for of in hits]

        index = tantivy.Index.open(folder)
        searcher = index.searcher()
    else:
        from sera.retrieval.lucene import open_index

        def ask(some: list[str]) -> Any:
            return engine.search(some, best)

        engine = open_index(folder)
    ask(texts[:1])
    at_once = len(texts) if program in (OURS, "bm25s") else 1
    return lambda: [ask(texts[first : first + at_once]) for first in range(0, len(texts), at_once)]


def summarise(program: str, system: str) -> Callable[[], Any]:
    """Summarise an article, given as [sentences, citances]; sumy gets the words that this project finds."""
    from sera.io.records import Citance, Section, Source
    from sera.summarizers import summarize
    from sera.summarizers.budget import Budget
    from sera.summarizers.document import Article, terms

    if program == "sumy":
        from sumy.nlp.stemmers import Stemmer

        module, _, name = SUMY[system].partition(":")
        summarizer = getattr(import_module(f"sumy.summarizers.{module}"), name)(Stemmer("english"))
        summarizer.stop_words = terms().stop_words

    def run(sentences: list[str], cited: list[str]) -> Any:
        source = Source("t", "a", sections=(Section("", tuple(sentences)),))
        if program == "sumy":
            return summarizer(Article(source), Budget(250))
        return summarize(system, source, [Citance("t", "c", text) for text in cited])

    sentences, citances = json.load(sys.stdin)
    run(["A short article.", "A sentence is short.", "It has three."], ["It cites a short article."])
    return lambda: run(sentences, citances)


def _peak(found: list[int]) -> None:
    """Keep the peak of resident memory without mapped files in ``found``, sampled every 5 ms."""
    while True:
        with open("/proc/self/status", encoding="ascii") as status:
            anonymous = next((line for line in status if line.startswith("RssAnon")), "RssAnon: 0 kB")
        found[0] = max(found[0], int(anonymous.split()[1]) * 1024)
        time.sleep(0.005)


STEPS: dict[str, Callable[..., Callable[[], Any]]] = {
    each.__name__: each for each in (rouge, first, batch, script, build, search, summarise)
}


def main() -> None:
    least, step, *arguments = sys.argv[1:]
    memory = [0]
    threading.Thread(target=_peak, args=(memory,), daemon=True).start()
    begin = time.process_time()
    work = STEPS[step](*arguments)
    if step not in ("build", "first", "script"):
        begin = time.process_time()
    runs = 0
    while runs == 0 or time.process_time() - begin < float(least):
        work()
        runs += 1
    print(json.dumps({"seconds": (time.process_time() - begin) / runs, "memory": memory[0]}))


if __name__ == "__main__":
    main()
