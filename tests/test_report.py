"""The report is one page that needs nothing else, shows everything, and takes names literally."""

import re

import numpy as np
import pytest
from arena_games import plackett_luce, played
from rich.console import Console

from climbenvs.arena.report import result_of, terminal_table, write_report

PAIRS = [(0, 1), (0, 2), (1, 2)]


def rivals(names="abc"):
    outcome = plackett_luce(np.array([1.0, 0.0, -1.0]), np.random.default_rng(0))
    return played(names, PAIRS, 30, outcome)


def test_a_page_stands_alone_and_shows_every_entrant(tmp_path):
    games = rivals()
    games.forfeits[3], games.forfeited_by[3], games.ends[3] = "took 3 s", 1, "forfeit"
    path = write_report(games, tmp_path / "r.html", title="Test", settings={"deals": 30})
    page = path.read_text()
    assert page.count("data:image/png;base64,") == 4
    assert not re.search(r"(src|href)=[\"']?(https?:|/)", page)
    for text in ("took 3 s", "95 % intervals", "summit", "deals", "180 games", "group"):
        assert text in page
    assert [p.name for p in tmp_path.iterdir()] == ["r.html"]


def test_names_and_reasons_are_no_markup(tmp_path):
    games = rivals(("<script>alert(1)</script>", "[red]b[/red]", "c & $d$ $"))
    games.forfeits[0], games.forfeited_by[0] = "<b>bold</b>", 0
    page = write_report(games, tmp_path / "r.html").read_text()
    assert "<script>" not in page
    assert "<b>bold" not in page
    assert "c &amp; $d$ $" in page
    console = Console(record=True, width=200)
    console.print(terminal_table(result_of(games), "t"))
    assert "[red]b[/red]" in console.export_text()


def test_pictures_are_written_beside_the_page_on_request(tmp_path):
    write_report(rivals(), tmp_path / "r.html", pictures=True)
    names = {path.name for path in tmp_path.glob("*.png")}
    assert names == {
        "r_ratings.png",
        "r_seats.png",
        "r_who_is_ahead_of_whom.png",
        "r_length_of_games.png",
    }


def test_teams_have_scores_and_no_ratings(tmp_path):
    games = played("ab", [(0, 0), (1, 1)], 20, lambda deal, seated: [seated[0], seated[0]])
    page = write_report(games, tmp_path / "r.html").read_text()
    assert "Scores" in page
    assert "rating" not in page
    assert "on the same deals as the others" in page


def test_a_cycle_is_told_with_the_alpha_rank(tmp_path):
    def outcome(deal, seated):
        return [1, -1] if (seated[1] - seated[0]) % 3 == 1 else [-1, 1]

    games = played(["rock", "scissors", "paper"], PAIRS, 30, outcome)
    page = write_report(games, tmp_path / "r.html").read_text()
    assert "rock beats scissors" in page
    assert "33.3%" in page


@pytest.mark.parametrize("seats", [2, 4])
def test_many_entrants_with_long_names_fit(tmp_path, seats):
    names = [f"ppo:runs/a_very_long_folder_name/number_{number}" for number in range(8)]
    lineups = [(0, 1, 2, 3), (4, 5, 6, 7), (0, 2, 4, 6), (1, 3, 5, 7)]
    lineups = [lineup[:seats] for lineup in lineups] + [tuple(range(1, 1 + seats))]
    lineups += [tuple(range(8 - seats, 8)), tuple(range(3, 3 + seats)), tuple(range(2, 2 + seats))]
    lineups += [(5, 6), (1, 2)] if seats == 2 else []
    outcome = plackett_luce(np.linspace(1, -1, 8), np.random.default_rng(0))
    write_report(played(names, lineups, 10, outcome), tmp_path / "r.html", pictures=True)
    assert (tmp_path / "r_seats.png").stat().st_size > 10_000
