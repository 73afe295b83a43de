"""The summarizers of ROUGE-K's paper (Takeshita et al. 2024, sections 4 and 5): BART with guidance by TF-IDF.

They are trained, so their interface is not that of `sera.summarizers`: `training.train` writes a
system into a folder, and `systems.generate` writes summaries with it. torch and transformers are imported
when a system is used; `sera.extras` refuses what lacks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sera.registry import Registry
from sera_guided.layers import best_layer

__all__ = ["GUIDED", "TINY", "best_layer", "check_settings", "modules_of"]

# An entry: module and class, a description, and the supervision that it needs besides articles and summaries.
GUIDED = Registry(
    "guided summarizer",
    {
        "bart": ("sera_guided.bart:GuidedBart", "BART as it is (Lewis et al. 2020)"),
        "rwenc": ("sera_guided.rwenc:ReweightedEncoding", "TF-IDF in the encoder's attention"),
        "rwgen": ("sera_guided.rwgen:ReweightedGeneration", "TF-IDF in the choice of the next token"),
        "tdmtl": ("sera_guided.multitask:TfIdfTask", "TF-IDF predicted beside the summary"),
        "tdsum": ("sera_guided.tdsum:TfIdfDecoding", "TF-IDF in the decoder's own cross-attention"),
        "mtl": (
            "sera_guided.multitask:KeywordTask",
            "keywords predicted beside the summary (Saito et al. 2020)",
            "keywords",
        ),
        "gsum": (
            "sera_guided.gsum:GuidanceDecoding",
            "keywords encoded as a second text (Dou et al. 2021)",
            "keywords",
        ),
        "presumm": (
            "sera_guided.presumm:ExtractiveEncoder",
            "sentences chosen by BERT (Liu & Lapata 2019)",
            "sentences",
        ),
    },
    group="sera.guided",
)

TINY = "tiny"
"""The name of the model that is initialised from the seed and not pretrained."""


def check_settings(given: Mapping[str, Any]) -> None:
    """InputError for settings of training that are unknown or out of range."""
    from sera_guided.settings import GuidedSettings

    GuidedSettings.from_mapping(given)


def modules_of(system: str) -> list[str]:
    """The modules that train a system and write its summaries."""
    sort = "presumm" if "sentences" in GUIDED.needs(system) else "abstractive"
    of_all = [f"sera_guided.{module}" for module in ("cli", "training", "systems", sort)]
    return [*of_all, GUIDED.module(system)]
