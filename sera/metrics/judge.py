"""A language model as judge: it is asked for one quality of a summary, as a number on a scale.

`sera.io.language_models` has the server and the record of its answers. The score is the number in the
answer's line ``Score: N``; with ``samples``, the mean of several answers; with ``expected``, the mean of the
scale weighted by the probabilities of the tokens that could be there (G-Eval, Liu et al. 2023). Nothing else
of an answer is read. An answer without such a line, or with a number off the scale, gives no score.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sera.errors import InputError
from sera.io.language_models import Answer, Request, after_reasoning, as_answers, ask, fence
from sera.metrics.base import Metric, Row, Text, parts_of, signature
from sera.names import nearest_names
from sera.settings import setting, shown
from sera.text.languages import language_setting

QUESTIONS = {
    "relevance": "Does the summary have what is important in the {other}, and nothing else?",
    "coherence": "Do the sentences of the summary build on one another, so that it reads as one text?",
    "consistency": "Does the {other} support everything that the summary says?",
    "fluency": "Are the sentences of the summary well formed and easy to read?",
    "coverage": "How much of the main content of the {other} does the summary have?",
}
"""What is asked for, by the names of the qualities; a user's own text is asked as it is."""

ORDERS = {
    "score": 'Begin your answer with the line "Score: N". Then give the reason in one sentence.',
    "reason": 'First give the reason in one or two sentences. Then end your answer with the line "Score: N".',
}
OTHERS = {"article": "article", "references": "reference summary"}
PROMPT = """Judge a summary beside the {other}. {question}

{texts}

Give your judgement as a whole number N from {low} (worst) to {high} (best). {order}"""

SCALES = ("0-1", "1-3", "1-5", "1-7", "1-10", "0-100")
_SIGNED = ("model", "against", "scale", "first", "samples", "expected", "words")
_WITHOUT = "have no probabilities of tokens, and their scores are the numbers said"
_LOST = "are not averaged, since they have no score"
_CAUTIONS = (_WITHOUT, _LOST)
OUTPUT_TOKENS, ALTERNATIVES = 256, 20

_NUMBER = r"(\d+(?:\.\d+)?)(?!\d|\.\d|\s*(?:[-–]|to\b)\s*\d)"  # and no range, as in 1-5
_LINE = re.compile(
    rf"^[\s*_#>`\"']*(?:\w+ )?(?:score|rating)\b[\s:=*_`\"']*{_NUMBER}", re.IGNORECASE | re.MULTILINE
)
_ALONE = re.compile(rf"[\s*_`\"']*{_NUMBER}(?:\s*(?:/|out of)\s*\d+)?[\s*_`\"'.]*")


@dataclass(frozen=True)
class Judge(Metric):
    """A language model's judgement of one quality of a summary.

    answers:   `sera.io.language_models.Answers`, or the path of a record
    counts:    of the answers that were read, for the `caution`
    """

    model: str | None = setting(None, str, "language model, by its name on the server", optional=True)
    question: str = setting("relevance", str, f"what is judged: {', '.join(QUESTIONS)}, or your own question")
    against: str = setting("article", str, "what the summary is judged beside", choices=tuple(OTHERS))
    scale: str = setting("1-5", str, "the worst and the best score", choices=SCALES)
    first: str = setting("score", str, "what the answer begins with", choices=tuple(ORDERS))
    samples: int = setting(1, int, "answers to average; one is at temperature 0", low=1, high=100)
    expected: bool = setting(False, bool, "average the scale by the probabilities of its tokens, if known")
    words: int | None = setting(None, int, "words of each text that are sent", low=1, optional=True)
    language: str = language_setting()
    answers: Any = field(default=None, hash=False, compare=False)
    counts: Counter[str] = field(default_factory=Counter, hash=False, compare=False, repr=False)

    pattern: ClassVar[str] = "Judge"
    listed: ClassVar = ("Judge",)
    measures: ClassVar[str] = "a quality of the summary as a language model judges it"
    undefined: ClassVar[str] = "the language model's answer has no score"
    citation: ClassVar[str] = (
        "Yang Liu, Dan Iter, Yichong Xu, Shuohang Wang, Ruochen Xu and Chenguang Zhu. 2023. G-Eval: NLG "
        "Evaluation using GPT-4 with Better Human Alignment. In Proceedings of EMNLP 2023."
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", as_answers(self.answers))
        object.__setattr__(self, "needs_source", self.against == "article")
        object.__setattr__(self, "needs_references", self.against == "references")
        super().__post_init__()
        near = nearest_names(self.question, QUESTIONS, most=1) if len(self.question.split()) < 2 else []
        if near and self.question not in QUESTIONS:
            remedy = f"Did you mean {near[0]}? Your own question has several words."
            raise InputError(f"Judge.question is {shown(self.question)}", remedy=remedy)
        if self.expected and max(self._limits) > 9:
            problem = f"expected scores are read from one token, and those of {self.scale} may have several"
            raise InputError(problem, remedy="Give the scale 1-5, or another without it.")

    @property
    def _limits(self) -> tuple[int, ...]:
        return tuple(map(int, self.scale.split("-")))

    @property
    def signature(self) -> str:
        settings = {key: getattr(self, key) for key in _SIGNED}
        question = self.question if self.question in QUESTIONS else "own"
        prompt = hashlib.sha256(self.prompt("").encode()).hexdigest()[:8]
        return signature(self.name, question=question, prompt=prompt, **settings, **self.sign_texts())

    def ready(self) -> None:
        if not self.model:
            remedy = "Name it: Judge(model=NAME), or model=NAME in Python."
            raise InputError("Judge needs the name of a language model", remedy=remedy)

    @property
    def caution(self) -> str:
        told = ((count, text) for text in _CAUTIONS if (count := self.counts[text]))
        return "; ".join(f"{count} of {self.counts['all']} answers {text}" for count, text in told)

    def prompt(self, texts: str) -> str:
        """The prompt about texts for which `fence` was called."""
        (low, high), other, question = self._limits, OTHERS[self.against], self.question
        if question in QUESTIONS:
            question = QUESTIONS[question].format(other=other)
        order = ORDERS[self.first]
        return PROMPT.format(texts=texts, question=question, other=other, order=order, low=low, high=high)

    def requests(self, candidate: Text, references: Sequence[Text], source: Text | None) -> list[Request]:
        """The requests about a summary, one for each sample."""
        texts = {f"reference summary {number}": text for number, text in enumerate(references, 1)}
        if self.against == "article":
            texts = {"article": source or ()}
        texts["summary"] = candidate
        cut = {name: " ".join(" ".join(parts_of(text)).split()[: self.words]) for name, text in texts.items()}
        more = {"logprobs": True, "top_logprobs": ALTERNATIVES} if self.expected else {}
        request = ask(self.model, self.prompt(fence(cut)), OUTPUT_TOKENS, int(self.samples > 1), **more)
        return [request] if self.samples == 1 else [{**request, "seed": seed} for seed in range(self.samples)]

    @classmethod
    def score_rows(cls, metrics: Sequence[Any], rows: Sequence[Row]) -> Iterable[Sequence[float]]:
        columns = []
        for metric in metrics:
            metric.ready()
            requests = [request for row in rows for request in metric.requests(*row)]
            scores = iter([metric.read(answer) for answer in metric.answers.to(requests)])
            columns.append([metric._mean([next(scores) for _ in range(metric.samples)]) for _ in rows])
        return list(zip(*columns, strict=True))

    def _mean(self, scores: Sequence[float]) -> float:
        there = [score for score in scores if not math.isnan(score)]
        self.counts[_LOST] += len(scores) - len(there) if there else 0
        return math.fsum(there) / len(there) if there else math.nan

    def read(self, answer: Answer) -> float:
        """The score that an answer gives; NaN if it gives none."""
        self.counts["all"] += 1
        found = self._find(answer.text)
        low, high = self._limits
        if found is None or not low <= float(found[1]) <= high:
            return math.nan
        if self.expected:
            if (score := self._expected(answer)) is not None:
                return score
            self.counts[_WITHOUT] += 1
        return float(found[1])

    def _find(self, text: str) -> re.Match[str] | None:
        """The number that is the score: alone, or in the first line that has one, or the last."""
        text = after_reasoning(text).rjust(len(text))  # so that places in the text stay
        matches = [*_LINE.finditer(text)] or [*filter(None, [_ALONE.fullmatch(text)])]
        return (matches[0] if self.first == "score" else matches[-1]) if matches else None

    def _expected(self, answer: Answer) -> float | None:
        """The mean of the scale, weighted by its numbers' probabilities; None if these are not known."""
        found, end = self._find("".join(token for token, _ in answer.tokens)), 0
        for token, alternatives in answer.tokens if found else ():
            end += len(token)
            if found and end > found.start(1):
                scale = {str(number): number for number in range(self._limits[0], self._limits[1] + 1)}
                there = [(scale[t.strip()], math.exp(log)) for t, log in alternatives if t.strip() in scale]
                total = math.fsum(weight for _, weight in there)
                return math.fsum(number * weight for number, weight in there) / total if total else None
        return None
