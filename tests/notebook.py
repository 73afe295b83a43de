"""Run a notebook, and keep its outputs in the file: python tests/notebook.py docs/evaluate-a-metric.ipynb"""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of a fresh run in an empty folder, and nothing of the machine in it."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=600,
            record_timing=False,
            coalesce_streams=True,
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    notebook.metadata = nbformat.from_dict(_METADATA)
    for number, cell in enumerate(notebook.cells, 1):
        cell.id, cell.metadata = f"cell-{number}", nbformat.NotebookNode()
    return notebook


def printed(notebook: nbformat.NotebookNode) -> list[str]:
    """The text that each code cell printed or returned; a picture has none."""
    texts = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            parts = []
            for output in cell.outputs:
                if output.output_type == "stream":
                    parts.append(output.text)
                elif "image/png" not in output.get("data", {}):
                    parts.append(output.data["text/plain"])
            texts.append("".join(parts))
    return texts


if __name__ == "__main__":
    (given,) = map(Path, sys.argv[1:])
    nbformat.write(executed(given), given)
