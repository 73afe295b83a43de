"""The demo benchmark's topics and the articles of its corpus: facts and sentences of each text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from study.demo.file_formats import (
    PUBMED_CENTRAL,
    SCIENCE_DIRECT,
    STYLES,
    ArticleTable,
    Block,
    DemoArticle,
    Entry,
    Figure,
    Heading,
    Paragraph,
    title_case,
    web_page,
    write_bytes,
)
from study.demo.truth import Statement, TrueFact, Truth
from study.demo.world import (
    ANNOTATORS,
    GENE,
    METHOD,
    PROCESS,
    DemoSettings,
    Dice,
    Fact,
    Sentence,
    Speaker,
    Theme,
    name_list,
)

SUMMARY_WORDS = 120, 250  # of the shortest and the longest gold summary
_CITING = 6  # citing articles per topic
_UNIMPORTANT = 12  # facts per topic that no gold summary states
_FACETS = ["Results", "Results", "Results", "Discussion", "Discussion", "Implication", "Hypothesis"]


class _Library:
    """Makes articles on one theme."""

    def __init__(self, dice: Dice, theme: Theme) -> None:
        self.dice, self.theme = dice, theme

    def entry(self, title: str, year: int, surname: str | None = None) -> Entry:
        names = [name for name in self.dice.shuffled(name_list("surnames")) if name != surname]
        names = names[:2] if surname is None else [surname, names[0]]
        authors = tuple((f"{self.dice.pick('ABCDEFGHJKLMPRSTW')}.", name) for name in names)
        journal, page = self.dice.pick(name_list("journals")), self.dice.number(11, 1900)
        return Entry(authors, year, title, journal, year - 1990, page)

    def references(self, count: int, year: int) -> list[Entry]:
        """A reference list in the order of the first authors, who are all different."""
        speaker = Speaker(self.dice, self.theme, 1.0)
        entries = []
        for surname in sorted(self.dice.shuffled(name_list("surnames"))[:count]):
            title = _title(speaker, self.dice.pick(self.theme.facts))
            entries.append(self.entry(title, year - self.dice.number(1, 12), surname))
        return entries

    def markers(self, references: Sequence[Entry], numbered: bool) -> list[str]:
        if numbered:
            return [f"[{number}]" for number in range(1, len(references) + 1)]
        return [f"({entry.marker})" for entry in references]

    def paragraphs(self, sentences: Sequence[Sentence]) -> list[Block]:
        blocks: list[Block] = []
        rest = list(sentences)
        while rest:
            count = self.dice.number(3, 7)
            if len(rest) - count < 2:  # no paragraph of a single sentence
                count = len(rest)
            blocks.append(Paragraph(tuple(rest[:count])))
            rest = rest[count:]
        return blocks

    def mixed(self, stated: Sequence[Sentence], fillers: Sequence[Sentence]) -> list[Sentence]:
        """Both kinds of sentences in random turn, each in its own order; a filler comes first."""
        text, rest, more = list(fillers[:1]), list(stated), list(fillers[1:])
        while rest or more:
            take = rest if self.dice.chance(len(rest) / (len(rest) + len(more))) else more
            text.append(take.pop(0))
        return text

    def figure(self, number: int, speaker: Speaker, fact: Fact) -> Figure:
        legends = tuple(sentence.text for sentence in speaker.fillers("legend", 3))
        return Figure(number, _title(speaker, fact), legends)

    def table(self, number: int) -> ArticleTable:
        genes = [concept for concept in self.theme.concepts if concept.kind == GENE][:5]
        rows = [(gene.names[0], gene.names[1], str(self.dice.number(2, 90))) for gene in genes]
        return ArticleTable(number, "Candidates and their scores", (("Gene", "Description", "Score"), *rows))


def _title(speaker: Speaker, fact: Fact) -> str:
    clause = "".join(speaker.clause(fact))
    return clause[0].upper() + clause[1:]


class _Gold(NamedTuple):
    """A gold summary: its annotator and paragraphs."""

    annotator: str
    paragraphs: tuple[tuple[Sentence, ...], ...]

    @property
    def sentences(self) -> list[Sentence]:
        return [sentence for paragraph in self.paragraphs for sentence in paragraph]

    def text(self, ends: str) -> str:
        return "".join(" ".join(s.text for s in paragraph) + ends for paragraph in self.paragraphs)

    def nuggets(self) -> Iterator[tuple[int, int, str]]:
        """Start, end and text of every nugget; offsets count characters without line ends."""
        position = 0
        for paragraph in self.paragraphs:
            for sentence in paragraph:
                for start, end in sentence.spans:
                    yield position + start, position + end, sentence.text[start:end]
                position += len(sentence.text) + 1
            position -= 1  # no space after a paragraph's last sentence


class _Citance(NamedTuple):
    file: str
    sentence: Sentence
    marker: str


class DemoTopic:
    """A topic: facts and their weights, the article, gold summaries, citing articles."""

    def __init__(self, settings: DemoSettings, number: int, theme: Theme) -> None:
        self.settings, self.number, self.theme = settings, number, theme
        self.id = f"D24{number + 1:02d}"
        dice = self._dice("facts")
        # A gold summary states about 13 facts; every weight has the same share of these.
        counts = {weight: (13 + weight // 2) // weight for weight in range(ANNOTATORS, 0, -1)}
        core, bridges, outer = (iter(dice.shuffled(theme.facts_within(number))) for number in (2, 1, 0))
        self.weights = {
            next(core if weight > 1 else bridges): weight for weight, n in counts.items() for _ in range(n)
        }
        self.weights.update({next(outer): 0 for _ in range(_UNIMPORTANT)})
        self.letters = sorted(dice.shuffled("ABCDEFGHI")[:ANNOTATORS])
        names = list(filter(str.isascii, dice.shuffled(name_list("surnames"))))  # also names of files
        self.article = self._article(names[0])
        self.file = f"{names[0]}.txt"
        self.golds = self._golds()
        self.documents, self.citances = self._citing(names[1:])

    def _dice(self, *key: object) -> Dice:
        return Dice(self.settings.seed, self.id, *key)

    def _article(self, surname: str) -> DemoArticle:
        dice = self._dice("article")
        library = _Library(dice, self.theme)
        references = library.references(20, 2008)
        markers = library.markers(references, numbered=False)
        speaker = Speaker(self._dice("article words"), self.theme, self.settings.wording, markers=markers)
        weighty = [fact for fact, weight in self.weights.items() if weight]

        def repeat_facts(times: int) -> list[Fact]:
            """Facts to state more than ``times`` times: the lightest are stated once, the heaviest four."""
            share = {fact: 1 + 3 * (self.weights[fact] - 1) // (ANNOTATORS - 1) for fact in weighty}
            return dice.shuffled([fact for fact in weighty if share[fact] > times])

        abstract = speaker.fillers("abstract", 2)
        abstract[1:1] = speaker.state_all("abstract", repeat_facts(2), pairs=0.35)
        introduction = [
            *speaker.fillers("introduction", 10),
            *speaker.state_all("introduction", repeat_facts(3)),
        ]
        genes = [concept for concept in self.theme.core if concept.kind == GENE]
        introduction.insert(3, speaker.alias(dice.pick(genes)))
        fact_order = dice.shuffled(list(self.weights))
        fillers = speaker.fillers("results", 14)
        results: list[Block] = []
        parts = 4
        for part in range(parts):
            facts = fact_order[part::parts]
            heaviest = max(facts, key=lambda fact: self.weights[fact])
            part_sentences = library.mixed(
                speaker.state_all("results", facts, pairs=0.3), fillers[part::parts]
            )
            blocks = library.paragraphs(part_sentences)
            if part < 3:
                blocks.insert(1, library.figure(part + 1, speaker, heaviest))
            elif self.number % 2:
                blocks.insert(1, library.table(1))
            results += [Heading(_title(speaker, heaviest)), *blocks]
        discussion = library.mixed(
            speaker.state_all("discussion", repeat_facts(1), pairs=0.3), speaker.fillers("discussion", 7)
        )
        methods = speaker.fillers("methods", 12)
        title = title_case(_title(speaker, next(iter(self.weights))))
        entry = library.entry(title, 2009, surname)
        texts = (introduction, discussion, methods[:6], methods[6:])
        opening, closing, cells, numbers = map(library.paragraphs, texts)
        procedures = (Heading("Cell culture and imaging"), *cells, Heading("Statistics"), *numbers)
        sections = (
            ("Summary" if self.number % 3 else "Abstract", (Paragraph(tuple(abstract)),)),
            ("Introduction", tuple(opening)),
            ("Results", tuple(results)),
            ("Discussion", tuple(closing)),
            ("Experimental Procedures", procedures),
        )
        keywords = tuple(concept.names[1] for concept in self.theme.core[:4])
        return DemoArticle(title, entry, sections, tuple(references), keywords)

    def _golds(self) -> list[_Gold]:
        dice = self._dice("golds")
        shares: dict[str, list[Fact]] = {letter: [] for letter in self.letters}
        for fact, weight in self.weights.items():
            order = dice.shuffled(self.letters)
            for letter in sorted(order, key=lambda letter: len(shares[letter]))[:weight]:
                shares[letter].append(fact)
        return [self._gold(letter, dice.shuffled(facts)) for letter, facts in shares.items()]

    def _gold(self, letter: str, facts: Sequence[Fact]) -> _Gold:
        authors = " and ".join(surname for _, surname in self.article.entry.authors)
        # Long or short names can make a summary too long or too short; then it is generated again.
        for attempt in range(1000):
            dice = self._dice("gold", letter, attempt)
            speaker = Speaker(dice, self.theme, self.settings.wording, focus=self.theme.core, authors=authors)
            statements = speaker.state_all("gold", facts, pairs=0.3)
            middle = len(statements) // 2
            paragraphs = (
                (*speaker.fillers("opening", 1), *statements[:middle]),
                (*statements[middle:], *speaker.fillers("gold", dice.number(1, 3))),
                tuple(speaker.fillers("closing", dice.number(1, 2))),
            )
            gold = _Gold(letter, paragraphs)
            words = sum(len(sentence.text.split()) for sentence in gold.sentences)
            if SUMMARY_WORDS[0] <= words <= SUMMARY_WORDS[1]:
                return gold
        raise AssertionError(f"no gold summary of {len(facts)} facts has {SUMMARY_WORDS} words")

    def _citing(self, names: Sequence[str]) -> tuple[dict[str, str], list[_Citance]]:
        """The plain texts of the citing articles by file, and the citances in the same order."""
        documents: dict[str, str] = {}
        citances: list[_Citance] = []
        for number in range(_CITING):
            first, second = names[2 * number : 2 * number + 2]
            # Some names of files are as unusual as in the real release.
            file = {1: f"{first},{second}.txt", 2: f"O'{first}.txt"}.get(number, f"{first}.txt")
            documents[file], article_citances, marker = self._citing_article(number, first)
            citances += [_Citance(file, sentence, marker) for sentence in article_citances]
        return documents, citances

    def _citing_article(self, number: int, surname: str) -> tuple[str, list[Sentence], str]:
        """The plain text of a citing article, its citances, and its citation marker."""
        dice, words = self._dice("citing", number), self._dice("citing words", number)
        style = STYLES[(self.number + number) % 3]
        library = _Library(dice, self.theme)
        references = [*library.references(15, 2013), self.article.entry]
        has_numbers = style == PUBMED_CENTRAL
        if not has_numbers:
            references.sort(key=lambda entry: entry.authors[0][1])
        markers = library.markers(references, has_numbers)
        own = markers.pop(references.index(self.article.entry))
        speaker = Speaker(words, self.theme, 1.0, figures=2, markers=markers)
        citer = Speaker(words, self.theme, self.settings.wording, markers=[own])
        # An article is cited for its important facts.
        urn = [fact for fact, weight in self.weights.items() if weight > 1 for _ in range(weight)]
        citances = []
        for _ in range(dice.number(1, 3)):
            one, other = dice.pick(urn), dice.pick(urn)
            facts = [one, other] if other is not one and dice.chance(0.4) else [one]
            citances.append(citer.state("citance", facts))
        citances = list({sentence.text: sentence for sentence in citances}.values())
        own_facts = dice.shuffled([fact for fact in self.theme.facts if fact not in self.weights])[:10]
        title = _title(speaker, own_facts[0])
        abstract = speaker.state_all("abstract", own_facts[:3])
        introduction = speaker.fillers("introduction", 5)
        introduction[2:2] = citances[:1]
        results = library.mixed(speaker.state_all("results", own_facts[3:8]), speaker.fillers("results", 5))
        statements = speaker.state_all("discussion", own_facts[8:])
        discussion = library.mixed(statements, speaker.fillers("discussion", 4))
        discussion[1:1] = citances[1:]
        methods = speaker.fillers("methods", 6)
        figure = library.figure(1, speaker, own_facts[3])
        heading = Heading(_title(speaker, own_facts[3]))
        entry = library.entry(title, 2014, surname)
        sections = (
            ("Abstract", (Paragraph(tuple(abstract)),)),
            ("Introduction", tuple(library.paragraphs(introduction))),
            ("Results", (heading, figure, *library.paragraphs(results), library.table(1))),
            ("Discussion", tuple(library.paragraphs(discussion))),
            ("Methods", tuple(library.paragraphs(methods))),
        )
        article = DemoArticle(title, entry, sections, tuple(references))
        return web_page(style, article), citances, own.strip("()[]")

    def write(self, data: Path, annotations: Path) -> None:
        """Write the topic's folder of the release, and its nugget annotations."""
        name = f"{self.id}_TRAIN"
        page = web_page(SCIENCE_DIRECT, self.article, highlights=self.number % 2 == 1)
        texts = {self.file: page, **self.documents}
        for i, (file, text) in enumerate(texts.items()):
            # As in the real release, some files begin with a byte order mark, some have CRLF line ends, and
            # one is not UTF-8. Offsets count the mark and skip carriage returns.
            mark = (self.number + i) % 5 == 1
            encoding, mark = ("cp1252", False) if (self.number, i) == (0, 3) else ("utf-8", mark)
            texts[file] = text = "\ufeff" * mark + text
            ends = "\r\n" if (self.number + i) % 6 == 4 else "\n"
            write_bytes(data / name / "Documents_Text" / file, text.replace("\n", ends).encode(encoding))
        for i, letter in enumerate(self.letters):
            ends = "\r\n" if (self.number, i) == (self.settings.topics - 1, 2) else "\n"
            text = ends.join(line + ends for line in self._annotation(letter, texts))
            write_bytes(data / name / "Annotation" / f"{name}.{letter}.ann.txt", text.encode())
        for i, gold in enumerate(self.golds):
            begin = "" if (self.number, i) == (0, 1) else "\ufeff"
            kind = "Summary" if self.number == min(1, self.settings.topics - 1) else "summary"
            text = begin + gold.text("\r" * (2 + i % 2))
            write_bytes(data / name / "Summary" / f"{name}.{gold.annotator}.{kind}.txt", text.encode())
            nuggets = enumerate(gold.nuggets(), 1)
            lines = [f"T{n}\t{start} {end}\t{nugget}\n" for n, (start, end, nugget) in nuggets]
            write_bytes(annotations / f"{self.id.lower()}-{gold.annotator}.ann", "".join(lines).encode())

    def _annotation(self, letter: str, texts: dict[str, str]) -> Iterator[str]:
        """The annotator's records, one per citance."""
        dice = self._dice("annotation", letter)
        article = texts[self.file]
        for number, citance in enumerate(self.citances, 1):
            text = texts[citance.file]
            start = text.index(citance.sentence.text)
            marker = start + citance.sentence.text.rindex(citance.marker)
            sources = [s for s in self.article.sentences if set(s.facts) & set(citance.sentence.facts)]
            passages = dice.shuffled(sources)[: dice.number(1, 3)]
            spans = sorted((article.index(s.text), article.index(s.text) + len(s.text)) for s in passages)
            facet = dice.pick(_FACETS)
            if any(fact.subject.kind == METHOD for fact in citance.sentence.facts):
                facet = "Method"
            fields = (
                ("Topic ID", f"{self.id}_TRAIN"),
                ("Citance Number", str(number)),
                ("Reference Article", self.file),
                ("Citing Article", citance.file),
                ("Citation Marker Offset", f"{marker}-{marker + len(citance.marker)}"),
                ("Citation Marker", f" {citance.marker}"),
                ("Citation Offset", f" {start}-{start + len(citance.sentence.text)}"),
                ("Citation Text", f" {citance.sentence.text}"),
                ("Reference offset" if number == 2 and letter == self.letters[-1] else "Reference Offset",
                 "[" + ", ".join(f"'{a}-{b}'" for a, b in spans) + "]"),
                ("Reference Text", " " + " ... ".join(article[a:b] for a, b in spans)),
                ("Discourse Facet", f" {facet}_Citation"),
                ("Annotator", f" {letter}{',' if self.number % 2 else ''}"),
            )  # fmt: skip
            yield " | ".join(f"{key}: {value}" for key, value in fields) + " |"

    def truth(self) -> Truth:
        """The truth of the topic."""
        ids = {fact: f"{self.id}-F{number:02d}" for number, fact in enumerate(self.weights, 1)}
        facts = []
        for fact, weight in self.weights.items():
            names = [concept.names for concept in fact.concepts]
            facts.append(TrueFact(ids[fact], weight, fact.relation.name, *names))
        sentences = self.article.sentences + [citance.sentence for citance in self.citances]
        sentences += [sentence for gold in self.golds for sentence in gold.sentences]
        statements = {
            s.text: Statement(s.text, tuple(ids[fact] for fact in s.facts)) for s in sentences if s.facts
        }
        return Truth(self.id, tuple(self.letters), tuple(facts), tuple(statements.values()))


def corpus_article(settings: DemoSettings, theme: Theme, number: int) -> DemoArticle:
    """An article of the corpus on a concept and related ones, which uses several names of each."""
    dice = Dice(settings.seed, "corpus", number)
    centre = dice.pick(theme.concepts)
    neighbours = [
        fact for fact in theme.facts_within(2 if centre in theme.core else 0) if centre in fact.concepts
    ]
    focus = [centre]
    for fact in dice.shuffled(neighbours):
        focus += [concept for concept in fact.concepts if concept not in focus]
        if len(focus) >= 5:
            break
    contents = dice.shuffled([fact for fact in theme.facts if set(fact.concepts) <= set(focus)])
    library = _Library(dice, theme)
    references = library.references(10, 2012)
    markers = library.markers(references, numbered=False)
    speaker = Speaker(dice, theme, 1.0, focus=focus, figures=2, markers=markers)
    title = _title(speaker, contents[0])
    abstract = [*speaker.fillers("abstract", 1), *speaker.state_all("abstract", contents[:4])]
    introduction = [*speaker.fillers("introduction", 4), *speaker.state_all("introduction", contents[:2])]
    concepts = [concept for concept in focus if concept.kind in (GENE, PROCESS)]
    introduction[1:1] = [speaker.alias(concept) for concept in concepts[:2]]
    results = library.mixed(
        speaker.state_all("results", [*contents, *contents[:3]]), speaker.fillers("results", 6)
    )
    middle = len(results) // 2
    parts: list[Block] = [
        Heading(_title(speaker, contents[0])),
        *library.paragraphs(results[:middle]),
        library.figure(1, speaker, contents[0]),
        Heading(_title(speaker, contents[-1])),
        *library.paragraphs(results[middle:]),
    ]
    if number % 3 == 1:
        parts.append(library.table(1))
    discussion = library.mixed(
        speaker.state_all("discussion", contents[:3]), speaker.fillers("discussion", 3)
    )
    entry = library.entry(title, 2012 + number % 5)
    sections = (
        ("Abstract", (Paragraph(tuple(abstract)),)),
        ("Introduction", tuple(library.paragraphs(introduction))),
        ("Results", tuple(parts)),
        ("Discussion", tuple(library.paragraphs(discussion))),
        ("Methods", tuple(library.paragraphs(speaker.fillers("methods", 6)))),
    )
    return DemoArticle(title, entry, sections, tuple(references), tuple(each.names[0] for each in focus))
