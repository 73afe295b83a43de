"""Made-up pairs for the engines, as many and as different as wanted."""

from __future__ import annotations

import random

import pandas as pd

METRICS = ["ROUGE-1-F", "ROUGE-2-R(stem=true)", "ROUGE-L-F"]


def pairs(count: int) -> pd.DataFrame:
    """Candidates of up to 60 words, with one to three references; the same for the same count."""
    drawn = random.Random(0)
    words = [
        f"{stem}{ending}" for stem in ("cell", "kinase", "bind", "grow", "p53") for ending in ("", "s", "ing")
    ]

    def text() -> str:
        return " ".join(drawn.choices(words, k=drawn.randint(0, 60)))

    rows = [(number, text(), [text() for _ in range(drawn.randint(1, 3))]) for number in range(count)]
    return pd.DataFrame(rows, columns=["id", "candidate", "references"])
