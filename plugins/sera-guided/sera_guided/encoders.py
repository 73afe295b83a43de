"""The vectors of a text's tokens in a language model of transformers; it needs the extra ``guided``.

Texts are read as the authors' package of BERTScore reads them (`bert_score` 0.3.13): the layers above the one
that counts are removed, of a model that reads and writes only the part that reads is used, a text is cut off
where its tokenizer says, and for RoBERTa a space precedes the first word. With transformers 5 the
package leaves this space out and says nothing; the scores that its authors published have it.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from sera.errors import InputError, first_line
from sera.metrics.encoders import TokenVectors
from sera_guided.extras import import_needed
from sera_guided.layers import best_layer

_LISTS = ("layer", "layers", "block", "encoder.layer", "transformer.layer")  # where models keep their layers


class Encoder:
    """A language model by its name or folder; it computes on a GPU if there is one.

    InputError without the extra ``guided``, and for a model that cannot be read.
    """

    def __init__(self, name: str) -> None:
        self.name, self.cut = name, 0
        self._torch = import_needed("torch", "BERTScore")
        transformers = import_needed("transformers", "BERTScore")
        try:
            model = transformers.AutoModel.from_pretrained(name).eval()
            space = {"add_prefix_space": True} if model.config.model_type == "roberta" else {}
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(name, **space)
        except (OSError, ValueError, KeyError) as error:
            raise InputError(
                f"the language model {name!r} cannot be read: {first_line(error)}",
                remedy="Name a folder with a model and its tokenizer, or a name that can be downloaded.",
            ) from None
        self._model = model.encoder if hasattr(model, "encoder") and hasattr(model, "decoder") else model
        self._holder, self._list = _place_of_layers(self._model)
        self._layers = getattr(self._holder, self._list) if self._list else None
        self._tokens = lru_cache(maxsize=10_000)(self._encoded)

    @cached_property
    def _device(self) -> str:
        """Chosen when the first text is read, since a process that has used a GPU cannot be forked."""
        return "cuda" if self._torch.cuda.is_available() else "cpu"

    def layer(self, given: int | None) -> int:
        """The layer whose vectors count; InputError if the model has fewer or its best is not known."""
        chosen = given if given is not None else best_layer(self.name)
        if chosen is None:
            raise InputError(
                f"the best layer of the language model {self.name!r} is not known",
                remedy="Name a layer: --set BERTScore.layer=9.",
            )
        layers = self._model.config.num_hidden_layers if self._layers is None else len(self._layers)
        if chosen > layers:
            raise InputError(
                f"the language model {self.name!r} has {layers} layers, not {chosen}",
                remedy="Name a lower layer: --set BERTScore.layer=9.",
            )
        return chosen

    def tokens(self, text: str, layer: int | None = None) -> TokenVectors:
        """The tokens of a text with their vectors; a text that is longer than the model takes is cut off."""
        return self._tokens(text.strip(), self.layer(layer))

    def _encoded(self, text: str, layer: int) -> TokenVectors:
        ids = self._tokenizer(text, truncation=True, max_length=self._longest)["input_ids"]
        self.cut += len(ids) == self._longest < len(self._tokenizer(text)["input_ids"])
        if not ids:  # an empty text, for a model without marks
            return TokenVectors(np.zeros((0, 1)), np.zeros(0, bool))
        if self._layers is not None:
            setattr(self._holder, self._list, self._layers[:layer])
        model = self._model.to(self._device)
        read = self._torch.tensor([ids], device=self._device)
        with self._torch.no_grad():
            out: Any = model(
                input_ids=read,
                attention_mask=self._torch.ones_like(read),
                output_hidden_states=self._layers is None,
            )
        states = out.hidden_states[layer] if self._layers is None else out.last_hidden_state
        found = states[0].double().cpu().numpy()
        marks = [self._tokenizer.cls_token_id, self._tokenizer.sep_token_id]
        return TokenVectors(found / np.linalg.norm(found, axis=1, keepdims=True), ~np.isin(ids, marks))

    @cached_property
    def _longest(self) -> int:
        """The most tokens of a text: as the tokenizer says, and no more than the model has positions."""
        most = int(self._tokenizer.model_max_length)
        table = getattr(getattr(self._model, "embeddings", None), "position_embeddings", None)
        if table is None:
            return most
        # RoBERTa's positions begin behind that of padding
        first = 0 if table.padding_idx is None else table.padding_idx + 1
        return min(most, table.num_embeddings - first)


def _place_of_layers(model: Any) -> tuple[Any, str]:
    """The part of a model that has the list of its layers, and the list's name; an empty one if not known."""
    for path in _LISTS:
        inside, _, last = path.rpartition(".")
        holder = getattr(model, inside, None) if inside else model
        if hasattr(getattr(holder, last, None), "__len__"):
            return holder, last
    return model, ""
