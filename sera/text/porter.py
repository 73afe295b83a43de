"""Porter's stemmer, as Lucene's English analysis has it; that of ROUGE-1.5.5 differs in step 4.

Porter (1980), "An algorithm for suffix stripping", Program 14(3), with the author's two later changes: -bli
instead of -abli, and the new ending -logi.
"""

from collections.abc import Callable


def remove_longest_ending(word: str) -> str:
    """Porter's step 4: remove the longest listed ending that fits, if the measure of the rest is above 1."""
    for length in (5, 4, 3, 2):
        if word[-length:] in _STEP_4 and len(word) >= length:
            base = word[:-length]
            if word[-length:] == "ion" and base[-1:] not in ("s", "t"):
                continue
            return base if measure(base) > 1 else word
    return word


def stem(word: str, step_4: Callable[[str], str] = remove_longest_ending) -> str:
    """The stem of a word in lower case.

    Words of one or two letters stay as they are; a character other than an English letter counts as a
    consonant. ``step_4``: step 4 of the algorithm, which maps a word to a word.
    """
    if len(word) < 3 and len(_form(word)) < 3:
        return word
    if word.endswith("s"):  # step 1a
        if word.endswith(("sses", "ies")):
            word = word[:-2]
        elif not word.endswith("ss"):
            word = word[:-1]
    if word.endswith("eed"):  # step 1b
        if measure(word[:-3]) > 0:
            word = word[:-1]
    else:
        base = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
        if "v" in _form(base):
            word = base
            if word.endswith(("at", "bl", "iz")):
                word += "e"
            elif _double(word):
                word = word if word[-1] in "lsz" else word[:-1]
            elif measure(word) == 1 and _short(word):
                word += "e"
    if word.endswith("y") and "v" in _form(word[:-1]):  # step 1c
        word = word[:-1] + "i"
    word = _replace_ending(word, _STEP_2, _STEP_2_LENGTHS)
    word = _replace_ending(word, _STEP_3, _STEP_3_LENGTHS)
    word = step_4(word)
    if word.endswith("e"):  # step 5a
        m = measure(word)
        if m > 1 or m == 1 and not _short(word[:-1]):
            word = word[:-1]
    if word.endswith("ll") and measure(word) > 1:  # step 5b
        word = word[:-1]
    return word


def _form(word: str) -> str:
    """The word with v for each vowel (or y after a consonant) and c for any other UTF-16 unit."""
    if "y" not in word and word.isascii():  # for speed
        return word.translate(_FORMS)
    form = ""
    for letter in word:
        vowel = letter in "aeiou" or letter == "y" and form.endswith("c")
        form += "v" if vowel else "c" if letter <= "\uffff" else "cc"
    return form


def measure(word: str) -> int:
    """Porter's m: how many times a consonant follows a vowel."""
    return _form(word).count("vc")


def _double(word: str) -> bool:
    """Whether the word ends in a double consonant. The two UTF-16 units of a character are never equal."""
    return word[-1:] == word[-2:-1] != "" and word[-1] <= "\uffff" and _form(word)[-1] == "c"


def _short(word: str) -> bool:
    """Whether the word ends in consonant, vowel, consonant (not w, x or y): Porter's condition *o."""
    return _form(word).endswith("cvc") and word[-1] not in "wxy"


def _replace_ending(word: str, endings: dict[str, str], lengths: tuple[int, ...]) -> str:
    """The word with its longest listed ending replaced, if the measure of the part before it is above 0."""
    for length in lengths:
        if len(word) >= length and word[-length:] in endings:
            base = word[:-length]
            return base + endings[word[-length:]] if measure(base) > 0 else word
    return word


_FORMS = str.maketrans({chr(code): "v" if chr(code) in "aeiou" else "c" for code in range(128)})
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate",
    "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive",
    "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = frozenset(
    ("al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize").split()
)
_STEP_2_LENGTHS, _STEP_3_LENGTHS = (
    tuple(sorted({len(ending) for ending in endings}, reverse=True)) for endings in (_STEP_2, _STEP_3)
)
