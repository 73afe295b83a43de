"""A language model on loopback."""

import contextlib
import json
import threading
from collections.abc import Iterator

import pytest
from loopback import LoopbackServer, QuietHandler

VARIABLES = ("URL", "KEY", "ANSWERS", "AT_ONCE")


def said(text: str | None, tokens: int = 0, **choice: object) -> dict:
    answer = {"choices": [{"message": {"role": "assistant", "content": text}, **choice}]}
    return {**answer, "usage": {"total_tokens": tokens}} if tokens else answer


class LanguageModel(LoopbackServer):
    """Keeps what it is asked, and answers from a list, the last one again and again, or by ``tell``.

    An answer is a status, its body, and maybe headers; one with ``half`` breaks off, and one with ``slow``
    comes after as many seconds.
    """

    def __init__(self) -> None:
        super().__init__(Handler)
        self.asked, self.answers = [], [(200, said("A cell divides. It grows."))]
        self.tell = lambda prompt: None

    @property
    def address(self) -> str:
        return f"{super().address}/v1"

    @property
    def prompts(self) -> list[str]:
        return [body["messages"][0]["content"] for _, _, body in self.asked]


class Handler(QuietHandler):
    def do_POST(self) -> None:
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked.append((self.path, self.headers.get("Authorization"), body))
        text = server.tell(body["messages"][0]["content"]) if "messages" in body else None
        answers = [(200, said(text))] if text is not None else server.answers
        status, answer, *rest = answers.pop(0) if len(answers) > 1 else answers[0]
        headers = rest[0] if rest else {}
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        threading.Event().wait(headers.get("slow", 0))  # tests replace time.sleep
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.close_connection = "half" in headers or "slow" in headers
        with contextlib.suppress(BrokenPipeError):  # who asked did not wait
            self.wfile.write(data[: len(data) // 2] if "half" in headers else data)


@pytest.fixture
def language_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageModel]:
    """One that the environment does not name."""
    for variable in VARIABLES:
        monkeypatch.delenv(f"SERA_LLM_{variable}", raising=False)
    with LanguageModel() as server:
        yield server
