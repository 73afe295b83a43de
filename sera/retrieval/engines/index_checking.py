"""Check an index: its bytes against their checksums, and its columns against each other.

Checksums do not protect from an attacker, who can write them too. The checks of the columns therefore cover
everything that the engine's compiled loops rely on: no document, frequency or position leads out of a column.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator

import numpy as np

from sera import limits, names
from sera.compiled import compiled
from sera.errors import InputError
from sera.progress import Progress
from sera.retrieval.engines.index_format import REMEDY, Index
from sera.text import analysis

CHECKS_VERSION = 1
"""Version of the checks; after a new version, all indexes are checked again."""

_AT_ONCE = 1 << 20  # entries or bytes that are checked at a time
_STARTS = ("id_starts", "starts", "term_starts", "posting_starts", "position_starts")


def check_index(index: Index) -> None:
    """Read and check all of an index; raises InputError with the wrong file."""
    if not all(_ascending(getattr(index, name)) for name in _STARTS):
        raise InputError("the columns do not fit together", path=index.folder, remedy=REMEDY)
    _check_sums(index)
    _check_ids(index)
    _check_terms(index)
    _check_postings(index)


def _fault(index: Index, column: str, problem: str) -> InputError:
    return InputError(problem, path=index.folder / f"{column}.npy", remedy=REMEDY)


def _check_sums(index: Index) -> None:
    facts = index.manifest["files"]
    fingerprint = hashlib.sha256()
    with Progress("bytes of the index checked", sum(each["bytes"] for each in facts.values())) as progress:
        for name, (header, content) in index.contents().items():
            hashed = hashlib.sha256(header)
            for first in range(0, len(content), _AT_ONCE):
                piece = content[first : first + _AT_ONCE]
                hashed.update(piece.data)
                progress.advance(piece.nbytes)
                if name == "digests":
                    fingerprint.update(piece.data)
            if hashed.hexdigest() != facts[f"{name}.npy"]["sha256"]:
                raise _fault(index, name, "differs from its checksum")
    if fingerprint.hexdigest() != index.fingerprint:
        raise InputError("the fingerprint is not that of the documents", path=index.folder, remedy=REMEDY)


def _check_ids(index: Index) -> None:
    """Check that each id is a name and none is there twice."""
    if _longest(index.id_starts) > 4 * limits.NAME.value:
        raise limits.NAME.passed(path=index.folder / "ids.npy")
    for number, id in enumerate(index.every_id()):
        try:
            names.check("id", id.decode(), path=index.folder / "ids.npy")
        except UnicodeDecodeError:
            raise _fault(index, "ids", f"the id of the document number {number} is not UTF-8") from None
    hashes = np.fromiter(map(hash, index.every_id()), np.int64, len(index.lengths))
    hashes.sort()
    alike = hashes[1:][hashes[1:] == hashes[:-1]]
    if len(alike):  # ids with equal hashes are compared themselves
        suspects = set(alike.tolist())
        known: set[bytes] = set()
        for id in index.every_id():
            if hash(id) in suspects:
                if id in known:
                    raise _fault(index, "ids", f"the document {id.decode()!r} is there twice")
                known.add(id)


def _check_terms(index: Index) -> None:
    """Check that terms are UTF-8, in order, and different."""
    if _longest(index.term_starts) > 4 * analysis.LONGEST_TOKEN:
        raise _fault(index, "terms", f"a term has more than {4 * analysis.LONGEST_TOKEN} bytes")
    number = _first_out_of_order(index.terms, index.term_starts)
    if number >= 0:
        raise _fault(index, "terms", f"the term number {number} is not in order")
    begins = index.term_starts[:-1]
    for first in range(0, len(begins), _AT_ONCE):
        if ((index.terms[begins[first : first + _AT_ONCE]] & 0xC0) == 0x80).any():  # inside a character
            raise _fault(index, "terms", "a term is not UTF-8")
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for first in range(0, len(index.terms), _AT_ONCE):
            decoder.decode(index.terms[first : first + _AT_ONCE].data)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise _fault(index, "terms", "a term is not UTF-8") from None


@compiled
def _first_out_of_order(terms, starts):
    """The number of the first term that is empty or not above the one before; -1 if there is none."""
    for term in range(len(starts) - 1):
        place, end = starts[term], starts[term + 1]
        before = starts[max(term - 1, 0)]
        while before < starts[term] and place < end and terms[before] == terms[place]:
            before += 1
            place += 1
        if place == end or (before < starts[term] and terms[before] > terms[place]):
            return term
    return -1


_FAULTS = {
    1: ("posting_starts", "has no posting"),
    2: ("documents", "has postings of documents that are not there or not in order"),
    3: ("frequencies", "has frequencies that are not those of its positions"),
    4: ("positions", "has positions outside its documents or not in order"),
}


def _check_postings(index: Index) -> None:
    """Check that postings and positions are inside documents, and fit each other and the lengths."""
    tokens = np.zeros(len(index.lengths), np.int64)
    term, fault = _posting_fault(
        index.posting_starts, index.documents, index.frequencies, index.position_starts, index.positions,
        index.starts, tokens,
    )  # fmt: skip
    if fault:
        column, problem = _FAULTS[fault]
        raise _fault(index, column, f"the term number {term} {problem}")
    for first in range(0, len(tokens), _AT_ONCE):
        wrong = np.flatnonzero(tokens[first : first + _AT_ONCE] != index.lengths[first : first + _AT_ONCE])
        if len(wrong):
            number = first + int(wrong[0])
            said = f"the document number {number} has {tokens[number]} tokens, not {index.lengths[number]}"
            raise _fault(index, "lengths", said)


@compiled
def _posting_fault(
    posting_starts, documents, frequencies, position_starts, positions, starts, tokens
):  # fmt: skip
    """The first wrong term and its fault, a key of `_FAULTS`, or 0 if there is none.

    Adds the tokens of each document to ``tokens``. The starts must ascend from 0 to the length of the column
    that they belong to.
    """
    for term in range(len(posting_starts) - 1):
        place, end = position_starts[term], position_starts[term + 1]
        if posting_starts[term] == posting_starts[term + 1]:
            return term, 1
        before = np.int64(-1)
        for posting in range(posting_starts[term], posting_starts[term + 1]):
            document, often = np.int64(documents[posting]), np.int64(frequencies[posting])
            if document <= before or document >= len(tokens):
                return term, 2
            if often < 1 or often > end - place:
                return term, 3
            lowest, limit = starts[document], starts[document + 1]
            for at in range(place, place + often):
                position = np.int64(positions[at])
                if position < lowest or position >= limit:
                    return term, 4
                lowest = position + 1
            place += often
            tokens[document] += often
            before = document
        if place < end:
            return term, 3
    return 0, 0


def _ascending(starts: np.ndarray) -> bool:
    """Whether starts begin at 0 and never decrease, so the entries between two of them are in the column."""
    return starts[0] == 0 and all(bool((block[1:] >= block[:-1]).all()) for block in _blocks(starts))


def _longest(starts: np.ndarray) -> int:
    """The longest distance between two starts."""
    return max((int(np.diff(block).max(initial=0)) for block in _blocks(starts)), default=0)


def _blocks(starts: np.ndarray) -> Iterator[np.ndarray]:
    """Starts in pieces; the last entry of a piece is the first of the next."""
    return (starts[first : first + _AT_ONCE + 1] for first in range(0, len(starts), _AT_ONCE))
