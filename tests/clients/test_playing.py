"""`todas play` in a terminal, played by keys against the service as it is run."""

from __future__ import annotations

import json
import stat
import subprocess
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from tests.app.api.served import TODAS, Served, kept_port, serve
from tests.clients.terminal import Terminal


def playing(address: str, home: Path, *options: str, columns: int = 80, rows: int = 24) -> Terminal:
    """`todas play` there, by a user whose settings are in `home`."""
    command: list[str | Path] = [TODAS, "play", "--server", address, "--pace", "0", *options]
    return Terminal(*command, columns=columns, rows=rows, XDG_CONFIG_HOME=str(home))


def play_round(terminal: Terminal) -> str:
    """Passes on everything and throws the last tile until the round is over: the page with its result."""
    pressed = ""
    while True:
        screen = terminal.until(partial(asks_anew, pressed))
        if "c confirm" in screen:
            return screen
        terminal.press("p" if "p Pass" in screen else "d" if "d Draw" in screen else "\x1b[D\r")
        pressed = screen


def asks_anew(before: str, screen: str) -> bool:
    """Whether a key is asked for, otherwise than before."""
    asked = ("letter: throw", "p Pass", "d Draw", "c confirm")
    return screen != before and any(words in screen for words in asked) and "▲▲▲" not in screen


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
def test_a_round_is_played_to_its_end_by_keys(service: Served, tmp_path: Path, ruleset: str):
    with playing(service.address, tmp_path, "--ruleset", ruleset, "--name", "Nena") as terminal:
        result = play_round(terminal)
        assert "won" in result or "The wall has run out" in result
        terminal.press("c")
        terminal.until(lambda screen: "round 2" in screen.lower())
        terminal.press("qq")
        assert terminal.end() == 0


def test_a_letter_throws_the_tile_above_it(service: Served, tmp_path: Path):
    slow_bots = ("--pace", "5")  # or what was thrown is out of sight before it can be seen
    with playing(service.address, tmp_path, "--ruleset", "tsumo", "--name", "Nena", *slow_bots) as terminal:
        lines = terminal.until("letter: throw").splitlines()
        (keys,) = [place for place, line in enumerate(lines) if line.split()[:3] == ["a", "b", "e"]]
        first = lines[keys - 2].split()[0] + lines[keys - 1].split()[0]
        terminal.press("a")
        terminal.until(f"You throw {first}")


def test_the_player_goes_on_after_a_restart_of_the_service(own_url: str, tmp_path: Path):
    with kept_port() as port, ExitStack() as stack:
        with serve(own_url, port=port) as first:
            terminal = playing(first.address, tmp_path, "--ruleset", "tsumo", "--name", "Nena")
            stack.enter_context(terminal)
            terminal.until("letter: throw")
        terminal.until("reconnecting")
        with serve(own_url, port=port):
            terminal.until("live")
            play_round(terminal)


def test_a_guest_is_remembered_and_the_table_too(service: Served, tmp_path: Path):
    with playing(service.address, tmp_path) as terminal:
        terminal.until("Your name at the table")
        terminal.press("Aling Nena\r")
        terminal.until("New table: tsumo, against three bots")
        terminal.press("2")
        terminal.until("letter: throw")
    with playing(service.address, tmp_path) as terminal:
        assert "Aling Nena" in terminal.until("Go on: tsumo")
        terminal.press("1")
        terminal.until("letter: throw")
    kept = tmp_path / "todas/accounts.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text())[service.address]["recovery_code"]


def test_a_guest_whose_token_is_gone_is_recovered(service: Served, tmp_path: Path):
    with playing(service.address, tmp_path, "--name", "Nena", "--ruleset", "tsumo") as terminal:
        terminal.until("letter: throw")
    kept = tmp_path / "todas/accounts.json"
    accounts = json.loads(kept.read_text())
    accounts[service.address]["token"] = "todas_nothing"
    kept.write_text(json.dumps(accounts))
    with playing(service.address, tmp_path) as terminal:
        terminal.until("Go on: tsumo")
    assert json.loads(kept.read_text())[service.address]["token"] != "todas_nothing"


def test_friends_meet_by_a_code(service: Served, tmp_path: Path):
    with (
        playing(service.address, tmp_path / "a", "--name", "Ana", "--ruleset", "emay", "--open", "3") as ana,
        playing(service.address, tmp_path / "b", "--name", "Ben") as ben,
    ):
        screen = ana.until("Tell them the code")
        (code,) = [line.split()[-1] for line in screen.splitlines() if "the code" in line]
        ben.until("Join with a code")
        ben.press("5")
        ben.until("The code of the table")
        ben.press(f"{code.upper().replace('-', ' ')}\r")
        ben.until("not ready yet")
        ben.press("r")
        ana.until(lambda screen: "Ben  ready" in screen)
        ana.press("s")
        ana.until("Ben")
        ana.until("live")
        ben.until(lambda screen: "live" in screen and "Ana" in screen)


def test_help_and_leaving_are_asked_for_by_keys(service: Served, tmp_path: Path):
    with playing(service.address, tmp_path, "--ruleset", "tsumo", "--name", "Nena") as terminal:
        terminal.until("letter: throw")
        terminal.press("?")
        terminal.until("HOW TO PLAY")
        terminal.press(" ")
        terminal.until("letter: throw")
        terminal.press("h")
        terminal.until("Hint:")
        terminal.press("q")
        terminal.until("Leave the table?")
        terminal.press("e")
        terminal.until("The game ends after this round.")
        play_round(terminal)
        terminal.press("c")
        terminal.until("The game is over")
        terminal.press("q")
        assert terminal.end() == 0


def test_a_small_terminal_is_told_what_is_needed(service: Served, tmp_path: Path):
    with playing(service.address, tmp_path, "--ruleset", "emay", "--name", "Nena", columns=60, rows=20) as terminal:
        terminal.until("This needs 80 columns and 24 rows")


def test_without_a_terminal_the_player_says_so():
    run = subprocess.run([TODAS, "play"], input="", capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "start it in" in run.stderr


def test_a_service_that_is_not_there_is_told(tmp_path: Path):
    with playing("http://127.0.0.1:9", tmp_path, "--name", "Nena", "--patience", "0.3") as terminal:
        assert terminal.end() == 1
        assert "http://127.0.0.1:9 does not answer" in terminal.text
