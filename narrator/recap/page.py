"""The story as one HTML page that needs nothing else: a picture of seats over nights and days, the same as a table, and the story."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from string import Template

from narrator.interface import Interface, about
from narrator.recap.chart import cards, chart
from narrator.recap.lines import MARKS, NIGHTFALL
from narrator.recap.story import Chapter, story
from narrator.rules import Game
from narrator.script import Script


def page(game: Game, interface: Interface, script: Script) -> str:
    """The page of a game that is over."""
    words, chapters = interface.page, story(game)
    winner = interface.winners[game.outcome.winner] if game.outcome else ""
    texts = {
        "title": words["title"],
        "subtitle": words["subtitle"].format(edition=script.name, players=game.setup.seats, winner=winner),
        "chart_title": words["chart"],
        "chart_how": words["chart_how"],
        "legend_title": words["legend"],
        "seats_title": words["seats"],
        "story_title": words["story"],
    }
    markup = {
        "chart": chart(game, chapters, interface, script),
        "legend": "\n".join(_legend(chapters, interface, script)),
        "seats": "\n".join(_seats(game, chapters, interface, script)),
        "story": "\n".join(_story(chapters, interface, script)),
    }
    template = Template(files("narrator.recap").joinpath("page.html").read_text("utf-8"))
    return template.substitute(markup, **{name: escape(text) for name, text in texts.items()})


def _legend(chapters: Sequence[Chapter], interface: Interface, script: Script) -> Iterable[str]:
    """The signs that the picture uses, with what they mean."""
    used = {mark.what for chapter in chapters for mark in chapter.marks}
    for what in filter(used.__contains__, MARKS):
        some = interface.page["some"]
        glyph, meaning = interface.glyphs[what].format(count=some), interface.deed(what, some, script)
        text = interface.page["mark"].format(glyph=glyph, meaning=meaning)
        yield f"<li>{escape(text)}</li>"


def _seats(game: Game, chapters: Sequence[Chapter], interface: Interface, script: Script) -> Iterable[str]:
    """Who sat where with which card, and what was done to each: what the picture shows, for who cannot see it."""
    words = interface.page
    named = ["name"] if game.setup.names else []
    heads = "".join(f'<th scope="col">{escape(words[key])}</th>' for key in ("seat", *named, "card", "history"))
    held = cards(game, interface, script)
    yield f"<thead><tr>{heads}</tr></thead>\n<tbody>"
    for seat in range(1, game.setup.seats + 1):
        moments = [f"<div>{escape(moment)}</div>" for moment in _moments(seat, game, chapters, interface, script)]
        cells = [game.setup.name(seat)] if named else []
        cells = [escape(cell) for cell in (*cells, held[seat])]
        row = "".join(f"<td>{cell}</td>" for cell in (*cells, "".join(moments)))
        yield f'<tr><th scope="row">{escape(words["seat_number"].format(seat=seat))}</th>{row}</tr>'
    yield "</tbody>"


def _moments(seat: int, game: Game, chapters: Sequence[Chapter], interface: Interface, script: Script) -> Iterable[str]:
    """What was done to a seat, phase by phase."""
    for chapter in chapters:
        deeds = [interface.deed(mark.what, mark.count, script, mark.round) for mark in chapter.marks if mark.seat == seat]
        if deeds:
            yield interface.page["moment"].format(phase=interface.phase(chapter.phase), deeds="、".join(deeds))
    if seat in game.alive:
        yield interface.page["survived"]


def _story(chapters: Sequence[Chapter], interface: Interface, script: Script) -> Iterable[str]:
    """The story as it is told aloud, under the name of each night and day, and of the event card that came with it."""
    for chapter in chapters:
        text = "".join(script.text(line) for line in chapter.lines if line.key not in NIGHTFALL)
        if text:
            head = interface.phase(chapter.phase)
            if chapter.drawn:
                cards = "、".join(about(name, script).name for name in chapter.drawn)
                head = interface.page["drawn"].format(phase=head, cards=cards)
            yield f"<h3>{escape(head)}</h3>\n<p>{escape(text)}</p>"
