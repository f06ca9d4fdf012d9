"""The documentation agrees with the code: tables, examples, links."""

import re
from pathlib import Path
from textwrap import dedent

import pytest
import typer
from typer.testing import CliRunner

from climbenvs import registry
from scripts import doc_statistics, make_docs

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


@pytest.mark.parametrize("page", make_docs.pages(), ids=name_of)
def test_generated_tables_are_current(page):
    text = page.read_text(encoding="utf-8")
    assert make_docs.fill(text) == text, "run: python scripts/make_docs.py"


def test_a_stale_page_is_named_and_then_rewritten(tmp_path, monkeypatch):
    page = tmp_path / "README.md"
    page.write_text("<!-- generated: connect_four actions -->\n<!-- end -->\n")
    monkeypatch.setattr(make_docs, "ROOT", tmp_path)
    app = typer.Typer()
    app.command()(make_docs.main)
    stale = CliRunner().invoke(app, ["--check"])
    assert (stale.exit_code, "README.md" in stale.output) == (1, True)
    assert CliRunner().invoke(app, []).exit_code == 0
    assert "drop:0" in page.read_text()
    assert CliRunner().invoke(app, ["--check"]).exit_code == 0


def test_statistics_are_measured_and_tabled(tmp_path):
    game = registry.load("connect_four")
    path = tmp_path / "statistics.json"
    with pytest.raises(ValueError, match="missing"):
        doc_statistics.statistics_table(game, path)
    doc_statistics.write(doc_statistics.measure(game, games=4, seed=0), path)
    assert "| 2 | `random` |" in doc_statistics.statistics_table(game, path)
    path.write_text(path.read_text().replace('"version": 0', '"version": 7'))
    with pytest.raises(ValueError, match="version 7"):
        doc_statistics.statistics_table(game, path)


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
