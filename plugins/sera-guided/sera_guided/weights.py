"""The folder of a trained system: tensors in safetensors, all else in JSON, nothing that could run code."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file
from transformers import AutoConfig

from sera.errors import InputError, first_line
from sera.io.files import MANIFEST, read_json, writing
from sera_guided.settings import GuidedSettings

SYSTEM_FILE, TENSORS = "system.json", "model.safetensors"
SYSTEM_FORMAT, SYSTEM_VERSION = "sera-guided", 1


def load_pretrained(kind: Any, name: str, setting: str, sort: str = "") -> Any:
    """What transformers has by a name or in a folder; InputError if it has none.

    sort: the ``model_type`` that its configuration must have; InputError for another, of which transformers
          would take what fits and draw the rest
    """
    if sort and (found := load_pretrained(AutoConfig, name, setting).model_type) != sort:
        raise InputError(
            f"guided.{setting}: {name!r} is a model of the type {found!r}",
            remedy=f"Name one of the type {sort!r}.",
        )
    try:
        return kind.from_pretrained(name)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"guided.{setting}: {name!r} cannot be read: {first_line(error)}",
            remedy="Name a folder with the model and its tokenizer, a name that can be downloaded, or tiny.",
        ) from None


def save_weights(model: Any, folder: Path, system: str, settings: GuidedSettings, **more: Any) -> None:
    """Write a model's tensors, and which system it is with which settings."""
    held_tensors = model.state_dict()
    save_file({name: held_tensors[name].contiguous() for name in _own(model)}, folder / TENSORS)
    held = {"version": SYSTEM_VERSION, "system": system, "settings": asdict(settings), **more}
    with writing(folder / SYSTEM_FILE) as file:
        json.dump(held, file, indent=1)


def load_weights(model: Any, folder: Path) -> None:
    """Read the tensors that `save_weights` wrote; of several names of one tensor, they have the first."""
    model.load_state_dict(load_file(folder / TENSORS), strict=False)


def _own(model: Any) -> list[str]:
    """The names of a model's tensors, sorted; of several names of one tensor, the first."""
    first: dict[int, str] = {}
    for name, tensor in sorted(model.state_dict().items()):
        first.setdefault(tensor.data_ptr() if tensor.numel() else id(tensor), name)
    return sorted(first.values())


def read_system(folder: Path) -> dict[str, Any]:
    """What `save_weights` has written beside the tensors; InputError for a folder that holds no system."""
    if not (folder / SYSTEM_FILE).is_file():
        raise InputError("holds no trained system", path=folder, remedy="Train one: sera-guided train.")
    held: dict[str, Any] = read_json(folder / SYSTEM_FILE)
    if held.get("version") != SYSTEM_VERSION:
        raise InputError("is of another version", path=folder / SYSTEM_FILE, remedy="Train the system again.")
    return held


def write_manifest(folder: Path) -> None:
    """List the files of a system's folder, so that only a folder of them is replaced by a new one."""
    files = {file.name: file.stat().st_size for file in sorted(folder.iterdir())}
    held = {"format": SYSTEM_FORMAT, "version": SYSTEM_VERSION, "files": files}
    with writing(folder / MANIFEST) as file:
        json.dump(held, file, indent=1)
