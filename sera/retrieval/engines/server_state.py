"""The metadata of an index on a search server: its corpus, its state and its seal.

The seal records, for each shard of the index, the number of documents and the server's number of the last
change. Each later change of a document has a higher number; merges, moves of shards and restarts change
neither.
"""

from __future__ import annotations

import re
from typing import Any

from sera.errors import InputError
from sera.retrieval.engines.search_server import Busy, Refused, Server, part_of

RECEIPT_VERSION = 2  # 1: mean_idf with stop words

FACTS = {
    "format": str,
    "version": int,
    "analyzer": str,
    "mu": float,
    "fingerprint": str,
    "documents": int,
    "mean_idf": float,
}
SEAL = "seal"  # its key in the metadata of an index on the server, which also hold the facts
INDEX_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,199}")


def state_of(server: Server, index: str, shards: int) -> list[list[int]]:
    """For each shard, its number of documents and the number of its last change.

    Raises InputError for deleted documents, which count in the server's statistics until it merges them away,
    and Busy if shards are away, or if a copy of a shard differs from its primary, as one does that is behind:
    a search may ask any copy.
    """
    answer = server.ask("GET", index, "_stats", "docs", level="shards")
    copies = part_of(answer, dict, "indices").get(index, {})
    state = []
    for number in range(shards):
        started = [
            copy for copy in _copies(copies, number) if part_of(copy, str, "routing", "state") == "STARTED"
        ]
        primaries = [
            _state(copy) for copy in started if part_of(copy, dict, "routing").get("primary") is True
        ]
        if not primaries:
            raise Busy(
                InputError(
                    f"a part of the index {index} is away on {server.name}",
                    remedy="Check the server's health.",
                )
            )
        count, deleted, change = primaries[0]
        if deleted:
            raise InputError(
                f"the index {index} was changed since it was loaded: documents were replaced or deleted",
                remedy=_DELETE,
            )
        if any(_state(copy) != primaries[0] for copy in started):
            raise Busy(
                InputError(
                    f"the copies of the index {index} differ on {server.name}",
                    remedy="Check the server's health.",
                )
            )
        state.append([count, change])
    return state


def _state(copy: Any) -> tuple[int, int, int]:
    """The documents in a copy of a shard, those that were deleted, and the number of its last change."""
    count, deleted = part_of(copy, int, "docs", "count"), part_of(copy, int, "docs", "deleted")
    return count, deleted, part_of(copy, int, "seq_no", "max_seq_no")


def _copies(index: Any, number: int) -> list[Any]:
    copies = index.get("shards") if isinstance(index, dict) else None
    return part_of(copies, list, str(number)) if isinstance(copies, dict) and str(number) in copies else []


_DELETE = "Delete it on the server and load the corpus again."


def check_seal(server: Server, index: str, meta: dict[str, Any]) -> None:
    """Raise InputError if an index is not sealed or has changed since then."""
    seal = meta.get(SEAL)
    if not isinstance(seal, list):
        raise InputError(
            f"the index {index} was not loaded to its end",
            remedy="Load the corpus again: loading continues where it stopped.",
        )
    if state_of(server, index, len(seal)) != seal:
        raise InputError(f"the index {index} was changed since it was loaded", remedy=_DELETE)


def indexes_behind(server: Server, name: str) -> dict[str, dict[str, Any]]:
    """The indexes that a name stands for, an alias or an index's own name, each with its metadata."""
    try:
        mappings = server.ask("GET", name, "_mapping")
    except Refused as error:
        if error.status == 404:
            return {}
        raise
    metadata = {}
    for index, of_index in part_of(mappings, dict).items():
        meta = part_of(of_index, dict, "mappings").get("_meta", {})
        metadata[index] = meta if isinstance(meta, dict) else {}
    return metadata


def facts_of(indexes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The metadata of each index without the seal."""
    return {
        index: {name: value for name, value in meta.items() if name != SEAL}
        for index, meta in indexes.items()
    }
