"""Whether a summary supports each nugget, as a language model says: yes, partly or no.

TREC's AutoNuggetizer (Pradeep et al. 2024) asks so, ten nuggets at a time.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence

from sera.io.language_models import Answer, Answers, Request, after_reasoning, ask, fence

SUPPORT = {"y": 1.0, "p": 0.5, "n": 0.0}  # by the letter with which the model's word begins
AT_ONCE, OUTPUT_TOKENS = 10, 256  # nuggets of a request, and the most tokens of its answer

PROMPT = """Say of each nugget whether the summary supports it: "yes" if the summary says all of it, "partly"
if it says a part of it, "no" if it does not say it.

{texts}

Answer with a line for each nugget and nothing else: its number, a colon, and yes, partly or no."""

PROMPT_HASH = hashlib.sha256(PROMPT.encode()).hexdigest()[:8]

_VERDICT = re.compile(
    r"^[\s*_#>-]*(?:nugget )?(\d+)[\s.:)*_-]+(yes|partly|partial(?:ly)?|no)\b", re.IGNORECASE | re.MULTILINE
)


def support_requests(model: str | None, summary: Sequence[str], nuggets: Sequence[str]) -> list[Request]:
    """The requests about a summary, each on at most `AT_ONCE` of the nuggets."""
    requests: list[Request] = []
    text = " ".join(" ".join(summary).split())
    for begin in range(0, len(nuggets), AT_ONCE):
        some = enumerate(nuggets[begin : begin + AT_ONCE], 1)
        lines = [f"{number}. {' '.join(nugget.split())}" for number, nugget in some]
        prompt = PROMPT.format(texts=fence({"summary": text, "nuggets": "\n".join(lines)}))
        requests.append(ask(model, prompt, OUTPUT_TOKENS))
    return requests


def ask_support(
    answers: Answers, model: str | None, summary: Sequence[str], nuggets: Sequence[str]
) -> dict[str, float]:
    """How far the summary supports each nugget, 1, 0.5 or 0; NaN where the model does not say."""
    read = map(_read, answers.to(support_requests(model, summary, nuggets)))
    return dict(zip(nuggets, (support for values in read for support in values)))


def _read(answer: Answer) -> list[float]:
    found = _VERDICT.findall(after_reasoning(answer.text))
    values = {int(number): SUPPORT[word[0].lower()] for number, word in reversed(found)}  # the first counts
    return [values.get(number, math.nan) for number in range(1, AT_ONCE + 1)]
