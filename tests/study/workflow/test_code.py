"""What changes the hash of a job's code, and what does not (study/workflow/code.py)."""

from __future__ import annotations

import importlib.util
import shutil

import pytest
from conftest import ROOT

GUIDED = "plugins/sera-guided/sera_guided"
FILES = {
    "envs/requirements.lock": "numpy==1\n",
    "scripts/count.py": "from sera.count import count\n",
    "scripts/claim.py": "from study.claims import NAME\n",
    "scripts/train.py": "from sera_guided.weights import START\nfrom sera.registry import PARTS\n",
    "sera/__init__.py": "",
    "sera/count.py": "LEAST = 1\nWORDS = 'words.txt'\n",
    "sera/registry.py": "PARTS = Registry(\n    'part', {'one': ('sera.count:count', 'x')}\n)\n",
    "sera/resources/words.txt": "one\n",
    "study/__init__.py": "",
    "study/claims.py": "NAME = 'claims.yaml'\n",
    "study/resources/claims.yaml": "- claim\n",
    f"{GUIDED}/__init__.py": "",
    f"{GUIDED}/weights.py": "START = 1\n",
}


@pytest.fixture
def changed_jobs(tmp_path):
    """The scripts whose hashes change with a file of a small project."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "study/workflow").mkdir(parents=True)
    shutil.copy(ROOT / "study/workflow/code.py", tmp_path / "study/workflow")

    def hashes() -> dict[str, str]:
        spec = importlib.util.spec_from_file_location(
            "code_of_a_project", tmp_path / "study/workflow/code.py"
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return {script: module.code(script) for script in ("count", "claim", "train")}

    def change(file: str, text: str) -> set[str]:
        before = hashes()
        (tmp_path / file).write_text(text)
        after = hashes()
        return {script for script in before if before[script] != after[script]}

    return change


@pytest.mark.parametrize(
    ("file", "text", "scripts"),
    [
        ("sera/count.py", "LEAST = 2\nWORDS = 'words.txt'\n", {"count"}),
        ("sera/resources/words.txt", "one\ntwo\n", {"count"}),
        ("study/claims.py", "NAME = 'claims.yaml'\nMOST = 1\n", {"claim"}),
        ("study/resources/claims.yaml", "- other\n", {"claim"}),
        (f"{GUIDED}/weights.py", "START = 2\n", {"train"}),
        ("sera/registry.py", "PARTS = Registry(\n    'part', {'two': ('sera.count:other', 'x')}\n)\n", set()),
        ("sera/registry.py", "PARTS = Registry(\n)\nMOST = 1\n", {"train"}),
        ("envs/requirements.lock", "numpy==2\n", {"count", "claim", "train"}),
        # comments and empty lines are not read by a program; what looks like one in a string is
        ("sera/count.py", "# a's\n\nLEAST = 1  # \"b\n\n    # c\nWORDS = 'words.txt'\n", set()),
        ("envs/requirements.lock", "numpy==1\n    # via scipy\n", set()),
        ("sera/count.py", "LEAST = 1\nWORDS = 'words.txt#'\n", {"count"}),
        ("sera/count.py", 'LEAST = 1\nWORDS = \'words.txt\'\n"""\n#\n"""\n', {"count"}),
        ("sera/count.py", 'LEAST = 1\nWORDS = \'words.txt\'\n"""\n#"""\n', {"count"}),
    ],
)
def test_a_change_reaches_what_imports_it(changed_jobs, file, text, scripts):
    assert changed_jobs(file, text) == scripts
