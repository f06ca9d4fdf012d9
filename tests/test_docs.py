"""The documentation agrees with the code: tables, examples, links."""

import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from climbenvs import registry
from scripts import make_docs

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
TRAINING = {"torch", "stable_baselines3", "sb3_contrib"}
"""Libraries of the extra `train`: examples that need them are skipped where they are missing."""


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def python_blocks():
    """Every Python example with the line it begins at."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(r"^( *)```python\n(.*?)^\1```", text, re.DOTALL | re.MULTILINE):
            line = text.count("\n", 0, match.start(2)) + 1
            yield pytest.param(page, line, dedent(match[2]), id=f"{name_of(page)}:{line}")


@pytest.mark.parametrize(("page", "line", "code"), list(python_blocks()))
def test_an_example_runs(page, line, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_specs", dict(registry._specs))
    compiled = compile("\n" * (line - 1) + code, f"<{name_of(page)}>", "exec")
    try:
        exec(compiled, {"__name__": "example"})
    except ModuleNotFoundError as problem:
        if problem.name not in TRAINING:
            raise
        pytest.skip(f"{problem.name} is not installed")


def test_generated_tables_are_current():
    script = str(ROOT / "scripts" / "make_docs.py")
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", [spec.name for spec in registry.specs() if spec.listed])
def test_every_game_has_a_page_with_all_tables(name):
    text = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    for what in ("observation", "actions", "options", "deck", "statistics"):
        assert f"<!-- generated: {name} {what} -->" in text, what


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_link_to_a_file_is_dead(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if re.match(r"\w+:", path):
            continue  # elsewhere in the web
        linked = page.parent / path if path else page
        assert linked.exists(), target
        if anchor:
            assert anchor in anchors(linked), target


def anchors(page):
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("<!-- generated: everest_go weather -->\n<!-- end -->", "unknown block"),
        ("<!-- generated: nonsense -->\n<!-- end -->", "unknown block"),
        ("<!-- generated: games -->\n", "not closed"),
    ],
)
def test_an_unknown_or_open_block_is_an_error(block, message):
    with pytest.raises(ValueError, match=message):
        make_docs.fill(block)
