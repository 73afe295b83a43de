"""Measure the summarizers, and print Markdown tables.

    python bench/summarizers.py [--sizes 100 200 400 800] [--shared FOLDER]

Each of the nine summarises one article of each size in 250 words, on one core and in its own process; so does
sumy's version, if sumy has the system. A cell that needs more than a minute is skipped, and so are those of
larger sizes. With a folder of real data (`data/tac2014`, `data/realsumm`), the sentences and citances are
those of real articles; otherwise they are made up.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

from documents import summaries
from measure_summarizers import _SUMY, LIMIT
from retrieval import _machine, _table

from sera.summarizers import NINE

_HERE = Path(__file__).parent
_WORDS = 250
_CITANCES = 20  # citances of an article, about as many as in the topics of TAC 2014
_NEWS_ARTICLES, _NEWS_SENTENCES = 100, 32  # REALSumm's articles, and their length


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--sizes", type=int, nargs="*", default=[100, 200, 400, 800], help="sentences of an article"
    )
    parser.add_argument("--shared", type=Path, help="folder with data/tac2014 and data/realsumm")
    settings = parser.parse_args()
    print(f"Machine: {_machine()}.\n", flush=True)
    if settings.shared is None:
        print("Articles: made up, since SERA_SHARED is not set.\n")
        sentences = [own for text in summaries(max(settings.sizes) // 10 + 3, 250) for own in text]
        citances = [" ".join(own.split()[3:] + own.split()[:3]) for own in sentences[:_CITANCES]]
        news = [sentences[first : first + _NEWS_SENTENCES] for first in range(_NEWS_ARTICLES)]
    else:
        sentences, citances = _real_science(settings.shared / "data/tac2014")
        news = _real_news(settings.shared / "data/realsumm")
    speeds(sentences, citances, settings.sizes)
    many(news)


def speeds(sentences: list[str], citances: list[str], sizes: list[int]) -> None:
    """Measure time and memory of each system by the number of sentences."""
    articles = {size: [[sentences[:size], citances]] for size in sizes}
    seconds, memory = [], []
    total = dict.fromkeys(sizes, 0.0)
    for system in NINE:
        for who in ("sera", "sumy") if system in _SUMY else ("sera",):
            cells: list[list[str]] = [[], []]
            given_up = False
            for size in sizes:
                measured = None if given_up else _run(who, system, articles[size])
                given_up = measured is None
                if measured is None:
                    shown = f"over {LIMIT}", ""
                else:
                    shown = f"{measured['seconds']:.2f}", f"{measured['memory'] / 1e6:.0f}"
                    total[size] += measured["seconds"] if who == "sera" else 0
                for row, text in zip(cells, shown, strict=True):
                    row.append(text)
            name = system if who == "sera" else f"{system}, sumy's"
            seconds.append([name, *cells[0]])
            memory.append([name, *cells[1]])
    seconds.append(["the nine together", *(f"{total[size]:.2f}" for size in sizes)])
    heads = ["", *(f"{size} sentences" for size in sizes)]
    print(f"Seconds for an article, with {len(citances)} citances:\n")
    _table(heads, seconds)
    print("Peak memory of the process in megabytes, Python and its packages included:\n")
    _table(heads, memory)


def many(articles: list[list[str]]) -> None:
    """Measure news articles a minute; every second sentence of an article serves as a citance."""
    together = 0.0
    rows = []
    for system in NINE:
        measured = _run("sera", system, [[article, article[::2]] for article in articles])
        assert measured is not None, f"{system} takes more than {LIMIT} seconds for {len(articles)} articles"
        together += measured["seconds"]
        rows.append([system, f"{60 * len(articles) / measured['seconds']:,.0f}"])
    rows.append(["the nine together", f"{60 * len(articles) / together:,.0f}"])
    length = sum(map(len, articles)) / len(articles)
    print(f"{len(articles)} articles of {length:.0f} sentences on average (REALSumm's length), one by one:\n")
    _table(["", "articles a minute"], rows)


def _run(who: str, system: str, articles: list) -> dict | None:
    """The measured seconds and memory; None if the step took more than the limit."""
    command = [sys.executable, str(_HERE / "measure_summarizers.py"), who, system, str(_WORDS)]
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    core = {min(os.sched_getaffinity(0))}
    done = subprocess.run(
        command, input=json.dumps(articles), text=True, stdout=subprocess.PIPE,
        env={**os.environ, **threads}, preexec_fn=lambda: os.sched_setaffinity(0, core),
    )  # fmt: skip
    if done.returncode == -signal.SIGXCPU:
        return None
    done.check_returncode()
    return json.loads(done.stdout.splitlines()[-1])


def _real_science(folder: Path) -> tuple[list[str], list[str]]:
    """The sentences of all topics' articles in order, and citances of the first topics."""
    from sera.benchmarks.tac2014 import read

    (release,) = folder.glob("TAC_2014*")
    topics = read(release=release, pyramids=next(folder.glob("TAC-Pyramid*"), None))
    sentences = [sentence for topic in topics for sentence in topic.source.sentences]
    citances = (citance.text for topic in topics for citance in topic.citances)
    return sentences, list(islice(citances, _CITANCES))


def _real_news(folder: Path) -> list[list[str]]:
    texts = (folder / "documents.txt").read_text(encoding="utf-8").splitlines()
    return [[f"{sentence} ." for sentence in text.split(" . ")] for text in texts]


if __name__ == "__main__":
    main()
