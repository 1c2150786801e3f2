"""A small display: it shows figures to whoever is awake, and as much light as to anybody else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import luma.oled.device
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.device import dummy
from PIL import Image

from narrator.errors import NoDevice
from narrator.rules import ROLES, Show
from narrator.screen.small import HEIGHT, LIT, WIDTH, Small, opened
from tests.screen.test_lights import READ
from tests.texts import the_interface

Act = Callable[[Small], None]


def screen() -> tuple[Small, dummy]:
    """A display that keeps what it shows, in a window."""
    device = dummy(WIDTH, HEIGHT, mode="1")
    small = Small(device)
    small.awake(True)
    return small, device


def show(key: str, value: Any) -> Act:
    told = Show(key, "seer", (1,), value)
    return lambda small: small.private("seer", "text", (), told)


def lit(device: dummy) -> int:
    """How many dots are lit."""
    return sum(device.image.convert("L").histogram()[1:])


def picture(*acts: Act) -> bytes:
    """What is on the display after these."""
    small, device = screen()
    for act in acts:
        act(small)
    image: Image.Image = device.image
    return image.tobytes()


ASKS: list[Act] = [
    lambda small: small.asking("text", True, "seat"),
    lambda small: small.asking("text", True, "yes_no"),
    lambda small: small.asking("text", True, "wait"),
    lambda small: small.asking("", True),
]
TAKEN_AWAY: list[Act] = [lambda small: small.wipe(), lambda small: small.cover(True), lambda small: small.hide(True)]
SHOWS = [show(key, value) for key, examples in READ.items() for value, _ in examples]
SEATS = st.lists(st.integers(1, 20), max_size=20, unique=True).map(lambda seats: show("charmed.who", tuple(sorted(seats))))
CARDS = st.lists(st.sampled_from(sorted(ROLES)), min_size=1, max_size=13, unique=True).map(lambda cards: show("roll.cards", tuple(cards)))
TYPED: st.SearchStrategy[Act] = st.text("0123456789+-x８號", max_size=64).map(lambda text: lambda small: small.typed(text))
ACTS = st.one_of(
    st.sampled_from([*SHOWS, *ASKS, *TAKEN_AWAY]), SEATS, CARDS, TYPED,
    st.sampled_from([lambda small: small.refuse("text"), lambda small: small.cover(False), lambda small: small.hide(False)]),
)  # fmt: skip


@given(st.lists(ACTS, max_size=8))
@settings(max_examples=300, deadline=None)
def test_as_many_dots_are_lit_whatever_is_shown(acts: list[Act]) -> None:
    """In every window, for whoever is awake or nobody, the display gives the same light; before and after it none."""
    small, device = screen()
    for act in acts:
        act(small)
        assert lit(device) == LIT
    small.awake(False)
    assert lit(device) == 0


def test_what_differs_looks_different() -> None:
    """Each thing that one question can show has a picture of its own, and none is that of nothing; so have the questions."""
    for key, examples in READ.items():
        pictures = {picture(show(key, value)) for value, _ in examples}
        assert len(pictures | {picture()}) == len(examples) + 1, key
    assert len({picture(ask) for ask in ASKS}) == len(ASKS)
    assert picture(show("backfire.turned", ())) != picture(show("backfire.same", ()))
    assert picture(show("seer.card", "seer")) != picture(show("witch.victim", (4,))), "the fourth card is no seat"


@pytest.mark.parametrize("away", TAKEN_AWAY)
def test_what_is_taken_away_is_gone(away: Act) -> None:
    """Wiped, covered or hidden, nothing can be told from the picture of a decoy; what was covered or hidden comes back."""
    shown = [show("seer.side", "werewolf"), ASKS[0], lambda small: small.typed("5")]
    assert picture(*shown, away) == picture()
    back = picture(*shown, away, lambda small: small.cover(False), lambda small: small.hide(False))
    assert back == (picture() if away is TAKEN_AWAY[0] else picture(*shown))


def test_what_is_typed_and_refused_stands_below() -> None:
    """What is typed takes the question's place; a refusal takes that of both, until the next key. By day a refusal is not for here."""
    asked = picture(ASKS[0])
    typed = picture(ASKS[0], lambda small: small.typed("5"))
    refused = picture(ASKS[0], lambda small: small.typed("5"), lambda small: small.refuse("text"))
    assert len({asked, typed, refused}) == 3
    assert picture(ASKS[0], lambda small: small.refuse("text"), lambda small: small.typed("5")) == typed
    assert picture(lambda small: small.awake(False), lambda small: small.refuse("text"), lambda small: small.awake(True)) == picture()


def test_a_display_that_is_pulled_out_ends_nothing() -> None:
    """It is drawn on as ever, and closed."""

    class Lost:
        mode = "1"

        def __init__(self) -> None:
            self.tried = 0

        def display(self, _: Image.Image) -> None:
            self.tried += 1
            raise OSError("no such device")

        def cleanup(self) -> None:
            raise OSError("no such device")

    device = Lost()
    small = Small(device)
    small.awake(True)
    show("seer.side", "werewolf")(small)
    small.close()
    assert device.tried == 4


def test_it_is_drawn_only_when_something_changes() -> None:
    """A bus as slow as this has no time for the same picture again."""
    small, device = screen()
    device.image = None
    small.asking("text", False)
    small.typed("")
    small.notice("text")
    assert device.image is None


def test_no_display_is_told() -> None:
    """A machine without the bus says what to do."""
    for model in ("ssd1306", "sh1106"):
        with pytest.raises(NoDevice) as raised:
            opened(model)   # type: ignore[arg-type]
        assert "raspi-config" in the_interface().error(raised.value)


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated")
@pytest.mark.parametrize("model", ["ssd1306", "sh1106"])
def test_both_makes_take_the_picture(model: str) -> None:
    """What is drawn goes over the bus in the form that the display wants: all of it when it changes."""

    class Bus:
        def __init__(self) -> None:
            self.sent = b""

        def command(self, *_: int) -> None:
            """Nothing of the picture."""

        def data(self, sent: list[int]) -> None:
            self.sent += bytes(sent)

        def cleanup(self) -> None:
            """Nothing to let go of."""

    bus = Bus()
    small = Small(getattr(luma.oled.device, model)(bus))
    bus.sent = b""
    small.awake(True)
    assert sum(byte.bit_count() for byte in bus.sent) == LIT
    small.close()


@pytest.mark.parametrize("package", ["luma.core.error", "PIL"])
def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Without the extra the sentence says how to install it."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(NoDevice) as raised:
        Small(opened("ssd1306") if package != "PIL" else None)
    assert ".[oled]" in the_interface().error(raised.value)
