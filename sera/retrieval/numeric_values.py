"""Numeric values in a text, which queries leave out (Cohan & Goharian 2016, section 3), and numbers in names.

The paper's queries are "without stopwords and numeric values"; it does not say what a numeric value is. Here
it is a number that counts or measures, and it goes as a whole:

* integers, decimals, thousands (``1,000``), fractions, lists and ranges (``3-5``, ``10%-20%``);
* powers: ``1.2e-5``, ``1e6``, ``10^-5``, ``10(-5)``;
* the number before a unit (``24h``, ``37°C``) or at the head of a compound of measure (``2.5-fold``,
  ``24-well``). The unit or the rest of the compound stays, as where a blank stands between (``2.5 fold``).

A number that is part of a name stays with it:

* after a letter, also over a hyphen, dot or slash: ``IL-6``, ``PU.1``, ``Kv1.2``, ``miR-372/373``;
* before a letter that is no unit: ``293T``, ``5hmC``; and before a prime: ``5'-UTR``;
* as an integer at the head of any other compound: ``2,3-dioxygenase``, ``2-hydroxyglutarate``;
* ``14-3-3``; after a hyphen alone, as in "miR-372 and -373".

In German, the words of a compound of measure are German: ``3,5-fach``, ``18-jährige``.
"""

from __future__ import annotations

import re
from functools import cache

from sera.text.languages import ENGLISH

_DASH, _SIGN = "[-\u2013]", "[-+\u2013\u2212]"
_LETTER = r"[^\W\d]"

# after a number, as they are written
_UNITS = (
    r"(?:h|hrs?|mins?|s|secs?|ms|d|wks?|yrs?|[kKM]b|KB|MB|bp|nts?|mers?|k?Da|k[dD]|[nmck\u03bc\u00b5]?m"
    r"|[knmu\u03bc\u00b5]?g|[nmdu\u03bc\u00b5]?[lL]|[pnmu\u03bc\u00b5]?M|[pnmu\u03bc\u00b5]?mol|pmole|[kM]?Hz"
    r"|m?Ci|c?Gy|rpm|x|fold)(?!\w)"
)
_MEASURES = {
    ENGLISH: r"fold|times|percent|cells?|wells?|hours?|days?|weeks?|months?|years?|minutes?|seconds?"
    r"|bases?|kilobases?|kilodaltons?|nucleotides?|amino[- ]acids?|residues?|steps?|points?|dimensional",
    "de": r"fach(?:e[mnrs]?)?|mal|prozent|(?:mal|prozent|sekünd|minüt|stünd|täg|wöch|monat|jähr|stell|teil)"
    r"ig(?:e[mnrs]?)?|sekunden?|minuten?|stunden?|tage?|wochen?|monate?|jahre?|punkte?|dimensionale?[mnrs]?",
}

_THOUSANDS = r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?"
_DECIMAL = rf"(?:{_THOUSANDS}|\d+(?:\.\d+)+)"
_POWER = (
    rf"(?:(?:{_DECIMAL}|\d+,\d+)[eE]{_SIGN}?\d+|\d+(?:e{_SIGN}?|E{_SIGN})\d+"  # 9E10 is an antibody
    rf"|\d+\^{_SIGN}?\d+|10\({_SIGN}?\d+\)|\d+[\u207a\u207b]?[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+)(?!\w)"
)

_NUMBER = r"\d+(?:[.,]\d+)*"
_NUMBERS = rf"{_NUMBER}(?:(?:%|\u00b0C?)?(?:{_DASH}|[/\u2212~]){_NUMBER})*"
_END = rf"(?={_UNITS}|(?!\w))(?![.,]\d)"
_OTHER = rf"(?<!\w){_NUMBER}(?:{_DASH}{_NUMBER})*\w*"  # as a whole, so that no text takes long


@cache
def _value_or_name(language: str) -> re.Pattern[str]:
    """A numeric value, or else a name (the group ``name``) or another number (``other``)."""
    measures = rf"(?:{_UNITS}|(?i:{_MEASURES[language]})(?!\w))"
    name = (
        rf"(?<!\w)(?:{_LETTER}\w*"
        rf"|\d+(?!{_UNITS}){_LETTER}\w*"
        r"|[1-9](?:,[1-9])*['\u2019\u2032](?!s\b)"
        r"|\d{1,2}(?:-\d{1,2}){2,}(?![\d.])"
        rf"|(?!{_THOUSANDS})(?<![-.,])\d+(?:,\d+)*{_DASH}(?!{measures}){_LETTER}\w*)"
        # what follows belongs to the name
        rf"(?:(?:{_DASH}|['\u2019\u2032]{_DASH}?)\w+"
        r"|(?:(?<=\d)|(?<=[A-Z]))\.\d+\w*"
        r"|(?:(?<=\d)|(?<=\d\w))[+\u2212]?[/&~]\d+\w*(?!\w|\.\d|[%\u00b0])"
        rf"|\(\d+(?:,\d+)*\){_LETTER}\w*)*"  # PI(3,4,5)P3
    )
    value = (
        rf"(?<!\w){_DECIMAL}(?:{_DASH}{_NUMBER})*{_END}"
        rf"|(?<![\w-]){_NUMBERS}{_END}(?!{_DASH}(?!{measures})\w)"
        r"|(?<!\w)\d+(?=[%\u00b0])"  # -20°C
    )
    return re.compile(rf"(?<!\w){_POWER}|(?P<name>{name})|{value}|(?P<other>{_OTHER})")


def without_values(text: str, language: str = ENGLISH) -> list[str]:
    """The pieces of a text between its numeric values, in order; one more than there are values.

    >>> without_values("a 2.5-fold rise of IL-6 (12%)")
    ['a ', '-fold rise of IL-6 (', '%)']
    """
    pieces, start = [], 0
    for found in _value_or_name(language).finditer(text):
        if found["name"] is None and found["other"] is None:
            pieces.append(text[start : found.start()])
            start = found.end()
    return [*pieces, text[start:]]
