"""The README's pictures: small, of the right colours, with the alternative texts of the page."""

from __future__ import annotations

import io
import random

from conftest import ROOT
from PIL import Image

from study.report.gallery import (
    LARGEST_PICTURE,
    PICTURES,
    alternative_texts,
    small_png,
    with_alternative_texts,
)


def test_a_figure_gets_fewer_pixels_and_keeps_flat_colours(tmp_path):
    picture = Image.new("RGB", (2880, 600), (0, 114, 178))
    picture.paste((213, 94, 0), (0, 0, 1440, 600))
    picture.save(tmp_path / "flat.png")
    with Image.open(io.BytesIO(small_png(tmp_path / "flat.png"))) as small:
        assert small.size == (1440, 300) and small.format == "PNG" and small.mode == "P"
        colours = [small.convert("RGB").getpixel((x, 150)) for x in (100, 1340)]
    assert colours == [(213, 94, 0), (0, 114, 178)]


def test_a_picture_that_stays_large_gets_smaller_still(tmp_path):
    noise = random.Random(1).randbytes(400 * 400 * 3)
    Image.frombytes("RGB", (400, 400), noise).save(tmp_path / "noise.png")
    small = small_png(tmp_path / "noise.png")
    assert LARGEST_PICTURE / 2 < len(small) <= LARGEST_PICTURE
    assert small == small_png(tmp_path / "noise.png")


def test_alternative_texts_go_from_the_page_to_the_readme(tmp_path):
    written = {name: f"Of {name}." for name in PICTURES} | {"metrics": '1 < 2 & \\1 "ρ"', "truth": "Of it."}
    table = "".join(f"{name}\t{text}\n" for name, text in written.items())
    (tmp_path / "texts.tsv").write_text(f"figure\ttext\n{table}", encoding="utf-8")
    texts = alternative_texts(tmp_path / "texts.tsv")
    assert texts == {name: f"Of {name}." for name in PICTURES} | {"metrics": '1 < 2 & \\1 "ρ"'}
    lines = [f'a <img src="docs/figures/{name}.png" width="3" alt="old"> b\n' for name in PICTURES]
    (tmp_path / "README.md").write_text("".join(lines), encoding="utf-8")
    after = with_alternative_texts(tmp_path / "README.md", texts).splitlines()
    assert after[PICTURES.index("scatter")] == (
        'a <img src="docs/figures/scatter.png" width="3" alt="Of scatter."> b'
    )
    assert after[PICTURES.index("metrics")].endswith('alt="1 &lt; 2 &amp; \\1 &quot;ρ&quot;"> b')


def test_the_readme_shows_the_pictures_which_are_small_and_have_texts():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    kept = alternative_texts_of(readme)
    assert list(kept) == list(PICTURES)
    for name, text in kept.items():
        assert len(text) > 40, name
        assert (ROOT / f"docs/figures/{name}.png").stat().st_size <= LARGEST_PICTURE, name


def alternative_texts_of(readme: str) -> dict[str, str]:
    parts = readme.split('<img src="docs/figures/')[1:]
    return {part.partition(".png")[0]: part.partition('alt="')[2].partition('"')[0] for part in parts}
