"""Parts of made-up releases: FrameNet's, NIST's and TAC 2014's."""

HEAD = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<?xml-stylesheet type="text/xsl" href="frame.xsl"?>
"""
NAMESPACE = 'xmlns="http://framenet.icsi.berkeley.edu" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'

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
