"""Nothing that reaches the server as data opens a file, runs code or searches without bound: every way in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from helpers.traps import Traps, record

from yatzy.errors import InputError, LimitExceeded, NotFromData
from yatzy.games import Record
from yatzy.web import coaching
from yatzy.web.page.store import GameStore

if TYPE_CHECKING:
    from web.conftest import Running, Served, Visit


@pytest.fixture
def traps(tmp_path: Path) -> Traps:
    return Traps(tmp_path)


def test_a_pasted_or_uploaded_record_is_refused(traps: Traps, tmp_path: Path) -> None:
    store = GameStore(tmp_path / "games")
    for form in traps.forms:
        with pytest.raises((NotFromData, LimitExceeded)) as caught:
            store.load(coaching.read_record(record(form)))
        assert "\n" not in str(caught.value)
    assert not list(tmp_path.glob("games/*"))
    assert not traps.was_run


def test_a_finished_game_against_any_strategy_can_be_looked_at(traps: Traps, tmp_path: Path) -> None:
    turns = "\n1 Ann: ones 1\n1 Bo: ones 1\n2 Ann: twos 2\n2 Bo: twos 2\n"
    found = GameStore(tmp_path / "games").load(coaching.read_record(record(traps.forms[0]) + turns))
    assert found.session.over
    assert not traps.was_run


def test_a_link_to_a_saved_game_is_refused(traps: Traps, served: Served) -> None:
    served.games.mkdir(exist_ok=True)
    for number, form in enumerate(traps.forms):
        (served.games / f"trap-{number}.yatzy").write_text(record(form))
        for path in ("/", "/review", "/quiz", "/lab"):
            answer = httpx.get(f"{served.address}{path}", params={"game": f"trap-{number}"}, timeout=300)
            assert answer.status_code == 200
            assert "Traceback" not in answer.text
        (served.games / f"trap-{number}.yatzy").unlink()
    assert not traps.was_run
    assert "Traceback" not in served.stop()


def test_the_page_says_why_a_linked_game_is_refused(traps: Traps, served: Served, visit: Visit) -> None:
    served.games.mkdir(exist_ok=True)
    (served.games / "trap.yatzy").write_text(record(traps.forms[0]))
    visit.page.goto(f"{served.address}/?game=trap")
    visit.page.get_by_test_id("tell").get_by_text("runs a Python file").wait_for()
    assert not traps.was_run


def test_a_review_over_the_api_never_opens_a_player(web: Running, traps: Traps) -> None:
    for form in traps.forms:
        text = record(form) + "\n1 Ann: 12 (2) 22 twos 4\n1 Bo: 12 (2) 22 twos 4\n"
        assert web.ask("review", record=text).status_code == 200
        status, line = web.refusal("review", record=text, objective=form)
        assert (status in (403, 422), "\n" in line) == (True, False)
    assert not traps.was_run


def test_too_many_players_are_refused(web: Running) -> None:
    many = "game: two-yatzy\n" + "".join(f"player: P{n}\n" for n in range(10_000))
    assert web.refusal("review", record=many)[0] == 422
    assert web.refusal("value", position="two-yatzy" + "~s." * 1000)[0] == 422
    with pytest.raises(InputError, match="more than 20 players"):
        Record.parse(many)


def test_names_survive_saving_as_text(traps: Traps) -> None:
    for form in traps.forms:
        assert str(Record.parse(record(form))) == record(form)
