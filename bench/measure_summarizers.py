"""Summarise articles with one system, and print time and memory as one line of JSON.

    python measure_summarizers.py WHO SYSTEM WORDS < ARTICLES

ARTICLES is JSON: a list of [sentences, citances], each a list of texts. WHO is sera or sumy; sumy gets the
words as this project splits them and does the rest itself. Seconds are processor seconds; loading the package
and summarising a first, short article do not count. Memory is the peak of the whole process, in bytes. The
system ends a process that needs more than LIMIT seconds.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable

from measure_rouge import _peak

LIMIT = 60
_SUMY = {
    "lexrank": "lex_rank:LexRankSummarizer",
    "lsa": "lsa:LsaSummarizer",
    "luhn": "luhn:LuhnSummarizer",
    "sumbasic": "sum_basic:SumBasicSummarizer",
    "kl": "kl:KLSummarizer",
}
_FIRST = [[["A short article.", "A sentence is short.", "It has three."], ["It cites a short article."]]]


def sera(system: str, words: int) -> Callable[[list], None]:
    from sera.io.records import Citance, Section, Source
    from sera.summarizers import summarize

    def run(articles: list) -> None:
        for sentences, cited in articles:
            source = Source("t", "a", sections=(Section("", tuple(sentences)),))
            summarize(system, source, [Citance("t", "c", text) for text in cited], words=words)

    return run


def sumy(system: str, words: int) -> Callable[[list], None]:
    from importlib import import_module

    from sumy.nlp.stemmers import Stemmer

    from sera.io.records import Section, Source
    from sera.summarizers.budget import WordBudget
    from sera.summarizers.document import Article, terms

    module, _, name = _SUMY[system].partition(":")
    summarizer = getattr(import_module(f"sumy.summarizers.{module}"), name)(Stemmer("english"))
    summarizer.stop_words = terms().stop_words

    def run(articles: list) -> None:
        for sentences, _ in articles:
            document = Article(Source("t", "a", sections=(Section("", tuple(sentences)),)))
            summarizer(document, WordBudget(words))

    return run


def main() -> None:
    who, system, words = sys.argv[1:]
    articles = json.load(sys.stdin)
    run = {"sera": sera, "sumy": sumy}[who](system, int(words))
    run(_FIRST)
    begin = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(begin) + LIMIT, int(begin) + LIMIT + 5))
    run(articles)
    print(json.dumps({"seconds": time.process_time() - begin, "memory": _peak()}))


if __name__ == "__main__":
    main()
