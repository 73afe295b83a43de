"""Score summaries with one package, and print the speed and the scores as one line of JSON.

    python measure_rouge.py ENGINE MEASURES STEM SECONDS < TEXTS

TEXTS is JSON: a list of [candidate, references], each text a list of sentences. MEASURES are names as in
1,2,L,W-1.2,S4; STEM is 0 or 1. Texts are scored repeatedly until the SECONDS have passed; with 0 seconds, all
texts are scored once. A pair is one candidate with one reference. Seconds are processor seconds of this
process and its children; loading the package and scoring a first summary do not count.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

Texts = list  # of (candidate, references)
Scores = list  # for each text, a dictionary from names as ROUGE-1-P to numbers
_PERL_SCORES = re.compile(r"^c (ROUGE-\S+) Eval (\d+)\.c R:(\S+) P:(\S+) F:(\S+)", re.MULTILINE)
_PARTS = {"P": "precision", "R": "recall", "F": "fmeasure"}


def sera(measures: list[str], stem: bool, **settings: object) -> Callable[[Texts], Scores]:
    from sera.metrics.rouge.measures import Rouge

    if settings:
        measures = [measure.replace("L", "Lsum") for measure in measures]
    names = [f"ROUGE-{measure}-{part}" for measure in measures for part in _PARTS]
    metrics = [Rouge.parse(name, stem=stem, stop=False, **settings) for name in names]
    named = [name.replace("Lsum", "L") for name in names]
    return lambda texts: [dict(zip(named, Rouge.score_together(metrics, *text))) for text in texts]


def sera_fresh(measures: list[str], stem: bool) -> Callable[[Texts], Scores]:
    """As `sera`, but each text has references that are not in the cache."""
    from sera.metrics.rouge import measures as rouge

    run = sera(measures, stem)

    def score(texts: Texts) -> Scores:
        scores = []
        for text in texts:
            rouge._prepared.cache_clear()
            scores += run([text])
        return scores

    return score


def sera_dialect(measures: list[str], stem: bool) -> Callable[[Texts], Scores]:
    return sera(measures, stem, dialect="rouge-score")


def rouge_score(measures: list[str], stem: bool, package: str = "rouge_score") -> Callable[[Texts], Scores]:
    from importlib import import_module

    types = {f"ROUGE-{measure}": f"rouge{'Lsum' if measure == 'L' else measure}" for measure in measures}
    scorer = import_module(f"{package}.rouge_scorer").RougeScorer(list(types.values()), use_stemmer=stem)

    def score(texts: Texts) -> Scores:
        rows = []
        for candidate, references in texts:
            found = scorer.score_multi(["\n".join(each) for each in references], "\n".join(candidate))
            rows.append(
                {
                    f"{name}-{part}": getattr(found[theirs], attribute)
                    for name, theirs in types.items()
                    for part, attribute in _PARTS.items()
                }
            )
        return rows

    return score


def rouge_score_rs(measures: list[str], stem: bool) -> Callable[[Texts], Scores]:
    return rouge_score(measures, stem, "rouge_score_rs")


def py_rouge(measures: list[str], stem: bool) -> Callable[[Texts], Scores]:
    from rouge import Rouge

    # NLTK's tokenizer needs a download; on text that the package has cleaned, it splits at blanks too
    Rouge.tokenize_text = staticmethod(lambda text, language="english": text.split())
    ngrams = [int(measure) for measure in measures if measure.isdigit()]
    settings = {"limit_length": False, "apply_avg": True, "stemming": stem}
    scorers = []
    if ngrams:
        scorers.append(Rouge(metrics=["rouge-n"], max_n=max(ngrams), **settings))
    if "L" in measures:  # alone, since together with W it uses the weight of W
        scorers.append(Rouge(metrics=["rouge-l"], **settings))
    if "W-1.2" in measures:
        scorers.append(Rouge(metrics=["rouge-w"], weight_factor=1.2, **settings))

    def score(texts: Texts) -> Scores:
        rows = []
        for candidate, references in texts:
            row: dict[str, float] = {}
            for scorer in scorers:
                found = scorer.get_scores(["\n".join(candidate)], [["\n".join(each) for each in references]])
                for name, values in found.items():
                    name = name.upper().replace("ROUGE-W", "ROUGE-W-1.2")
                    row |= {f"{name}-{part.upper()}": value for part, value in values.items()}
            rows.append(row)
        return rows

    return score


def perl(measures: list[str], stem: bool) -> Callable[[Texts], Scores]:
    """ROUGE-1.5.5.pl in the folder that ROUGE_155 names; with ROUGE-W it always computes ROUGE-1 too."""
    home = Path(os.environ["ROUGE_155"])
    command = ["perl", str(home / "ROUGE-1.5.5.pl"), "-e", str(home / "data"), "-d", "-a"]
    command += ["-m"] if stem else []
    ngrams = ["-n", str(max([int(measure) for measure in measures if measure.isdigit()], default=1))]
    runs = [[*ngrams, *([] if "L" in measures else ["-x"])]]
    if "W-1.2" in measures:
        runs[0] += ["-w", "1.2"]
    if "S" in measures:
        runs[0] += ["-2", "-1", "-U"]
    if "S4" in measures:
        runs.append(["-n", "1", "-x", "-2", "4", "-U"])

    def score(texts: Texts) -> Scores:
        rows: Scores = [{} for _ in texts]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            evaluations = []
            for number, (candidate, references) in enumerate(texts):
                models = []
                for model, text in enumerate([candidate, *references]):
                    file = folder / f"{number}.{model}.txt"
                    file.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
                    models.append(f'<M ID="{model}">{file.name}</M>')
                evaluations += [
                    f'<EVAL ID="{number}">', "<PEER-ROOT>", name, "</PEER-ROOT>", "<MODEL-ROOT>", name,
                    "</MODEL-ROOT>", '<INPUT-FORMAT TYPE="SPL">', "</INPUT-FORMAT>", "<PEERS>",
                    f'<P ID="c">{number}.0.txt</P>', "</PEERS>",
                    "<MODELS>", *models[1:], "</MODELS>", "</EVAL>",
                ]  # fmt: skip
            settings = folder / "settings.xml"
            lines = ['<ROUGE_EVAL version="1.5.5">', *evaluations, "</ROUGE_EVAL>", ""]
            settings.write_text("\n".join(lines), encoding="utf-8")
            for options in runs:
                done = subprocess.run(
                    [*command, *options, str(settings)], check=True, capture_output=True, text=True
                )
                for metric, number, *values in _PERL_SCORES.findall(done.stdout):
                    for part, value in zip("RPF", values):
                        rows[int(number)][f"{metric.replace('*', '')}-{part}"] = float(value)
        return rows

    return score


ENGINES = {
    "sera": sera,
    "sera-fresh": sera_fresh,
    "sera-dialect": sera_dialect,
    "rouge-score-rs": rouge_score_rs,
    "rouge-score": rouge_score,
    "py-rouge": py_rouge,
    "perl": perl,
}


def _seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main() -> None:
    engine, measures, stem, least = sys.argv[1:]
    texts: Texts = json.load(sys.stdin)
    begin = time.process_time()
    score = ENGINES[engine](measures.split(","), stem == "1")
    score(texts[:1])
    starting, peak = time.process_time() - begin, _peak()
    count = len(texts) if least == "0" else 1
    while True:
        some = list(islice(cycle(texts), count))
        begin = _seconds()
        scores = score(some)
        seconds = _seconds() - begin
        if seconds >= float(least):
            break
        count *= 2
    pairs = sum(len(references) for _, references in some)
    measured = {"pairs": pairs, "seconds": seconds, "starting": starting, "memory": _peak() - peak}
    print(json.dumps({**measured, "scores": scores[: len(texts)]}))


def _peak() -> int:
    """The peak of this process's memory until now, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    main()
