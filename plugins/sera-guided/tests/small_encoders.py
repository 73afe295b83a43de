"""Small language models in folders, whose weights are drawn, and the texts on which BERTScore is compared.

`python plugins/sera-guided/tests/small_encoders.py` writes what the authors' package says of them to
data/bert_score.json. It needs bert-score and a transformers below 5, with which the authors' own scores were
made:

    pip install bert-score==0.3.13 'transformers==4.57.6' torch
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import torch
from transformers import BartConfig, BartModel, BertConfig, BertModel, RobertaConfig, RobertaModel

RECORDED = Path(__file__).parent / "data/bert_score.json"
LONGEST = 32  # tokens that the models take
LAYERS = 3

CANDIDATES = [
    "the kinase binds p53",
    "A cell dies.",
    " \n",  # no token
    "p53 binds the cell ",
    "p53 " * 50,  # cut off
    "the cell dies , the kinase binds . " * 6,  # cut off
    "kinase",
]
REFERENCES = [
    ["p53 is bound by the kinase", "a cell", "the kinase binds p53"],
    ["the cell", "a kinase dies"],
    ["a cell"],
    ["", "the cell binds p53"],
    ["the kinase binds " * 20],
    ["a cell dies", "the kinase binds " * 20],
    ["cell"],
]
_WORDS = ["the", "kinase", "binds", "p53", "is", "bound", "by", "a", "cell", "dies", ".", ","]
_MERGES = "t h|th e|Ġ the|k i|Ġ ki|n a|Ġ a|Ġ p|Ġp 5|b i|c e|Ġ ce|l l|Ġce ll".split("|")


def make_models(folder: Path) -> dict[str, str]:
    """Write a BERT, a RoBERTa and a BART with their tokenizers, and return the folder of each."""
    size = {"hidden_size": 16, "num_hidden_layers": LAYERS, "num_attention_heads": 2, "intermediate_size": 32}
    vocabulary = _word_pieces(folder / "bert")
    bert = BertConfig(vocab_size=vocabulary, max_position_embeddings=LONGEST, **size)
    _save(BertModel(bert), folder / "bert", seed=1)
    vocabulary = _byte_pairs(folder / "roberta", "RobertaTokenizer")
    marks = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    roberta = RobertaConfig(vocab_size=vocabulary, max_position_embeddings=LONGEST + 2, **size, **marks)
    _save(RobertaModel(roberta), folder / "roberta", seed=2)
    vocabulary = _byte_pairs(folder / "bart", "BartTokenizer")
    sides = {f"{side}_{name}": value for side in ("encoder", "decoder") for name, value in _SIDE.items()}
    bart = BartConfig(vocab_size=vocabulary, d_model=16, max_position_embeddings=LONGEST, **sides)
    _save(BartModel(bart), folder / "bart", seed=3)
    return {name: str(folder / name) for name in ("bert", "roberta", "bart")}


_SIDE = {"layers": LAYERS, "attention_heads": 2, "ffn_dim": 32}


def _word_pieces(folder: Path) -> int:
    """A tokenizer of BERT that knows some words, and every letter in a word."""
    folder.mkdir()
    letters = [chr(each) for each in range(97, 123)]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *_WORDS, *(f"##{each}" for each in letters)]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    _tokenizer_config(folder, "BertTokenizer")
    return len(vocabulary)


def _byte_pairs(folder: Path, kind: str) -> int:
    """A tokenizer of RoBERTa with a few pairs of bytes."""
    folder.mkdir()
    printable = [chr(each) for each in range(33, 127)]
    joined = [pair.replace(" ", "") for pair in _MERGES]
    vocabulary = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *printable, "Ġ", "Ċ", *joined]
    (folder / "vocab.json").write_text(json.dumps({each: number for number, each in enumerate(vocabulary)}))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(_MERGES) + "\n")
    _tokenizer_config(folder, kind)
    return len(vocabulary)


def _tokenizer_config(folder: Path, kind: str) -> None:
    given = {"tokenizer_class": kind, "model_max_length": LONGEST}
    (folder / "tokenizer_config.json").write_text(json.dumps(given))


def _save(model: torch.nn.Module, folder: Path, seed: int) -> None:
    """Save a model whose weights numpy draws, so that they are the same with every version of torch."""
    drawn = np.random.RandomState(seed)
    with torch.no_grad():
        for name, weights in sorted(model.named_parameters()):
            spread = 0.05 if name.endswith("bias") else 1.0 if _is_of_words(name) else 0.25
            values = drawn.normal(0, spread, tuple(weights.shape)).astype(np.float32)
            weights.copy_(torch.from_numpy(values + np.float32("norm.weight" in name.lower())))
    model.save_pretrained(folder)


def _is_of_words(name: str) -> bool:
    return "word_embeddings" in name or "shared" in name


def record() -> None:
    import transformers
    from bert_score import score

    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, model in make_models(Path(folder)).items():
            for layer in (1, LAYERS):
                of_all = score(CANDIDATES, REFERENCES, model_type=model, num_layers=layer, device="cpu")
                found[f"{name} {layer}"] = [[round(float(one), 7) for one in measure] for measure in of_all]
    versions = {"bert_score": "0.3.13", "transformers": transformers.__version__}
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text(json.dumps({**versions, "P, R, F of each candidate": found}, indent=1) + "\n")


if __name__ == "__main__":
    record()
