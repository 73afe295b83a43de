"""A stub of a search server, that can answer anything."""

import contextlib
import json
import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import pytest
from loopback import LoopbackServer, QuietHandler

VARIABLES = ("HOSTS", "API_KEY", "USER", "PASSWORD", "CA", "INDEX", "SHARDS")


class Stub(LoopbackServer):
    """Holds indexes as far as loading and searching see; ``instead`` are raw answers to what matches."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.meta: dict[str, dict] = {}
        self.shards: dict[str, int] = {}
        self.ids: dict[str, dict[str, int]] = {}  # index: document: number of its last change
        self.changes = -1
        self.deleted = 0
        self.alias = ""
        self.replica: dict[str, object] = {}  # what differs in the first shard's second copy
        self.version: object = "8.17.0"
        self.about: dict[str, str] = {}  # of the version: a distribution
        self.instead: dict[str, list[bytes]] = {}  # pattern of "GET /path": answers, the last for ever
        self.asked: list[tuple[str, str]] = []  # request, Authorization
        self.bodies: list[bytes] = []  # of searches

    def put(self, index: str, id: str) -> None:
        self.changes += 1
        self.ids[index][id] = self.changes

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, object]:
        parts = path.strip("/").split("/")
        index = self.alias if parts[0] == "sera" and self.alias else parts[0]
        last = parts[1] if len(parts) > 1 else ""
        if path == "/":
            return 200, {"version": {"number": self.version, **self.about}}
        if path == "/_aliases":
            self.alias = json.loads(body)["actions"][-1]["add"]["index"]
        elif last == "_mapping" and method == "GET":
            if index not in self.meta:
                return 404, {"error": {"type": "index_not_found_exception", "reason": "none"}}
            return 200, {index: {"mappings": {"_meta": self.meta[index]}}}
        elif last == "_mapping":
            self.meta[index] = json.loads(body)["_meta"]
        elif last == "_bulk":
            ids = [json.loads(line)["create"]["_id"] for line in body.splitlines()[::2]]
            items = []
            for id in ids:
                items.append({"create": {"_id": id, "status": 409 if id in self.ids[index] else 201}})
                if id not in self.ids[index]:
                    self.put(index, id)
            return 200, {"items": items}
        elif last == "_count":
            return 200, {"count": len(self.ids[index]), "_shards": {"failed": 0}}
        elif last == "_stats":
            docs = {"count": len(self.ids[index]), "deleted": self.deleted}
            copy = {"docs": docs, "seq_no": {"max_seq_no": self.changes}}
            first = {"routing": {"primary": True, "state": "STARTED"}, **copy}
            replica = {"routing": {"primary": False, "state": "STARTED"}, **copy, **self.replica}
            empty = {**first, "docs": {"count": 0, "deleted": 0}, "seq_no": {"max_seq_no": -1}}
            rest = {str(number): [empty] for number in range(1, self.shards[index])}
            return 200, {"indices": {index: {"shards": {"0": [replica, first], **rest}}}}
        elif path == "/_msearch":
            self.bodies.append(body)
            hits = {"hits": [{"_id": "d2", "sort": [1.5, 1]}], "total": {"value": 2}}
            one = {"hits": hits, "timed_out": False, "_shards": {"failed": 0}, "status": 200}
            return 200, {"responses": [one] * (len(body.splitlines()) // 2)}
        elif method == "PUT" and not last:
            if index in self.meta:
                return 400, {"error": {"type": "resource_already_exists_exception"}}
            asked = json.loads(body)
            self.meta[index], self.ids[index] = asked["mappings"]["_meta"], {}
            self.shards[index] = asked["settings"]["number_of_shards"]
        return 200, {"acknowledged": True}


class Handler(QuietHandler):
    def any(self) -> None:
        stub = self.server
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = unquote(urlsplit(self.path).path)
        stub.asked.append((f"{self.command} {path}", self.headers.get("Authorization", "")))
        for pattern, answers in stub.instead.items():
            if answers and re.fullmatch(pattern, f"{self.command} {path}"):
                raw = answers.pop(0) if len(answers) > 1 or answers[0].startswith(b"once:") else answers[0]
                closing = b"Connection: close\r\nX-Elastic-Product"
                self.wfile.write(raw.removeprefix(b"once:").replace(b"X-Elastic-Product", closing, 1))
                self.close_connection = True
                return
        status, content = stub.answer(self.command, path, body)
        self.wfile.write(raw_answer(status, json.dumps(content).encode()))

    do_DELETE = do_GET = do_HEAD = do_POST = do_PUT = any


def raw_answer(status=200, body=b"{}", *headers, kind="application/json", length=None) -> bytes:
    head = [f"HTTP/1.1 {status} Some-Reason", f"Content-Type: {kind}", "X-Elastic-Product: Elasticsearch"]
    head += [f"Content-Length: {len(body) if length is None else length}", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


@contextlib.contextmanager
def named_stub(monkeypatch: pytest.MonkeyPatch, product: str) -> Iterator[Stub]:
    """A stub that the environment names alone, as a server of the product: ELASTICSEARCH or OPENSEARCH."""
    for variable in VARIABLES:
        monkeypatch.delenv(f"{product}_{variable}", raising=False)
    with Stub() as stub:
        if product == "OPENSEARCH":
            stub.version, stub.about = "2.19.1", {"distribution": "opensearch"}
        monkeypatch.setenv(f"{product}_HOSTS", stub.address)
        yield stub
