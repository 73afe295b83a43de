"""The OpenSearch engine: an index on a server of version 2 or 3, which ranks as the embedded one does.

`sera.retrieval.engines.server_engine` and `sera.retrieval.engines.server_loading` do the work; this module
has the client, of the package opensearch-py (the extra ``opensearch``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

import opensearchpy
from urllib3.exceptions import HTTPError, SSLError

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
    part_of,
)


class OpenSearchNode(opensearchpy.Urllib3HttpConnection):
    """A connection whose answers are bounded (`sera.servers`); redirects are not followed.

    Raises Refused for the answer of an error, and the client's ConnectionError or SSLError without an answer.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        bound(self.pool)

    def perform_request(self, method, url, params=None, body=None, timeout=None, ignore=(), headers=None):
        target = self.url_prefix + url + (f"?{urlencode(params)}" if params else "")
        try:
            sent = {**self.headers, **(headers or {})}
            answer = self.pool.urlopen(method, target, body=body, headers=sent, retries=False)
        except InputError:  # an answer beyond the limits
            raise
        except SSLError as error:
            raise opensearchpy.SSLError("N/A", str(error), error) from None
        except (HTTPError, OSError, ValueError) as error:
            raise opensearchpy.ConnectionError("N/A", str(error), error) from None
        if not 200 <= answer.status < 300:
            raise Refused(answer.status, parsed_error(answer.data), answer.headers)
        return answer.status, answer.headers, answer.data


class _Json(opensearchpy.JSONSerializer):
    """Bodies are JSON already; reading accepts any answer."""

    def dumps(self, data: Any) -> Any:
        return data

    def loads(self, data: Any) -> Any:
        return parsed(data)


def _client(settings: Settings, node: type[OpenSearchNode] | None) -> Asking:
    options: dict[str, Any] = {"ca_certs": settings.ca} if settings.ca else {}
    transport = opensearchpy.OpenSearch(
        settings.hosts,
        connection_class=node or OpenSearchNode,
        headers={"authorization": settings.authorization} if settings.authorization else {},
        timeout=TIMEOUT,
        retry_on_status=(),  # `Server.patiently` repeats requests, after a wait
        serializer=_Json(),
        **options,
    ).transport

    def ask(method: str, target: str, parameters: dict[str, str], body: bytes | None, kind: str) -> Any:
        try:
            answer = transport.perform_request(
                method, target, params=parameters, headers={"content-type": kind}, body=body
            )
        except opensearchpy.SSLError:
            raise Untrusted from None
        except opensearchpy.SerializationError:
            raise Strange("is of another kind than JSON") from None
        except opensearchpy.TransportError as error:
            raise Away(type(error).__name__) from None
        if target == "/":
            _check_product(answer)
        return answer

    return ask


def _check_product(answer: Any) -> None:
    version = part_of(answer, dict, "version")
    if version.get("distribution") != "opensearch":
        raise InputError(
            "the server is not OpenSearch",
            remedy="Use a server of version 2 or 3, or, for Elasticsearch, the engine `elasticsearch`.",
        )


OPENSEARCH = Product(
    name="OpenSearch",
    majors=(2, 3),
    versions="2 or 3",
    privileges="Give them cluster_monitor, cluster:monitor/main and indices:data/write/bulk for the cluster; "
    "read and indices_monitor for the index and its alias; and, to load, also manage and write.",
    api_keys=False,
    client=_client,
)


def open_index(
    folder: Path, *, patience: float | None = None, node: type[OpenSearchNode] | None = None
) -> server_engine.ServerEngine:
    """Open the index of the receipt in a folder; see `server_engine.open_index`."""
    return server_engine.open_index(folder, OPENSEARCH, patience=patience, node=node)


def load(documents: Iterable[Document], folder: Path, **settings: Any) -> None:
    """Load documents into the server's index; see `server_loading.load` for the settings."""
    server_loading.load(documents, folder, OPENSEARCH, **settings)
