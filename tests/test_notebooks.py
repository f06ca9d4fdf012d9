"""Every notebook runs from top to bottom, in its short form, and what is kept of it is small."""

import json
from pathlib import Path

import pytest
from helpers import ROOT, run_python

pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EXECUTE = """
import sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": sys.argv[2]}}).execute()
print("executed", len(notebook.cells))
"""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path):
    printed = run_python(EXECUTE, str(path), str(tmp_path), CLIMBENVS_SHORT="1")
    assert "executed" in printed


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_with_small_outputs(path: Path):
    assert path.stat().st_size < 200_000
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert any(cell["outputs"] for cell in cells)
    errors = [output for cell in cells for output in cell["outputs"]]
    assert all(output["output_type"] != "error" for output in errors)


def test_there_are_four_notebooks():
    assert [path.stem.partition("_")[0] for path in NOTEBOOKS] == ["01", "02", "03", "04"]
