"""The README's pictures: figures of a study as small PNG files, with their alternative texts."""

from __future__ import annotations

import html
import io
import re
from os import PathLike
from pathlib import Path

from PIL import Image

from sera.errors import InputError
from sera.io import tsv
from sera.io.files import read_text

PICTURES = ("comparison", "figure1", "scatter", "metrics", "sensitivity")
"""The figures that the README shows, in its order."""

LARGEST_PICTURE = 150_000
"""The largest size of a picture in bytes: a reader of the README loads all of them."""

_WIDEST = 1440  # pixels, two for each that the README shows
_COLOURS = 256  # as many as a palette has; figures are of flat colours


def small_png(path: str | PathLike[str]) -> bytes:
    """A figure as a PNG of at most `LARGEST_PICTURE` bytes, with fewer pixels and colours.

    InputError for a file that is not a picture.
    """
    try:
        with Image.open(path) as opened:
            picture = opened.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise InputError("is not a picture", path=path) from None
    width = min(picture.width, _WIDEST)
    while True:
        size = (width, max(1, round(picture.height * width / picture.width)))
        written = io.BytesIO()
        small = picture.resize(size, Image.Resampling.LANCZOS)
        # this method keeps the colours that few pixels have, such as those of a scale
        few = small.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(written, "PNG", optimize=True)
        if len(written.getvalue()) <= LARGEST_PICTURE or width == 1:
            return written.getvalue()
        width = max(1, width * 9 // 10)


def alternative_texts(path: str | PathLike[str]) -> dict[str, str]:
    """The texts of `PICTURES` in a study's table of texts, by figure; InputError if it lacks one."""
    table = tsv.read(path, ["figure", "text"])
    texts = dict(zip(table["figure"], table["text"], strict=True))
    if missing := [name for name in PICTURES if name not in texts]:
        raise InputError(f"has no text of the figure {missing[0]}", path=path)
    return {name: texts[name] for name in PICTURES}


def with_alternative_texts(readme: str | PathLike[str], texts: dict[str, str]) -> str:
    """The README with these alternative texts, by figure; InputError if it does not show one of the figures.

    It shows a figure by ``<img src="docs/figures/<figure>.png" ... alt="...">``.
    """
    page = read_text(readme, "the README")
    for name, text in texts.items():
        shown = re.compile(rf'(<img src="docs/figures/{name}\.png"[^>]* alt=")[^"]*(")')
        escaped = html.escape(text, quote=False).replace('"', "&quot;")
        page, count = shown.subn(lambda found: f"{found[1]}{escaped}{found[2]}", page)
        if not count:
            raise InputError(
                f"does not show docs/figures/{name}.png",
                path=Path(readme),
                remedy=f'Add <img src="docs/figures/{name}.png" width="360" alt="">.',
            )
    return page
