"""A language model on loopback."""

import json
from collections.abc import Iterator

import pytest
from loopback import LoopbackServer, QuietHandler


def said(text: str | None) -> dict:
    return {"choices": [{"message": {"role": "assistant", "content": text}}]}


class LanguageModel(LoopbackServer):
    """Keeps what it is asked, and answers from a list, the last one again and again."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.asked, self.answers = [], [(200, said("A cell divides. It grows."))]

    @property
    def address(self) -> str:
        return f"{super().address}/v1"


class Handler(QuietHandler):
    def do_POST(self) -> None:
        server = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server.asked.append((self.path, self.headers.get("Authorization"), json.loads(body)))
        status, answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def language_model() -> Iterator[LanguageModel]:
    with LanguageModel() as server:
        yield server
