"""The headings of articles: which sections are the text of the article, and which are not."""

import re


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))


# Headings, in lower case, without numbers, final stops and colons.
_OPENING = frozenset({"abstract", "summary", "synopsis"})
ARTICLE = _OPENING | _phrases(
    """
    introduction | background | main text | main | results | result | discussion | discussions |
    results and discussion | results & discussion | discussion and conclusions |
    discussion and conclusion | results and discussions | conclusion | conclusions | concluding remarks |
    concluding remark | summary and conclusions | conclusions and perspectives | perspectives |
    perspective | future directions | outlook | conclusions and future directions |
    concluding remarks and perspectives | significance | author summary | authors summary |
    authors' summary | materials and methods | material and methods | methods | methods and materials |
    materials & methods | experimental procedures | experimental procedure | experimental methods |
    experimental | experimental section | online methods | methods summary | patients and methods |
    subjects and methods | methodology | methodology/principal findings | principal findings |
    conclusions/significance | materials | overview | findings | limitations
    """
)
METHODS = frozenset(
    name
    for name in ARTICLE
    if name.startswith(("method", "material", "experimental", "patients", "subjects", "online"))
)
# Sections to remove, up to the next heading of the article, or of any section if the page marks its sections.
_NOT_ARTICLE = _phrases(
    """
    acknowledgments | acknowledgements | acknowledgment | acknowledgement | acknowledgments and funding |
    supplementary material | supplementary materials | supplementary data | supplementary information |
    supplemental data | supplemental information | supplemental material | supplemental materials |
    supplementary methods | supplementary figures | supporting information | supporting material |
    supporting online material | electronic supplementary material | additional files | additional file |
    appendix | appendix a | appendix a. supplementary data | appendix. supplementary data |
    appendix a. supplementary material | authors' contributions | author contributions |
    author's contributions | authors contributions | contributions | authors' information | footnotes |
    footnote | notes | funding | funding statement | financial support | grant support |
    competing interests | competing interest | competing financial interests | conflict of interest |
    conflicts of interest | conflict of interest statement | disclosure | disclosures |
    disclosure statement | disclosure of potential conflicts of interest | declaration of interests |
    accession numbers | accession number | accession codes | deposition | data deposition |
    database linking | pre-publication history | article information | author information |
    author notes | abbreviations used | nomenclature | glossary | web resources | url | urls |
    note added in proof | referred to by | related content | figures | figures and tables | tables |
    uncited references | vitae | dedication | publisher's disclaimer | open access | supplement |
    contributor information
    """
)
# Advertisements of the article, up to the next heading or long paragraph.
TEASERS = _phrases(
    "graphical abstract | highlights | in brief | research highlights | key points | toc blurb"
)
# Headings of one line, or a few short ones, after which the article goes on.
ASIDE = frozenset(
    {"keywords", "key words", "author keywords", "key word", "abbreviations", "mesh terms", "keyword"}
)
REFERENCES = _phrases(
    """
    references | reference | literature cited | bibliography | references and notes |
    references and recommended reading | cited literature | literature | references cited |
    notes and references | selected reading | selected readings | further reading | recommended reading |
    suggested reading | additional reading | works cited
    """
)
HEADINGS = ARTICLE | _NOT_ARTICLE | TEASERS | ASIDE | REFERENCES
PAGE_LABELS = _phrases(
    """
    article | articles | research article | original article | original research | review |
    review article | research | report | reports | minireview | preview | previews | commentary |
    brief report | short article | resource | letter | perspective | primer | essay | editorial |
    regular article
    """
)


def heading_name(text: str) -> str:
    """A heading as a key to look up: lower case, without number, final stop and colon."""
    return (
        re.sub(r"^(?:\d{1,2}|[IVX]{1,4})(?:\.\d{1,2})*\.? (?=\S)", "", text)
        .lower()
        .replace("’", "'")
        .strip(" .:[]")
    )


# Other headings of the same sections: "Acknowledgements and Fundings", "Supplementary data 1".
_NOT_ARTICLE_TOO = re.compile(
    r"(?:acknowledg|supplement(?:ary|al) (?:data|info|material|file|figure|table)"
    r"|supporting (?:info|material)|electronic supp|additional file|authors?'? contribution|conflicts? of"
    r"|competing|financial disclos|funding|accession (?:number|code)|publisher's disclaimer)\S*(?: \S+){0,7}"
)


def ends_article(name: str) -> bool:
    """Whether a heading (`heading_name`) begins a section that is not the article's text."""
    return name in _NOT_ARTICLE or bool(_NOT_ARTICLE_TOO.fullmatch(name))
