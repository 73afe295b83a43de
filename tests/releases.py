"""Made-up releases, as the texts of their files: FrameNet's, NIST's, REALSumm's and TAC 2014's."""

NAMESPACE = 'xmlns="http://framenet.icsi.berkeley.edu" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
FRAMENET = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<?xml-stylesheet type="text/xsl" href="frame.xsl"?>
"""
MADE = 'cBy="a" cDate="02/07/2001 04:12:05 PST Wed"'

NIST_ARTICLE = """\
<DOC id="APW" type="story">
<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/hostname">]>
<HEADLINE>
Floods &amp;
rain
</HEADLINE>
<TEXT>
<P>
Rain fell on 5 &lt; 6
days. Rivers <i>rose</i>.
</P>
<P>
&e; No more
</P>
</TEXT>
</DOC>
"""

BODY = "We made a made-up gene and we looked at what it does in the cells of mice, of flies and of men. " * 3
TAC_ARTICLE = (
    f"A Gene Named for a Test\nA. Author1, B. Author2\nShow more\nAbstract\n{BODY}\n\nReferences\n1. None.\n"
)


def unit(name, annotated, number):
    lemma, _, pos = name.rpartition(".")
    lexemes = "".join(
        f'<lexeme order="{order}" headword="false" breakBefore="false" POS="{pos.upper()}" name="{word}"/>\n'
        for order, word in enumerate(lemma.split(), 1)
    )
    return f"""    <lexUnit status="Finished_Initial" POS="{pos.upper()}" name="{name}" ID="{number}" {MADE}>
        <definition>COD: of {lemma}</definition>
        <sentenceCount annotated="{annotated}" total="99"/>
        {lexemes}    </lexUnit>
"""


def framenet(frames):
    """Frames, each with lexical units and the number of their annotated sentences."""
    files = {}
    for number, (frame, units) in enumerate(frames.items(), 100):
        body = "".join(unit(name, count, 10 * number + k) for k, (name, count) in enumerate(units))
        files[f"frame/{frame}.xml"] = (
            f'{FRAMENET}<frame {MADE} name="{frame}" ID="{number}" {NAMESPACE}>\n'
            f"    <definition>&lt;def-root&gt;Of it.&lt;/def-root&gt;</definition>\n{body}</frame>\n"
        )
    return files


def put(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return folder


def summaries(place, topics, models="AB", peers=(0, 1, 2), text="Rain fell.\nRivers  rose\n\nmuch\n"):
    """A summary of each topic by each summarizer; systems end theirs by their number."""
    of_models = {f"{place}/ROUGE/models/{topic}.M.100.C.{one}": text for topic in topics for one in models}
    return of_models | {
        f"{place}/ROUGE/peers/{topic}.M.100.C.{one}": f"{text}{one}." for topic in topics for one in peers
    }


def tac2009():
    """Running text, the tables of the sets apart and one column wider than of TAC 2008, and the articles."""
    text = "Rain fell in the U.S. on Monday.\r\nRivers rose in the valley of the\r\nRh\u00f4ne. "
    texts = summaries("UpdateSumm09_eval", ["D0901-A", "D0901-B"], text=text)
    files = {name: one.encode("latin-1") for name, one in texts.items()}
    for letter in "AB":
        files[f"UpdateSumm09_eval/manual/manual.peer.{letter}"] = "".join(
            f"D0901-{letter}\t{peer}\t0.{peer}25\t3\t0\tF\t21\t0.2\t{peer + 4}\t{10 - peer}\n"
            for peer in range(3)
        )
    return files | {
        "docs/files/D0901A/D0901A-A/APW_1": NIST_ARTICLE,
        "docs/files/D0901A/D0901A-A/APW_2": "<TEXT>\nFish swim.\n\nBirds fly\n</TEXT>",
        "docs/files/D0901A/D0901A-B/APW_3": "<GRAPHIC><P>A map.</P></GRAPHIC>",
        "docs/files/D0902A/D0902A-A/APW_4": "of a topic that is not summarised",
        "docs/README": "of no topic",
    }


def see_row(of_set, by, coverage, *, document="-", words="100", columns=33):
    """A row of 33 (DUC 2002) or 34 columns, with the coverage in column 28 or 29."""
    kind = "M" if document == "-" else "P"
    cells = [of_set, kind, document, words, *["x"] * (columns - 4)]
    cells[8], cells[columns - 6] = by, coverage
    return " ".join(cells) + "\n"


def see(*units):
    """A summary as SEE shows it."""
    anchors = "".join(
        f'<a name="{n}">[{n}]</a> <a href="#{n}" id={n}>{unit}</a>\n' for n, unit in enumerate(units, 1)
    )
    return f"<html>\n<head><title>D061</title></head>\n<body bgcolor=white>\n{anchors}</body></html>\n"


SEE_TABLE = "DUC 2002: results of the evaluation with SEE\n\n  columns: set type document length and more\n"
SEE_TABLE += "".join(
    [
        see_row("D061", "1", "0.5"),
        see_row("D061", "2", "0.25"),
        see_row("D061", "B", "0.75"),  # a human
        see_row("d062", "1", "0.125"),
        see_row("D062", "2", "1"),
        see_row("D062", "2", "0.5", words="0100"),  # another judge: the mean
        see_row("D062", "1", "0.9", words="050"),  # another task
        see_row("D062", "1", "0.9", document="AP1-2"),
    ]
)


def duc2002():
    found = {"abstracts/phase1/short.results.table": SEE_TABLE, "abstracts/README": "by NIST"}
    for of_set in ("D061", "D062"):
        name = f"{of_set}.M.100.J"
        found |= {
            f"SEEmodels/{name}.B.html": see("Rain fell", "on Monday.", "Rivers rose."),
            f"SEEpeers/manual/{name}.A.html": see("It rained."),
            f"SEEpeers/manual/{name}.B.html": see("Rain  fell\non Monday.", "Rivers rose."),
            f"SEEpeers/sent/{name}.1.html": see("Rain &amp; <i>wind</i>.", f"{of_set} flooded."),
            f"SEEpeers/sent/{name}.2.html": see(),
        }
    return found


REALSUMM = {
    "ids.txt": "a\nb\n",
    "documents.txt": "One . Two .\nThree .\n",
    "references.txt": "<t> one . </t> <t>two</t>\nthree . four\n",
    "SCUs.txt": "u1\tu2\nu3\n",
    "summaries/s.summary": "one .\nthree .\n",
    "labels/s.label": "1\t0\n1\n",
}


def record(number, annotator, citation="It was cited [1].", **changed):
    fields = {
        "Topic ID": "D1401_TRAIN",
        "Citance Number": str(number),
        "Reference Article": " Smith, A.txt",
        "Citing Article": "O'Shea.txt",
        "Citation Marker Offset": " 13-16",
        "Citation Marker": "[1]",
        "Citation Offset": "0-17",
        "Citation Text": f" {citation}",
        "Reference Offset": "['10-20', '30-40']",
        "Reference Text": "One | thing: it ... another  thing",
        "Discourse Facet": "Method_Citation",
        "Annotator": f"{annotator},",
    }
    fields.update(changed)
    return " | ".join(f"{key}: {value}" for key, value in fields.items() if value is not None) + " |"


def tac2014():
    """One topic, below ``release``, and its nuggets, below ``pyramid``."""
    topic = "release/data/D1401_TRAIN"
    files = {
        f"{topic}/Documents_Text/.DS_Store": b"\0",
        f"{topic}/Documents_Text/Smith,A.txt": "\ufeff" + TAC_ARTICLE.replace("\n", "\r\n"),
        f"{topic}/Documents_Text/O'Shea.txt": "It was cited [1]. “Na\u00efve”\n\nEnd.".encode("cp1252"),
        "pyramid/annotations/d1401-A.ann": "T1\t0 3\tOne\nT2\t22 27\tThree\n#1\tNote T1\tno\n",
        "pyramid/annotations/d1401-B.ann": "T1\tNugget 0 3;18 21\tOne Two\n",
    }
    for letter in "ABCE":
        lines = record(1, letter), "", record(2, letter, "Long one." if letter in "BC" else "Other one.")
        files[f"{topic}/Annotation/D1401_TRAIN.{letter}.ann.txt"] = "\r\n".join(lines)
        name = f"D1401_TRAIN.{letter}.{'Summary' if letter == 'E' else 'summary'}.txt"
        files[f"{topic}/Summary/{name}"] = f"\ufeff\rOne is by {letter} here. Two.\r\rThree  and\tfour.\r"
    return files
