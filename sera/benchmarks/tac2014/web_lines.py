"""The lines of a copied web page, and the patterns of its labels, legends, references and prose."""

import re
from typing import NamedTuple


class Line(NamedTuple):
    text: str  # white space collapsed, never empty
    cells: int  # pieces between tabs
    spaced: bool  # followed by a blank line or the end


# Quantifiers are bounded, here and below, where a long line of one character would take quadratic time.
# PubMed Central's links that open a figure repeat its number: "(Fig. <0-width>(Fig.1A).1A)." was "(Fig. 1A)."
_POPUP = re.compile(r"\u200b[^\w\s]?[A-Za-z]{0,20}\.?(\S{1,30}?)\1(?!\w)")


def lines_of(text: str) -> list[Line]:
    """The lines of a text that are not blank."""
    text = _POPUP.sub(r"\1", text.removeprefix("\ufeff")).replace("\u200b", "")
    rows = re.split(r"\r\n|\r|\n", text)
    lines: list[Line] = []
    for row in rows:
        if text_line := " ".join(row.split()):
            lines.append(Line(text_line, len([c for c in row.split("\t") if c.strip()]), False))
        elif lines:
            lines[-1] = lines[-1]._replace(spaced=True)
    return lines


# Whole lines that a web page adds.
WEB = re.compile(
    r"""
    Go\ to:? | (Previous|Next)\ Section | Show\ (more|less) | open\ menu | Open\ Archive
    | Open\ Access(\ funded\ by.*)? | Get\ rights\ and\ content | Under\ an?\ Elsevier\ user\ license
    | Under\ a\ Creative\ Commons\ license | Cover\ image | Logo\ of\ .*
    | Full[-\ ]size\ (image|table|figure).*
    | (Figure|Table)\ options | View\ (larger\ version|this\ table|Within\ Article|in\ article).*
    | View\ large\b.* | (Download|PowerPoint)\ slide | (Back\ to|Top\ of)\ (top|page) | Jump\ to\ section
    | In\ this\ (page|window)\b.* | Download\ as\ PowerPoint\ Slide
    | Download(\ high-res)?(\ image)?:?(\ \(.*\))? | thumbnail
    | (PPT|PNG|TIFF)\ (PowerPoint\ slide|larger\ image|original\ image).*
    | (image|Graphic|Formula)(\ ?\(\d+\))? | Help\ with\ \w+\ files.* | Options
    | Open\ in\ a\ separate\ window | Click\ (here|on)\b.* | View\ the\ MathML\ source | Turn\ MathJax\ on
    | equation\ (image|M\d+)(\ \(?\d+\)?)? | (An\ external\ file\ that\ holds.*)?Object\ name\ is\ .*
    | Enlarge\ image.* | Larger\ version | [\[(]?\d+(\.\d+)?\ [KMG]?B\ \w+[\])]? | \([A-Z]{3,4}X?\)
    | \d+\ /\ \d+\ figshare.* | figshare.* | \(PMCID:.* | (https?://|www\.)\S+ | DOI:?\ ?\S+
    | doi:\ ?10\.\S+ | PDF(\ \(.*\))? | Author\ [Ii]nformation\ ►.* | \+?\ ?Author\ Affiliations
    | (HHMIS|NIHMS|PMC|UKPMS|EMS)\w*:.* | Published\ (online|in\ final\ edited\ form|ahead).*
    | Article\ first\ published\ online.*
    | (This|See\ other)\ articles?\ (has\ been|in\ PMC)\ (cited|corrected|that\ cite).*
    | The\ publisher['’]s\ final\ edited\ version.* | [\w\ .&:]+\.\ Author\ manuscript;\ available\ .*
    | Abstract\ ?Full\ ?Text.*
    | (Full\ Text|Citations|BioEntities|Related\ Articles|External\ Links)\ .{0,160}
    | Copyright\ .* | ©.* | .{0,150}©\ ?\d{4}\b.{0,150} | .{0,150}All\ rights\ reserved\.?
    | .{0,150}Published\ by\ Elsevier.{0,80} | .{0,80}\$\d+\.\d\d\b.{0,80}
    | (Citation|(Academic\ )?Editors?|Received|Accepted|Published|Copyright|Funding|Competing\ [Ii]nterests?
      |Data\ Availability|Abbreviations)\s?:.*
    | (Received|Accepted|Revised|Available\ online|Edited\ by|Communicated\ by|Contributed\ by)
      \ [^.]{3,1000}\d{4}\S{0,100}\.?\)?\.?
    | Edited\ by\ .{3,80} | (Author\ )?Key\ ?words?\s?:.* | .*,\ (Academic\ )?Editor
    | (Corresponding|Author\ for)\ author.*
    | [\d*†‡§¶?\ ,]*(To\ [Ww]hom\ )?[Cc]orrespond(ence|ing)\b.{0,150}
    | [\d*†‡§¶?\ ,]*(Tel|Fax|E-?mail)\b.{0,150}
    | [\d*†‡§¶\ ,]*These\ authors\ contributed\ equally.* | [\d*†‡§¶\ ,]*Present\ address.*
    | This\ (is\ an\ open|article\ is\ (a\ PNAS|distributed|published\ under)).*
    | This\ is\ an\ Open\ Access\ article.* | ↵.* | ↑.* | Publisher['’]s\ Disclaimer.*
    | (We|The\ authors?)\ (wish\ to\ |would\ like\ to\ )?(sincerely\ )?
      (thank|are\ grateful\ to|acknowledge\ (?!that))\b.*
    | This\ (work|study|research)\ (was|is|has\ been)\ (\w+\ )?(supported|funded)\b.* | Article\ Linker
    | Search\ Google\ Scholar | Referred\ to\ by.* | [^\w“"(\[]+ | \d{1,4}
    """,
    re.VERBOSE,
)
# Text that only entries of reference lists have.
REFERENCE_ENTRY = re.compile(
    r"View Record in Scopus|Full Text via CrossRef|Cited By in Scopus|Citing articles \(|\[PubMed\]"
    r"|\[Cross ?Ref\]|\[PMC free article\]|FREE Full Text|Search Google Scholar|View Article PubMed"
    r"|CrossRef, ?PubMed|, \d+ \(\d{4}\), pp?\. \w?\d+"
)
LABEL = re.compile(
    r"(?:Supplement(?:ary|al) )?(?:Fig(?:ure)?|FIG(?:URE)?|Table|TABLE|Scheme|Chart|Box|Movie|Video"
    r"|Plate|Text|File|Dataset)[ _]?\.? ?(S?\d+[A-Za-z]?|[IVX]+)[.:]{0,2}(?:\.\w{3,4})?"
)
FIGURE_LEGEND = re.compile(
    r"(?:Supplement(?:ary|al) )?(?:Fig(?:ure)?|FIG(?:URE)?|Table|TABLE|Scheme|Chart|Plate|Movie|Video)\.? ?"
    r"(?:S?\d+[A-Za-z]?|[IVX]+) ?(?:[.:|–—]|\ [.:|–—]) ?(?=[\"“(\[]?[A-Z0-9a-z])(?!\d)"
)
PANEL = re.compile(r"\(?[A-Za-z](?:(?:, | and |[-–])[A-Za-z])*[).] \S")
OPTIONS = re.compile(r"(?:Figure|Table) options")
IMAGE = re.compile(r"Full[- ]size (?:image|table)")
ITEM_DOI = re.compile(r"doi:10\.1371/journal\.\w+\.\d+\.[gts]\d+")
EQUATION = re.compile(r"(?:Formula|equation|View the MathML source|Turn MathJax|Graphic).{0,20}")
BOUNDARY = re.compile(r"Go to:?|(?:Previous|Next) Section")
NUMBERED = re.compile(r"(?:\d{1,2}|[IVX]{1,4})(?:\.\d{1,2})*\.? (?=[A-Z“\"(a-z])")
_CLOSING = r"[)\]”\"’'\d,–-]"  # the comma is a stop and may follow one
STOP = re.compile(rf"[.?!:;…]{_CLOSING}*+$|(?<!{_CLOSING})(?={_CLOSING}*+$){_CLOSING}*,")
PLAIN = re.compile(r"[a-z]+(?=$|[\s,;.)])")  # an ordinary word in lower case: no digit, capital or hyphen
INLINE = re.compile(
    r"\(?Full-size image \([\d.]+ [KM]\)|View the MathML source|Turn MathJax on|Figure options|Table options"
    r"|An external file that holds a picture, illustration, etc\.|Object name is \S+?\.(?:jpg|gif|png)\.?"
    r"|equation (?:image|M\d+)\b|(?<=[a-z,.] )Graphic\b|\[[a-z -]+ triangle\]"
    r"|Corresponding author contact information|E-mail the corresponding author"
)


def is_prose(text: str, length: int = 80) -> bool:
    """Whether a text is sentences, not a list of names: it ends like one, and half its words are ordinary."""
    words = text.split()
    return (
        len(text) >= length
        and bool(STOP.search(text) or len(text) > 250)
        and 2 * sum(map(bool, map(PLAIN.match, words))) >= len(words)
    )
