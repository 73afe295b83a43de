"""Summaries by a large language model on a server with OpenAI's interface (ROUGE-K's paper, Table 10).

The paper asks Llama 2 "Generate a summary of the following document in one sentence", cuts inputs off at 512
tokens and outputs at 128, and keeps the first sentence. The server counts the tokens of its answer. Those of
the article are the model's own, which only the server knows: here the article is cut off after a number of
words, by default 384, some 512 tokens at four tokens for three words. The answer is asked for at temperature
0.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError

from sera.errors import InputError
from sera.io.files import read_json, writing
from sera.io.records import Candidate, Source
from sera.progress import progress
from sera.text.sentences import sentences as split

PROMPT = "Generate a summary of the following document in one sentence"
"""The paper's prompt."""

ADDRESS_OF_MODEL, KEY_OF_MODEL = "SERA_LLM_URL", "SERA_LLM_KEY"
"""The environment variables with the server's address, as http://localhost:8000/v1, and its key."""

CONNECTING = urllib3.Timeout(connect=30, read=600)  # seconds
ATTEMPTS = 4  # of a question, where the server is busy
_BUSY = (408, 429, 500, 502, 503, 504)


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
        return {
            "model": self.model,
            "messages": [{"role": "user", "content": f"{self.prompt}:\n\n{document}"}],
            "max_tokens": self.output_tokens,
            "temperature": 0,
        }

    def kept(self, answer: str) -> tuple[str, ...]:
        """The sentences of an answer that are kept; one empty sentence if it is empty."""
        return tuple(split(" ".join(answer.split()))[: self.sentences]) or ("",)


@dataclass(frozen=True)
class ModelServer:
    """A server: the address before ``/chat/completions``, and the key, which no file and no message has."""

    address: str
    key: str | None = field(default=None, repr=False)

    def answer(self, body: Mapping[str, Any]) -> str:
        """The text that the model answers.

        A busy server is asked up to `ATTEMPTS` times. InputError if it cannot be reached, or answers with an
        error or without a text.
        """
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        retries = urllib3.Retry(
            ATTEMPTS - 1, redirect=False, status_forcelist=_BUSY, allowed_methods=None, backoff_factor=1,
            raise_on_status=False, retry_after_max=300,
        )  # fmt: skip
        pool = urllib3.PoolManager(timeout=CONNECTING, retries=retries, headers=headers)
        address = f"{self.address.rstrip('/')}/chat/completions"
        try:
            answer = pool.request("POST", address, body=json.dumps(body).encode(), redirect=False)
        except (HTTPError, OSError) as error:
            cause = type(getattr(error, "reason", None) or error).__name__
            problem = f"the language model's server {self.address} cannot be reached: {cause}"
            raise InputError(problem, remedy=f"Check {ADDRESS_OF_MODEL}.") from None
        if answer.status != 200:
            problem = f"the language model's server answers with status {answer.status}"
            remedy = f"Check the server, the model's name and {KEY_OF_MODEL}."
            raise InputError(problem, remedy=remedy)
        try:
            return str(json.loads(answer.data)["choices"][0]["message"]["content"])
        except (ValueError, LookupError, TypeError):
            remedy = f"Check that {ADDRESS_OF_MODEL} is the address of OpenAI's interface, up to /v1."
            raise InputError("the language model's server answers without a text", remedy=remedy) from None


def server_of_environment() -> ModelServer:
    """The server that the environment names; InputError if it names none, or a wrong address."""
    address = os.environ.get(ADDRESS_OF_MODEL, "")
    if not address:
        remedy = f"Set it to the server's address, as in {ADDRESS_OF_MODEL}=http://localhost:8000/v1."
        raise InputError(f"no language model is named: {ADDRESS_OF_MODEL} is not set", remedy=remedy)
    if not re.fullmatch(r"https?://[^@\s]+", address):  # it is not quoted, since it may hold a password
        problem = f"{ADDRESS_OF_MODEL} is not an address with http:// or https:// and without a password"
        raise InputError(problem, remedy=f"Give the key in {KEY_OF_MODEL}.")
    return ModelServer(address, os.environ.get(KEY_OF_MODEL) or None)


def summaries_of_model(
    question: Question, sources: Iterable[Source], name: str, server: ModelServer, answers: Path
) -> list[Candidate]:
    """A summary of each article; an answer that is in the folder ``answers`` is not asked for again.

    An answer has a file whose name is a hash over its request, so whatever has the same folder asks nothing
    twice: a rerun, an interrupted run, another question that keeps more sentences. A file has the request
    and the answer, and no address and no key. InputError as of `ModelServer.answer`.
    """
    summaries = []
    for source in progress(list(sources), "articles asked about"):
        body = question.body(source)
        path = answers / f"{hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()}.json"
        if path.exists():
            text = str(read_json(path, "an answer of a language model")["answer"])
        else:
            text = server.answer(body)
            with writing(path) as file:
                json.dump({"request": body, "answer": text}, file, ensure_ascii=False)
        summaries.append(Candidate(source.topic, name, question.kept(text)))
    return summaries
