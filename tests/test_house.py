"""The house's own rules: lint and types, who may import whom, and where the Chinese sentences live."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from narrator.cli import COMMANDS, parser
from narrator.interface import Interface

ROOT = Path(__file__).parent.parent
CODE = sorted((ROOT / "narrator").rglob("*.py"))

MAY_IMPORT = {
    "rules": {"rules", "errors"},
    "voice": {"voice", "pronunciation", "process", "clip", "errors", "files", "resources"},
    "pronunciation": {"errors", "resources"},
    "sound": {"sound", "process", "clip", "clock", "errors", "files", "resources"},
    "ambience": {"ambience", "sound", "clip"},
    "settings": {"sound", "errors", "files", "resources"},
    "hearing": {"hearing", "rules", "clock", "errors", "process", "clip", "sound", "numerals", "files", "resources"},
    "screen": {"screen", "rules", "script", "interface", "clock", "errors"},
    "script": {"rules", "recap", "numerals", "pacing", "resources", "errors", "files", "events", "strict"},
    "events": {"rules", "resources", "strict"},
    "strict": {"errors", "files"},
    "recap": {"recap", "rules", "interface", "script"},
    "numerals": {"rules"},
    "journal": {"rules", "errors", "files"},
    "correction": {"journal", "rules"},
    "pacing": {"rules"},
    "process": set(),
    "box": {"box", "errors", "files", "finding", "resources"},
    "finding": set(),
    "practice": {"practice", "hearing", "rules", "cards", "clock"},
    "stage": {"clock", "hearing", "interface", "pacing", "rules", "screen", "script", "sound", "transcript", "voice"},
}
"""Room → the rooms of ours that it may import. The commands may import any."""

OUTSIDE = {"rules": {"pydantic", "pydantic_core", "collections", "dataclasses", "functools", "typing", "__future__"}}
"""Room → all that it may import from elsewhere, where that is limited: the rules know no world."""


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """The modules that a file imports, as their names' parts."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts = tuple(node.module.split("."))
            yield from ((*parts, alias.name) for alias in node.names) if parts == ("narrator",) else (parts,)


def files(room: str) -> list[Path]:
    return sorted((ROOT / "narrator" / room).rglob("*.py")) or [ROOT / "narrator" / f"{room}.py"]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    """Data flows one way: no device knows the loop, and the rules know nothing but themselves."""
    for path in files(room):
        for parts in imports(path):
            if parts[0] == "narrator":
                assert parts[1] in MAY_IMPORT[room], f"{path}: {'.'.join(parts)}"
            elif room in OUTSIDE:
                assert parts[0] in OUTSIDE[room], f"{path}: {'.'.join(parts)}"


def test_only_the_commands_import_the_loop() -> None:
    """Nobody else knows the loop."""
    importers = {path.parent.name for path in CODE for parts in imports(path) if parts[:2] == ("narrator", "loop")}
    assert importers == {"cli"}


def test_the_stage_does_not_know_the_game() -> None:
    """What is said and shown comes to the stage line by line; only the loop sees the game."""
    stage = (ROOT / "narrator" / "stage.py").read_text("utf-8")
    assert not re.search(r"\b(Game|Journal)\b", stage)


def test_no_chinese_sentence_lives_in_code() -> None:
    """Whatever a player hears or reads is in scripts/; an example in a docstring is neither."""
    for path in CODE:
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                assert not re.search(r"[一-鿿]{2}", node.value), f"{path}:{node.lineno}"


@pytest.mark.parametrize("check", [("ruff", "check"), ("mypy",)])
def test_lint_and_types(check: tuple[str, ...]) -> None:
    """Ruff and mypy (strict) have nothing to say."""
    where = ("narrator", "tests", "benchmarks") if check[0] == "ruff" else ()
    ended = subprocess.run([sys.executable, "-m", *check, *where], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_readme_names_every_command_and_only_those() -> None:
    """README's table has each command, and each command line in it is one that the narrator understands."""
    readme = (ROOT / "README.md").read_text("utf-8")
    named = re.findall(r"^\| `narrator (\w+)", readme, re.MULTILINE)
    assert sorted(named) == sorted(COMMANDS)
    known = parser(Interface.load())
    for line in re.findall(r"narrator ((?:play|rehearse|resume|editions)[^`\n]*)", readme):
        if "[" not in line and "NAME" not in line:
            known.parse_args(line.split("#")[0].split())


def test_readmes_picture_is_the_house() -> None:
    """Every room named in README is there, and every folder and module of the package is named."""
    readme = (ROOT / "README.md").read_text("utf-8")
    rooms = {path.name + "/" for path in (ROOT / "narrator").iterdir() if path.is_dir() and any(path.glob("*.py"))}
    for room in rooms:
        assert f"narrator/{room}" in readme, room
    for named in re.findall(r"`(narrator/[\w/.]+|scripts/|voices/)`", readme):
        assert (ROOT / named).exists(), named
