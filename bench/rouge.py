"""Measure ROUGE, and print Markdown tables.

    python bench/rouge.py [--peers PYTHON] [--seconds 2] [--shared FOLDER]

Each package scores the same summaries of about 250 words, each with four references, on one core in its own
process. A pair is one candidate with one reference. With a folder of recorded answers (`oracles/rouge155`),
the summaries are real; otherwise they are made up. The original program is measured if ROUGE_155 names its
folder.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from itertools import cycle, islice
from pathlib import Path

import numpy as np
from documents import summaries
from retrieval import _machine, _table

_HERE = Path(__file__).parent
_SETS = {
    "R-1, R-2": "1,2",
    "R-1, R-2, R-L": "1,2,L",
    "R-W": "W-1.2",
    "R-1 to 4, L, W, S\\*, SU\\*, S4, SU4": "1,2,3,4,L,W-1.2,S,SU,S4,SU4",
}
_COMPARED = {"R-1": "1", "R-2": "2", "R-L": "L", "R-W": "W-1.2"}
_PEERS = {  # with the number of sets that each can compute
    "rouge-score-rs": 2,
    "rouge-score": 2,
    "py-rouge": 3,
    "perl": 4,
}
_NAMES = {
    "sera": "this project",
    "sera-fresh": "this project, references new each time",
    "sera-dialect": "this project as rouge-score",
    "perl": "ROUGE-1.5.5.pl",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--peers", type=Path, default=Path(".venv-bench/bin/python"), help="Python of the other packages"
    )
    parser.add_argument("--seconds", type=float, default=2, help="shortest time of a measurement")
    parser.add_argument("--shared", type=Path, help="folder with oracles/rouge155: real summaries")
    settings = parser.parse_args()
    bench = _Bench(settings.peers, settings.seconds)
    peers = {name: sets for name, sets in _PEERS.items() if name != "perl" or "ROUGE_155" in os.environ}
    print(f"Machine: {_machine()}.\n")
    if settings.shared is None:
        texts = _made_up(topics=10, systems=7, references=4, words=250)
        print("Summaries: made up, since SERA_SHARED is not set.\n")
    else:
        texts = _recorded(settings.shared / "oracles" / "rouge155")
    lengths = [len(" ".join(text).split()) for candidate, many in texts for text in (candidate, *many)]
    print(f"{len(texts)} candidates with four references, {np.mean(lengths):.0f} words on average.\n")
    if "perl" not in peers:
        print("ROUGE-1.5.5.pl: left out, since ROUGE_155 does not name its folder.\n")
    for stem in (False, True):
        bench.speeds(texts, {"sera": 4, "sera-fresh": 4, "sera-dialect": 2, **peers}, stem)
    bench.agreement(texts, {"sera-dialect": 2, **peers})
    bench.long()
    bench.growth(texts)


class _Bench:
    def __init__(self, peers: Path, seconds: float) -> None:
        self._peers, self._seconds = peers, seconds
        self._core = {min(os.sched_getaffinity(0))}

    def speeds(self, texts: list, engines: dict[str, int], stem: bool) -> None:
        """Measure the pairs a second of each package, and how many times as fast this project is."""
        measured: dict[str, list[float]] = {}
        for engine, sets in engines.items():
            done = [
                self._run(engine, measures, stem, texts, self._seconds)
                for measures in list(_SETS.values())[:sets]
            ]
            measured[_NAMES.get(engine, engine)] = [each["pairs"] / each["seconds"] for each in done]
        ours = next(iter(measured.values()))
        how = "stemmed" if stem else "words as they are"
        print(f"Pairs a second, {how} (in brackets: how many times as fast this project is):\n")
        shown = []
        for name, speeds in measured.items():
            cells = [f"{speed:,.0f} ({own / speed:.3g})" for own, speed in zip(ours, speeds)]
            shown.append([name, *cells])
        _table(["", *_SETS], shown)

    def agreement(self, texts: list, engines: dict[str, int]) -> None:
        """Count the pairs with the P, R and F of ROUGE-1.5.5, which are this project's, to five decimals."""
        pairs = [[candidate, [reference]] for candidate, references in texts for reference in references]
        rows = []
        for engine, sets in engines.items():
            for stem in (False, True):
                measures = dict(list(_COMPARED.items())[: sets + 1])
                theirs = self._run(engine, ",".join(measures.values()), stem, pairs, 0)["scores"]
                ours = self._run("sera", ",".join(measures.values()), stem, pairs, 0)["scores"]
                row: list[object] = [f"{_NAMES.get(engine, engine)}, {'stemmed' if stem else 'as they are'}"]
                for measure in measures.values():
                    names = [f"ROUGE-{measure}-{part}" for part in "PRF"]
                    row.append(
                        sum(
                            all(round(one[name], 5) == two[name] for name in names)
                            for one, two in zip(theirs, ours, strict=True)
                        )
                    )
                rows.append(row)
        print(f"Out of {len(pairs)} pairs, those whose P, R and F are ROUGE-1.5.5's to five decimals:\n")
        _table(["", *_COMPARED], rows)

    def long(self) -> None:
        """Measure time and memory for texts of 20,000 words."""
        (text,) = _made_up(topics=1, systems=1, references=4, words=20_000)
        as_one = [[" ".join(text[0])], [[" ".join(reference)] for reference in text[1]]]
        rows = []
        for what, case in (("in sentences", text), ("in one sentence", as_one)):
            done = self._run("sera", list(_SETS.values())[-1], False, [_FIRST, case], 0)
            rows.append([what, f"{done['seconds']:.1f}", f"{done['memory'] / 1e6:.0f}"])
        print("A candidate of 20,000 words and four references as long, all measures of the last column:\n")
        _table(["", "seconds", "MB more"], rows)

    def growth(self, texts: list) -> None:
        """Measure time and memory by the number of pairs."""
        rows = []
        for pairs in (400, 4000, 40_000):
            many = [
                [[f"{number} {first}", *others], references]
                for number, ((first, *others), references) in enumerate(islice(cycle(texts), pairs // 4))
            ]
            done = self._run("sera", list(_SETS.values())[-1], True, many, 0)
            rate = 1e6 * done["seconds"] / done["pairs"]
            memory = f"{done['memory'] / 1e6:.0f}"
            rows.append([f"{done['pairs']:,}", f"{done['seconds']:.2f}", f"{rate:.0f}", memory])
        print("By the number of pairs, all measures of the last column, stemmed:\n")
        _table(["pairs", "seconds", "microseconds a pair", "MB more"], rows)

    def _run(self, engine: str, measures: str, stem: bool, texts: list, seconds: float) -> dict:
        python = sys.executable if engine.startswith("sera") or engine == "perl" else str(self._peers)
        script = str(_HERE / "measure_rouge.py")
        # -P: this folder has a rouge.py, and so has py-rouge
        command = [python, "-P", script, engine, measures, str(int(stem)), f"{seconds:g}"]
        threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "RAYON")}
        done = subprocess.run(
            command, check=True, input=json.dumps(texts), text=True, stdout=subprocess.PIPE,
            env={**os.environ, **threads}, preexec_fn=lambda: os.sched_setaffinity(0, self._core),
        )  # fmt: skip
        return json.loads(done.stdout.splitlines()[-1])


_FIRST = [["A first summary, for the start."], [["A first reference."]]]


def _recorded(oracle: Path) -> list:
    """The recorded summaries of about 250 words, with their references."""

    def records(name: str) -> list[dict]:
        return [json.loads(line) for line in (oracle / name).read_text(encoding="utf-8").split("\n")[:-1]]

    references = defaultdict(list)
    for record in records("tac_references.jsonl"):
        references[record["topic"]].append(record["sentences"])
    chosen = [r for r in records("tac_candidates.jsonl") if r["system"].startswith(("lead", "random"))]
    return [[record["sentences"], references[record["topic"]]] for record in chosen]


def _made_up(topics: int, systems: int, references: int, words: int) -> list:
    drawn = summaries(topics * (systems + references), words)
    made = []
    for topic in range(topics):
        texts = drawn[topic * (systems + references) : (topic + 1) * (systems + references)]
        made += [[candidate, texts[systems:]] for candidate in texts[:systems]]
    return made


if __name__ == "__main__":
    main()
