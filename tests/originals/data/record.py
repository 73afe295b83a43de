"""Record what ROUGE-1.5.5, Lucene and BERTScore's package answer on texts of this project: see README.md.

Usage: record.py texts                         write the texts, of the documentation as it is
       record.py rouge FOLDER                  run FOLDER/ROUGE-1.5.5.pl; needs Perl's DB_File and XML::DOM
       record.py lucene JAR:JAR                run Lucene, of lucene-core and lucene-analyzers-common
       record.py lucene_german JAR:JAR         the same with the German texts, which are written by hand
       record.py realsumm RELEASE RECORDED     cut the slice out of REALSumm and out of ROUGE's answers on it
       record.py bert_score FOLDER             run bert-score with all-MiniLM-L6-v2 of transformers in FOLDER
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from sera.io.records import Section, Source
from sera.summarizers import summarize
from sera.text.sentences import sentences

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs"
PAGES = ("retrieval", "method", "meta-evaluation", "robustness", "summarizers", "data", "multiverse", "rouge")
TOPICS = PAGES[:5]
SYSTEMS = ("lead", "random", "lexrank", "kl", "sumbasic")
EDGE = [
    "", "  ", "the of and", "State-of-the-art p<0.05, $5, 1,234.5!", "Naïve façade: 3′-UTR, IL-2Rα (µ)",
    "Oxen wolves better arguments governmental happily dying elements", "\ttab\tand_under_score the the The",
]  # fmt: skip
CONFIGURATIONS = {
    "case": "-f A", "stem": "-m -f A", "stop": "-s -f A", "stem_stop": "-m -s -f A", "stem_best": "-m -f B",
    "stem_len100": "-m -l 100 -f A", "stem_bytes665": "-m -b 665 -f A",
}  # fmt: skip
SLICE = ("13", "14", "17", "18")  # topics of REALSumm: lines of documents.txt, from 0
RUNS = ("-n 9 -w 1.2 -2 -1 -U", "-x -2 1 -U", "-x -2 4 -U", "-x -2 9 -U")
MADE = {
    "greek": "IL-2Rα and TNF-β rise; Δψ falls (ΣΊΣΥΦΟΣ, Σίσυφος)",
    "micro": "5 µm is 5 μm; 3′-UTR, 5'-cap",
    "possessive": "the cell's wall, CELL'S, James＇s, dogs’s, cats‘s, students' work",
    "hyphens": "non-small-cell up-to-date re‐run en–dash em—dash soft\u00adhyphen",
    "address": "see https://example.org/a_b?c=1&d=x.y or mail me@example.org",
    "turkish": "İstanbul ISPARTA ıssız",
    "combining": "nai\u0308ve naïve e\u0301 \u00e9 x\u0308\u0308",
    "east": "今日は良い天気です 東京 カタカナ ひらがな 한국어 문장",
    "south-east": "ภาษาไทย ພາສາລາວ ភាសាខ្មែរ မြန်မာ",
    "emoji": "👩‍🔬 tests 🧬 with 🇩🇪🇫🇷 and 👍🏽",
    "long": "a" * 300 + " " + "ab" * 255,
    "astral": "𝒳" * 140 + " a" + "𐐀" * 127,
    "empty": "",
    "blank": " \t\n ",
    "marks": "… — ?! (,) ;;",
    "stops": "to be or not to be, that is the",
    "numbers": "1,234.5 3.14e-10 p<0.05 1;2 1:2 x:y 0x1F ½ ²",
    "stems": "relational conditional generalizations oscillators ponies caresses skies dying happily",
    "twice": "score score Score scores scored metric metric correlation correlation correlation",
    "absent": "zyzzyva",
    "half": "zyzzyva correlation",
    "word": "summary",
}


def plain(page: str) -> list[tuple[str, str]]:
    """The sections of a page, title and running text: without code, tables, pictures and addresses."""
    text = re.sub(r"^```.*?^```$", "", (DOCS / f"{page}.md").read_text(encoding="utf-8"), flags=re.M | re.S)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"^\|.*$", "", text, flags=re.M))
    parts = re.split(r"^#+ (.*)$", text.replace("`", "").replace("**", ""), flags=re.M)[1:]
    return [(title, " ".join(body.split())) for title, body in zip(parts[::2], parts[1::2], strict=True)]


def write(path: Path, lines: Iterable[str]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def read(path: Path) -> list[dict]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.decode().split("\n")[:-1]]


def texts() -> None:
    """Sections and pages as documents, with an empty one and equal ones; sentences of a page as summaries."""
    draw = random.Random(0)
    documents = [
        (f"{page}-{number}", text)
        for page in PAGES
        for number, (_, text) in enumerate(plain(page))
        if len(text.split()) > 25
    ]
    documents += [(f"{page}-whole", " ".join(text for _, text in plain(page))) for page in PAGES]
    documents += [
        ("A-copy", documents[3][1]),
        ("A-empty", ""),
        ("A-stops", "to be or not to be"),
        ("A-short", "A summary"),
    ]
    leads = {f"lead-{id}": " ".join(text.split()[:40]) for id, text in documents[:-4:5]}
    queries = leads | {f"made-{name}": text for name, text in MADE.items()}
    write(HERE / "lucene/documents.jsonl.gz", (_record(id=id, text=text) for id, text in documents))
    write(HERE / "lucene/queries.jsonl", (_record(id=id, text=text) for id, text in queries.items()))
    candidates, references = [], []
    for page in TOPICS:
        sections = tuple(Section(title, tuple(sentences(text))) for title, text in plain(page) if text)
        source = Source(page, page, sections=sections)
        own = {name: summarize(name, source, words=120).sentences for name in SYSTEMS}
        own |= {"edge": EDGE, "empty": [], "word": ["summary"]}
        candidates += [_record(topic=page, system=name, sentences=list(own[name])) for name in own]
        for annotator in "ABC":
            chosen = sorted(draw.sample(range(len(source.sentences)), 6))
            chosen = [source.sentences[number] for number in chosen]
            references.append(_record(topic=page, annotator=annotator, sentences=chosen))
    write(HERE / "rouge155/pages_candidates.jsonl", candidates)
    write(HERE / "rouge155/pages_references.jsonl", references)


def _record(**fields) -> str:
    return json.dumps(fields, ensure_ascii=False)


def rouge(folder: Path) -> None:
    """Run the four command lines of each configuration, and keep its scores and averages as printed."""
    with tempfile.TemporaryDirectory() as work:
        evaluations = _evaluations(Path(work))
        for name, options in CONFIGURATIONS.items():
            program = f"perl {folder}/ROUGE-1.5.5.pl -e {folder}/data"
            commands = [f"{program} {run} {options} -c 95 -r 1000 -d -a {evaluations}" for run in RUNS]
            printed = "".join(subprocess.check_output(each.split(), text=True) for each in commands)
            rows = re.findall(r"^(\S+) (\S+) Eval (\S+)\.\1 R:(\S+) P:(\S+) F:(\S+)$", printed, re.M)
            scores = [(topic, system, metric, p, r, f) for system, metric, topic, r, p, f in rows]
            head = "topic\tsystem\tmetric\tP\tR\tF"
            write(HERE / f"rouge155/pages_scores_{name}.tsv.gz", [head, *map("\t".join, scores)])
            interval = r"^(\S+) (\S+) Average_([RPF]): (\S+) \(95%-conf\.int\. (\S+) - (\S+)\)$"
            found = {row[:3]: row for row in re.findall(interval, printed, re.M)}
            measures = dict.fromkeys(key[:2] for key in found)
            rows = ["\t".join(found[*key, part]) for key in measures for part in "PRF"]
            head = "system\tmetric\tmeasure\tmean\tci_low\tci_high"
            write(HERE / f"rouge155/pages_system_averages_{name}.tsv.gz", [head, *rows])


def _evaluations(folder: Path) -> Path:
    """The texts as files, one sentence a line, and the list of evaluations that ROUGE reads."""
    references = read(HERE / "rouge155/pages_references.jsonl")
    evaluations = []
    for topic in TOPICS:
        parts = {"PEER": [], "MODEL": []}
        own = [("PEER", "system", one) for one in read(HERE / "rouge155/pages_candidates.jsonl")]
        for kind, field, record in own + [("MODEL", "annotator", one) for one in references]:
            if record["topic"] == topic:
                name = f"{topic}.{record[field]}"
                (folder / name).write_text(
                    "".join(f"{one}\n" for one in record["sentences"]), encoding="utf-8"
                )
                parts[kind].append(f'<{kind[0]} ID="{record[field]}">{name}</{kind[0]}>')
        evaluations.append(
            f'<EVAL ID="{topic}">\n<PEER-ROOT>{folder}</PEER-ROOT>\n<MODEL-ROOT>{folder}</MODEL-ROOT>\n'
            f'<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>\n<PEERS>{"".join(parts["PEER"])}</PEERS>\n'
            f"<MODELS>{''.join(parts['MODEL'])}</MODELS>\n</EVAL>\n"
        )
    path = folder / "evaluations.xml"
    path.write_text(f'<ROUGE-EVAL version="1.55">\n{"".join(evaluations)}</ROUGE-EVAL>\n')
    return path


def lucene(jars: str) -> None:
    """Run `Recorder.java`, and bring what it writes into the form of the files that the tests read."""
    documents = read(HERE / "lucene/documents.jsonl.gz")
    with tempfile.TemporaryDirectory() as work:
        _recorder(jars, work, documents, read(HERE / "lucene/queries.jsonl"), "english")
        table = (Path(work) / "length_norm_table.tsv").read_text().split("\n")[1:-1]
        lengths = dict(row.split("\t") for row in table)
        for path in sorted(Path(work).glob("*_*")):
            lines = path.read_text(encoding="utf-8").split("\n")[:-1]
            if path.name.startswith("tokens_"):
                _streams(path.stem.removeprefix("tokens_"), lines, lengths)
            else:
                write(HERE / "lucene" / (path.name + ".gz" * (path.suffix == ".tsv")), lines)


def lucene_german(jars: str) -> None:
    """The same for the analyzer of German: all token streams, and the rankings with the default mu."""
    documents, queries = (read(HERE / f"lucene_german/{name}.jsonl") for name in ("documents", "queries"))
    with tempfile.TemporaryDirectory() as work:
        _recorder(jars, work, documents, queries, "german")
        lines = (Path(work) / "tokens_german.tsv").read_text(encoding="utf-8").split("\n")[:-1]
        cells = (line.split("\t") for line in lines)
        streams = (_record(id=id, tokens=text.split(" ") if text else []) for id, _, text in cells)
        write(HERE / "lucene_german/tokens.jsonl.gz", streams)
        rankings = (Path(work) / "rankings_german_mu2000.tsv").read_text(encoding="utf-8").split("\n")[:-1]
        write(HERE / "lucene_german/rankings_mu2000.tsv.gz", rankings)


def _recorder(jars: str, work: str, documents: list[dict], queries: list[dict], language: str) -> None:
    """Run `Recorder.java` on documents and queries; it writes into the folder ``work``."""
    inputs = []
    for name, records in (("documents", documents), ("queries", queries)):
        inputs.append(f"{work}/{name}.tsv")
        encoded = ((one["id"], base64.b64encode(one["text"].encode()).decode()) for one in records)
        write(Path(inputs[-1]), map("\t".join, encoded))
    subprocess.run(["java", "-cp", jars, HERE / "Recorder.java", *inputs, work, language], check=True)


def _streams(analyzer: str, lines: list[str], lengths: dict[str, str]) -> None:
    """The tokens of the queries, of every fifth document too, and length and checksum of each document."""
    streams, documents = [], ["id\tlength\tnorm_byte\tdecoded_length\tsha256_of_tokens"]
    for number, line in enumerate(lines):
        id, norm, text = line.split("\t")
        tokens = text.split(" ") if text else []
        kind = "query" if norm == "query" else "document"
        if kind == "query" or number % 5 == 0:
            streams.append(_record(id=id, kind=kind, tokens=tokens))
        if kind == "document":
            checksum = hashlib.sha256("".join(f"{token}\n" for token in tokens).encode()).hexdigest()
            documents.append(f"{id}\t{len(tokens)}\t{norm}\t{lengths[norm]}\t{checksum}")
    write(HERE / f"lucene/tokens_{analyzer}.jsonl.gz", streams)
    write(HERE / f"lucene/documents_{analyzer}.tsv.gz", documents)


def realsumm(release: Path, recorded: Path) -> None:
    """Copy the lines of the topics of `SLICE`, as they are: documents, texts of all systems, scores."""
    documents = (release / "documents.txt").read_text(encoding="utf-8").split("\n")
    write(HERE / "sumy/realsumm_slice_documents.txt", (documents[int(topic)] for topic in SLICE))
    for kind in ("candidates", "references"):
        lines = (recorded / f"realsumm_{kind}.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
        chosen = (line for line in lines if json.loads(line)["topic"] in SLICE)
        write(HERE / f"rouge155/realsumm_slice_{kind}.jsonl", chosen)
    for name in list(CONFIGURATIONS)[:5]:
        head, *lines = (recorded / f"realsumm_scores_{name}.tsv").read_text().split("\n")[:-1]
        chosen = (line for line in lines if line.split("\t")[0] in SLICE)
        write(HERE / f"rouge155/realsumm_slice_scores_{name}.tsv.gz", [head, *chosen])


def bert_score(model: str) -> None:
    """Score the candidates of two topics, one a batch, since the package pads the texts of a batch."""
    from bert_score import BERTScorer

    candidates, references = (
        [each for each in read(HERE / f"rouge155/realsumm_slice_{kind}.jsonl") if each["topic"] in SLICE[:2]]
        for kind in ("candidates", "references")
    )
    of_topics = {each["topic"]: " ".join(each["sentences"]) for each in references}
    scorer = BERTScorer(model_type=model, num_layers=6, device="cpu")
    texts = [" ".join(each["sentences"]) for each in candidates]
    scores = scorer.score(texts, [of_topics[each["topic"]] for each in candidates], batch_size=1)
    lines = ["topic\tsystem\tP\tR\tF"]
    for each, *measures in zip(candidates, *scores, strict=True):
        lines.append("\t".join([each["topic"], each["system"], *(f"{one:.7f}" for one in measures)]))
    write(HERE / "bert_score/realsumm_slice_minilm.tsv", lines)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["texts"]:
            texts()
        case ["rouge", folder]:
            rouge(Path(folder).resolve())
        case ["lucene", jars]:
            lucene(jars)
        case ["lucene_german", jars]:
            lucene_german(jars)
        case ["realsumm", release, recorded]:
            realsumm(Path(release), Path(recorded))
        case ["bert_score", folder]:
            bert_score(folder)
        case _:
            sys.exit(__doc__)
