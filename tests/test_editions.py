"""Editions: the rulebook's five, and those that a table writes for itself."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from narrator.errors import BadScript, BadSetup
from narrator.interface import Interface, written
from narrator.rules import Rules, say
from narrator.script import Script, editions
from tests.command import ROOT, narrator
from tests.evening import PLAY, begun, journal_of, resumed, stop

RULEBOOK = tomllib.loads((Path(__file__).parent / "switches.toml").read_text("utf-8"))
"""The rulebook's table of switches, edition by edition."""

OWN = """
extends = "newmoon"
name = "老王家"
[rules]
tie = ["second_vote", "nobody"]
blank_called = "first_night"
[roles]
blank = "侦探"
[ours]
"blank.wake" = "侦探睁眼，看一眼桌子底下"
"seer.wake" = "预言家，请看牌。"
[setups.7]
werewolf = 2
seer = 1
blank = 1
villager = 3
[pacing]
wake = [1, 2]
"""


@pytest.mark.parametrize("edition", RULEBOOK)
def test_every_switch_has_the_rulebooks_value(edition: str) -> None:
    """What the rulebook says of a switch is what the edition plays."""
    rules = Script(edition).edition.rules.model_dump(mode="json")
    assert {switch: rules[switch] for switch in RULEBOOK[edition]} == RULEBOOK[edition]
    assert sorted(RULEBOOK) == editions()


def test_the_docs_show_the_editions_side_by_side() -> None:
    """docs/rules.md has every switch with its values, and what each edition plays."""
    page = (ROOT / "docs" / "rules.md").read_text("utf-8")
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\| `.*$", page, re.MULTILINE)]
    assert [row[0].strip("`") for row in rows] == list(Rules.model_fields)
    names = re.search(r"^\| switch \| values \| (.*) \| decides \|$", page, re.MULTILINE)
    assert names
    for row in rows:
        switch = row[0].strip("`")
        assert row[1].split(" · ") == list(Rules.choices(switch))
        for edition, cell in zip(names[1].split(" | "), row[2:7], strict=True):
            value = written(getattr(Script(edition).edition.rules, switch)).replace('"', "").strip("[]") or "none"
            assert cell == value, (switch, edition)


# --- a table's own ------------------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "mytable.toml"
    path.write_text(OWN, "utf-8")
    return path


def test_an_edition_of_ones_own_does_what_it_says_and_the_rest_as_before(own: Path) -> None:
    """Rules, words, lines, decks and pacing of the file are played; whatever it does not say is the other edition's."""
    script, base = Script(str(own)), Script("newmoon")
    assert (script.name, script.path) == ("老王家", own)
    assert script.edition.rules == base.edition.rules.changed(tie=["second_vote", "nobody"], blank_called="first_night")
    assert script.text(say("card.shown", seat=3, role="blank")) == "三号亮出身份牌。这张牌是，侦探。"
    assert script.text(say("blank.wake")) == "侦探睁眼，看一眼桌子底下"
    assert script.text(say("witch.wake")) == base.text(say("witch.wake"))
    assert script.official == base.official - {"seer.wake"}
    assert Counter(script.edition.deck(7)) == {"werewolf": 2, "seer": 1, "blank": 1, "villager": 3}
    assert script.edition.deck(6) == base.edition.deck(6)
    assert (script.pacing.wake, script.pacing.roll) == ((1, 2), base.pacing.roll)


@pytest.mark.parametrize(
    ("found", "put", "told"),
    [
        ('extends = "newmoon"', "", "少了 extends"),
        ('extends = "newmoon"', 'extends = "lunar"', "extends 只能写 anniversary、flow"),
        ("[rules]", "[rulse]", "rulse"),
        ("blank_called =", "blank_caled =", "没有 rules.blank_caled 这一项，也许是 blank_called"),
        ('"first_night"', '"sometimes"', "规则 blank_called 只能取 never"),
        ('blank = "侦探"', 'blnak = "侦探"', "roles.blnak"),
        ('blank = "侦探"', "blank = 3", "roles.blank 要写文字"),
        ('"seer.wake" =', '"seer.wakes" =', "ours.seer.wakes"),
        ("请看牌。", "请看{seat}。", "seer.wake 里不能有花括号"),
        ("villager = 3", "villager = 4", "setups.7 的牌要有 7 张"),
        ("villager = 3", "vilager = 3", "setups.7.vilager"),
        ("wake = [1, 2]", "wake = [2, 1]", "wake"),
        ("[pacing]", "[pacing", "不是 TOML 的写法"),
    ],
)
def test_a_fault_in_an_edition_of_ones_own_is_named(own: Path, found: str, put: str, told: str) -> None:
    """Whatever is wrong is told with the file, or the switch, and what was expected."""
    assert found in OWN
    own.write_text(OWN.replace(found, put, 1), "utf-8")
    with pytest.raises((BadScript, BadSetup)) as caught:
        Script(str(own))
    sentence = Interface.load().error(caught.value)
    assert told in sentence
    assert str(own) in sentence or isinstance(caught.value, BadSetup)


def test_an_edition_of_ones_own_is_played_and_resumed(own: Path, tmp_path: Path) -> None:
    """A game by a table's own file is played from any folder and resumed; without the file that is said."""
    command = (*PLAY, "--edition", str(own), "--players", "7")
    with begun(tmp_path, command) as session:
        assert "老王家" in session.screen.text
        session.type("1+2\r")
        session.wait_for("预言家，请", 30)
        stop(session)
    with resumed(tmp_path, "老王家") as session:
        session.wait_for("预言家，请", 30)
        stop(session)
    printed = narrator("editions", own).stdout
    assert f"文件：{own}" in printed
    assert 'blank_called = "first_night"' in printed
    own.unlink()
    lost = narrator("why", XDG_DATA_HOME=str(tmp_path))
    assert lost.returncode == 1
    assert "mytable.toml" in lost.stderr
    assert journal_of(tmp_path).exists()
