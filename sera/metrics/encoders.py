"""Encoders: the vectors of a text's tokens in a language model, for BERTScore.

`OnnxEncoder` reads the export of a model to ONNX, with the extra ``neural``. An entry point of the group
``sera.encoders`` brings another kind: a class that takes the model's name, with the methods of `Encoder`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sera.errors import InputError
from sera.extras import extra_for
from sera.io.files import read_json, sha256

if TYPE_CHECKING:  # rules read the name of the model where Snakemake is installed alone
    import numpy as np

MODEL, TOKENIZER, CONFIG = "model.onnx", "tokenizer.json", "config.json"


class TokenVectors(NamedTuple):
    """The tokens of a text: their vectors, of length 1, one a row, and which of them are words.

    The others are special tokens, as [CLS] and [SEP].
    """

    vectors: np.ndarray
    words: np.ndarray


class Encoder(Protocol):
    """A language model. ``name`` is for signatures, ``cut`` counts the texts that were cut off."""

    name: str
    cut: int

    def layer(self, given: int | None) -> int:
        """The layer whose vectors count; InputError if the model does not have it, or its best is unknown."""

    def tokens(self, text: str, layer: int | None = None) -> TokenVectors:
        """The tokens of a text with their vectors; a text that is longer than the model takes is cut off."""


@cache
def open_encoder(name: str) -> Encoder:
    """The model of a name or a folder, loaded once: one with ``model.onnx``, else one of an entry point.

    InputError if nothing that is installed reads it.
    """
    if Path(name, MODEL).is_file():
        return OnnxEncoder(name)
    for entry in metadata.entry_points(group="sera.encoders"):
        encoder: Encoder = entry.load()(name)
        return encoder
    remedy = f"Name a folder with {MODEL} and {TOKENIZER}, or install sera-guided for models of transformers."
    raise InputError(f"nothing reads the language model {name!r}", remedy=remedy)


def open_files(files: Mapping[str, Any], texts: Iterable[Any]) -> Encoder:
    """The model ``encoder``, a name or a folder."""
    return open_encoder(files["encoder"])


class OnnxEncoder:
    """A folder with a model's export to ONNX (``model.onnx``) and its tokenizer (``tokenizer.json``).

    The vectors are those of the last layer, the output ``last_hidden_state``. A text has at most as many
    tokens as ``config.json`` says (``max_position_embeddings``), by default 512. One thread computes, since a
    study runs several jobs.
    """

    def __init__(self, name: str) -> None:
        with extra_for("BERTScore"):
            import onnxruntime
            from tokenizers import Tokenizer
        folder = Path(name)
        self.name = f"{folder.absolute().name}#{sha256(str(folder / MODEL))[:8]}"
        self.cut = 0
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            self._session = onnxruntime.InferenceSession(folder / MODEL, options)
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        except Exception as error:  # of kinds that are not documented
            problem = f"cannot be read: {' '.join(str(error).split())[:200]}"
            remedy = f"Export the model again, with {TOKENIZER} beside it."
            raise InputError(problem, path=folder, remedy=remedy) from None
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        config = read_json(folder / CONFIG) if (folder / CONFIG).exists() else {}
        self.longest = int(config.get("max_position_embeddings", 512))
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._encoded = lru_cache(maxsize=10_000)(self._encode)

    def layer(self, given: int | None) -> int:
        """The last one, 0 in signatures: an export has no other."""
        if given is not None:
            raise InputError("an ONNX export has the last layer alone", remedy="Leave out the layer.")
        return 0

    def tokens(self, text: str, layer: int | None = None) -> TokenVectors:
        """As of `Encoder`."""
        return self._encoded(text.strip())

    def _encode(self, text: str) -> TokenVectors:
        encoding = self._tokenizer.encode(text)
        if len(encoding.ids) > self.longest:
            self.cut += 1
            encoding.truncate(self.longest)  # without the closing mark, so that each token is a word's
        import numpy as np

        ids = np.array([encoding.ids], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        asked = {name: inputs[name] for name in inputs if name in self._inputs}
        vectors = self._session.run(["last_hidden_state"], asked)[0][0].astype(float)
        words = np.array(encoding.special_tokens_mask) == 0
        return TokenVectors(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), words)
