"""Parts of an index in memory: an engine over some of its documents, without the documents' text.

The part has the columns that `sera.retrieval.engines.index_building.build_part` writes for the same documents
in the same order, so lengths, statistics of terms, phrases and rankings are those of an index of these
documents alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from sera.errors import InputError
from sera.retrieval.engines.embedded import EmbeddedEngine
from sera.retrieval.engines.index_format import DIGEST, Index, small, smallest, starts_of


class Part(Index):
    """Some documents of an index; every column is an array in memory, as `Index` documents it.

    ``documents`` are the numbers of the documents in the index, ascending; ``owners`` is the document of each
    of its positions (`owners_of`). The folder is the whole index's.
    """

    def __init__(self, whole: Index, documents: np.ndarray, owners: np.ndarray) -> None:
        kept = np.zeros(len(whole.lengths), bool)
        kept[documents] = True
        self.folder, self.manifest, self.analyzer = whole.folder, whole.manifest, whole.analyzer
        numbers = np.cumsum(kept) - 1  # of each kept document in the part

        self.ids, self.id_starts = _cut(whole.ids, whole.id_starts, kept)
        self.digests = whole.digests.reshape(-1, DIGEST)[kept].reshape(-1)
        self.fingerprint = hashlib.sha256(self.digests.tobytes()).hexdigest()
        self.lengths = small(whole.lengths[kept])
        self.starts = starts_of(np.diff(whole.starts)[kept])

        of_posting = np.flatnonzero(kept[whole.documents])
        postings = _counts(of_posting, whole.posting_starts)
        used = postings > 0
        self.terms, self.term_starts = _cut(whole.terms, whole.term_starts, used)
        self.posting_starts = starts_of(postings[used])
        self.documents = numbers[whole.documents[of_posting]].astype(smallest(len(self.lengths)))
        self.frequencies = small(whole.frequencies[of_posting])

        of_position = np.flatnonzero(kept[owners])
        self.position_starts = starts_of(_counts(of_position, whole.position_starts)[used])
        owners = owners[of_position]
        moved = self.starts[numbers[owners]] - whole.starts[owners]
        positions = whole.positions[of_position].astype(np.int64) + moved
        self.positions = positions.astype(smallest(int(self.starts[-1])))


def owners_of(index: Index) -> np.ndarray:
    """The number of the document of each position in the column ``positions``."""
    return (np.searchsorted(index.starts, index.positions, side="right") - 1).astype(
        smallest(len(index.lengths))
    )


def _cut(joined: np.ndarray, starts: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The kept strings of joined strings, joined again, and where each begins."""
    lengths = np.diff(starts)
    return joined[np.repeat(kept, lengths)], starts_of(lengths[kept])


def _counts(places: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """How many of the ascending places are in each group, given where the groups begin."""
    return np.diff(np.searchsorted(places, starts))


class PartsOfIndex:
    """The parts of one opened index, which share the places of phrases.

    ``ids`` are the ids of the index's documents in its order. Memory: about 30 bytes for each token of the
    whole index while a part is made, besides the part itself.
    """

    def __init__(self, engine: EmbeddedEngine) -> None:
        self.whole = engine
        self.ids = [each.decode("utf-8", "surrogatepass") for each in engine._index.every_id()]
        self.owners = owners_of(engine._index)
        self._documents: dict[str, np.ndarray] = {}

    def of(self, ids: Sequence[str]) -> PartEngine:
        """An engine over the documents of these ids, in the index's order.

        Raises InputError for an id that the index does not have.
        """
        wanted = set(ids)
        numbers = np.array([number for number, id in enumerate(self.ids) if id in wanted], np.int64)
        if len(numbers) < len(wanted):
            lacking = min(wanted - set(self.ids))
            raise InputError(f"the index has no document {lacking!r}", path=self.whole._index.folder)
        return PartEngine(self, numbers)

    def documents_with(self, phrase: str) -> np.ndarray:
        """The numbers of the whole index's documents that have a phrase; looked up once for all parts."""
        if phrase not in self._documents:
            self._documents[phrase] = self.whole._phrase_documents(self.whole._phrase(phrase))
        return self._documents[phrase]


class PartEngine(EmbeddedEngine):
    """An engine over a part of an index; `PartsOfIndex.of` returns one."""

    def __init__(self, parts: PartsOfIndex, numbers: np.ndarray) -> None:
        super().__init__(Part(parts.whole._index, numbers, parts.owners))
        self._parts = parts
        self._kept = np.zeros(parts.whole.documents, bool)
        self._kept[numbers] = True

    def _phrase_frequency(self, text: str) -> int:
        """As of an `EmbeddedEngine`, from the documents that the whole index finds.

        A phrase occurs in a document or not, whatever other documents there are.
        """
        return int(np.count_nonzero(self._kept[self._parts.documents_with(text)]))
