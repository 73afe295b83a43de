"""The part of a study's page that the README's pictures take their alternative texts from."""

from __future__ import annotations

from study.report.gallery import PICTURES

SHOWN = (
    '<img src="data:image/svg+xml;base64,AA" width="1" height="2" alt="{text}"></picture>\n'
    '<figcaption><span class="result">x</span> <span class="files">Files: '
    '<a href="figures/{name}.svg">SVG</a></span></figcaption></figure>\n'
)


def page(**texts: str) -> str:
    return "".join(SHOWN.format(name=name, text=texts.get(name, f"Of {name}.")) for name in PICTURES)
