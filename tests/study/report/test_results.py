"""The README's picture: small, of the right colours, with the alternative text of the page."""

from __future__ import annotations

import io
import re

from conftest import ROOT
from PIL import Image

from study.report.results import small_png


def test_a_figure_gets_fewer_pixels_and_keeps_flat_colours():
    picture = Image.new("RGB", (2880, 600), (0, 114, 178))
    picture.paste((213, 94, 0), (0, 0, 1440, 600))
    with Image.open(io.BytesIO(small_png(picture))) as small:
        assert small.size == (1440, 300) and small.format == "PNG" and small.mode == "P"
        colours = [small.convert("RGB").getpixel((x, 150)) for x in (100, 1340)]
    assert colours == [(213, 94, 0), (0, 114, 178)]


def test_the_readme_shows_a_small_picture_with_a_text():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r'<img src="docs/figures/comparison\.png"[^>]* alt="[^"]{40}', readme)
    assert (ROOT / "docs/figures/comparison.png").stat().st_size <= 150_000
