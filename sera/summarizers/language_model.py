"""Summaries by a large language model on a server with OpenAI's interface (ROUGE-K's paper, Table 10).

The paper asks Llama 2 "Generate a summary of the following document in one sentence", cuts inputs off at 512
tokens and outputs at 128, and keeps the first sentence. The server counts the tokens of its answer. Those of
the article are the model's own, which only the server knows: here the article is cut off after a number of
words, by default 384, some 512 tokens at four tokens for three words. The answer is asked for at temperature
0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sera.io.files import read_json
from sera.io.language_models import Answers, ModelServer, ask
from sera.io.records import Candidate, Source
from sera.text.sentences import sentences as split

PROMPT = "Generate a summary of the following document in one sentence"
"""The paper's prompt."""


@dataclass(frozen=True)
class Question:
    """What a model is asked for each article.

    input_words:   words of the article that are sent; white space separates them
    output_tokens: most tokens of the answer, as the server counts
    sentences:     sentences of the answer that are kept
    """

    model: str
    prompt: str = PROMPT
    input_words: int = 384
    output_tokens: int = 128
    sentences: int = 1

    def body(self, source: Source) -> dict[str, Any]:
        """The request about an article; the same article and settings give the same request."""
        document = " ".join(" ".join(source.sentences).split()[: self.input_words])
        return ask(self.model, f"{self.prompt}:\n\n{document}", self.output_tokens)

    def kept(self, answer: str) -> tuple[str, ...]:
        """The sentences of an answer that are kept; one empty sentence if it is empty."""
        return tuple(split(" ".join(answer.split()))[: self.sentences]) or ("",)


def summaries_of_model(
    question: Question, sources: Iterable[Source], name: str, answers: Path, server: ModelServer | None = None
) -> list[Candidate]:
    """A summary of each article; an answer that is in the folder ``answers`` is not asked for again.

    Whatever has the same folder asks nothing twice: a rerun, an interrupted run, another question that keeps
    more sentences. The folder has a record, and may have a file for each answer, as an earlier version wrote
    it. InputError as of `sera.io.language_models.Answers.to`.
    """
    files = [path for path in answers.glob("*.json") if len(path.stem) == 64]
    earlier = {path.stem: str(read_json(path, "an answer of a language model")["answer"]) for path in files}
    sources = list(sources)
    found = Answers(answers / "answers.jsonl", server, earlier).to([question.body(each) for each in sources])
    return [
        Candidate(source.topic, name, question.kept(answer.text))
        for source, answer in zip(sources, found, strict=True)
    ]
