"""What the page of a study shows of other targets."""

from __future__ import annotations

from study.multiverse.choices import DIMENSIONS
from study.report.optional_results import optional_results

OWN = dict.fromkeys(DIMENSIONS, "x") | {"pyramid_threshold": 0.75, "rouge_stem": True, "mu": 2000}
RELEASED = {"pooled", "recognition"}  # what a checkout has of other data
WRITTEN = {name: str(value).lower() for name, value in OWN.items()} | {"mu": "2000.0"}


def write_universes(out, **changed):
    """The universes of one question with its page's files, in the folder of a study."""
    cells = {"question": "systems", "universe": "own", **WRITTEN, **changed}
    (out / "multiverse/figures").mkdir(parents=True, exist_ok=True)
    table = "\t".join(cells) + "\n" + "\t".join(cells.values()) + "\n"
    (out / "multiverse/universes.tsv").write_text(table)
    (out / "multiverse/figures/specification_curve_systems.svg").touch()


def test_a_multiverse_of_other_settings_is_not_shown(tmp_path):
    def shown(own):
        return {*optional_results(tmp_path, None, own)} - RELEASED

    assert shown(OWN) == set()
    write_universes(tmp_path)
    every = {"curve_systems"}
    assert shown(OWN) == every
    assert shown(None) == set()
    assert shown(OWN | {"level": "summary"}) == every
    for other in ({"mu": 500}, {"rouge_stem": False}, {"length": "9 words"}):
        assert shown(OWN | other) == set()
    (tmp_path / "multiverse/figures/specification_curve_systems.svg").unlink()
    assert shown(OWN) == set()
