"""The Elasticsearch engine: an index on a server of version 7.14 to 9, which ranks as the embedded one does.

`sera.retrieval.engines.server_engine` and `sera.retrieval.engines.server_loading` do the work; this module
has the client.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import Any

from elastic_transport import (
    HttpHeaders,
    NodeConfig,
    SerializationError,
    TlsError,
    TransportError,
    Urllib3HttpNode,
)
from elasticsearch import ApiError, Elasticsearch, UnsupportedProductError
from elasticsearch.serializer import JsonSerializer

from sera.errors import InputError, Path
from sera.records import Document
from sera.retrieval.engines import server_engine, server_loading
from sera.retrieval.engines.search_server import (
    TIMEOUT,
    Asking,
    Away,
    Product,
    Refused,
    Settings,
    Strange,
    Untrusted,
    bound,
    parsed,
    parsed_error,
)


class Node(Urllib3HttpNode):
    """A connection that names plain JSON as media type, since servers refuse the type of other versions.

    Answers are bounded (`sera.servers`), redirects are not followed, and the answer of an error may have any
    content.
    """

    def __init__(self, config: NodeConfig) -> None:
        super().__init__(config)
        bound(self.pool)

    def perform_request(self, method, target, body=None, headers=None, **settings):  # type: ignore[override]
        plain = HttpHeaders(headers or {})
        for name in ("accept", "content-type"):
            if name in plain:
                plain[name] = _VERSIONED.sub(r"application/\1", plain[name])
        answer = super().perform_request(method, target, body=body, headers=plain, **settings)
        return answer if 200 <= answer.meta.status < 300 else _error(answer)


_VERSIONED = re.compile(r"application/vnd\.elasticsearch\+([a-z-]+); ?compatible-with=\d+")


def _error(answer: Any) -> Any:
    """The answer of an error; content that is not JSON becomes text."""
    headers = answer.meta.headers.copy()
    content = parsed_error(answer.body)
    text = isinstance(content, str)
    headers["content-type"] = "text/plain" if text else "application/json"
    body = content.encode() if text else answer.body
    return type(answer)(dataclasses.replace(answer.meta, headers=headers), body)


class _Json(JsonSerializer):
    """The client's JSON for requests; reading accepts any answer."""

    def loads(self, data: bytes) -> Any:
        return parsed(data) if data else None


def _client(settings: Settings, node: type[Node] | None) -> Asking:
    options: dict[str, Any] = {"ca_certs": settings.ca} if settings.ca else {}
    client = Elasticsearch(
        settings.hosts,
        node_class=node or Node,
        headers={"authorization": settings.authorization} if settings.authorization else {},
        request_timeout=TIMEOUT,
        retry_on_status=(),  # `Server.patiently` repeats requests, after a wait
        serializers={"application/json": _Json()},
        **options,
    )

    def ask(method: str, target: str, parameters: dict[str, str], body: bytes | None, kind: str) -> Any:
        headers = {"accept": "application/json", **({"content-type": kind} if body else {})}
        try:
            return client.perform_request(method, target, params=parameters, headers=headers, body=body).body
        except UnsupportedProductError as error:
            raise _other_product(error.body) from None
        except ApiError as error:
            raise Refused(error.status_code, error.body, error.meta.headers) from None
        except TlsError:
            raise Untrusted from None
        except SerializationError:
            raise Strange("is of another kind than JSON") from None
        except TransportError as error:
            raise Away(type(error).__name__) from None

    return ask


def _other_product(body: Any) -> InputError:
    version = body.get("version") if isinstance(body, dict) else None
    if isinstance(version, dict) and version.get("distribution") == "opensearch":
        return InputError(
            "the server is OpenSearch, not Elasticsearch",
            remedy="Use the engine `opensearch`, and name the server in OPENSEARCH_HOSTS.",
        )
    return InputError(
        "the server is not Elasticsearch, or older than 7.14", remedy="Use a server of version 7.14 to 9."
    )


ELASTICSEARCH = Product(
    name="Elasticsearch",
    majors=(7, 8, 9),
    versions="7.14 to 9",
    privileges="Give them monitor for the cluster; read, view_index_metadata and monitor for the index and "
    "its alias; and, to load, also manage and write.",
    api_keys=True,
    client=_client,
)


def open_index(
    folder: Path, *, patience: float | None = None, node: type[Node] | None = None
) -> server_engine.ServerEngine:
    """Open the index of the receipt in a folder; see `server_engine.open_index`."""
    return server_engine.open_index(folder, ELASTICSEARCH, patience=patience, node=node)


def load(documents: Iterable[Document], folder: Path, **settings: Any) -> None:
    """Load documents into the server's index; see `server_loading.load` for the settings."""
    server_loading.load(documents, folder, ELASTICSEARCH, **settings)
