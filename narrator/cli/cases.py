"""`narrator cases`: run rule cases against the rules engine."""

from __future__ import annotations

import argparse
from pathlib import Path

from narrator.cases import Case, find
from narrator.cases import run as run_case
from narrator.errors import BadArguments, BadCase
from narrator.interface import Interface
from narrator.rules import ASKS


def arguments(parser: argparse.ArgumentParser, words: dict[str, str]) -> None:
    """Add this command's arguments."""
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help=words["case_paths"])
    parser.add_argument("--asks", action="store_true", help=words["case_asks"])


def run(args: argparse.Namespace, interface: Interface) -> int:
    """Print one line for each case that fails, then the sums; or list the asks. Returns 1 if any failed."""
    if args.asks:
        for ask, kind in ASKS.items():
            value = interface.values.get(ask, interface.values[kind])
            print(interface.cli["case_ask"].format(id=ask, value=value, question=interface.asks[ask]))
        return 0
    if not args.paths:
        raise BadArguments(interface.argument("the following arguments are required: PATH"))
    passed = failed = 0
    paths = list(find(args.paths))
    if not paths:
        raise BadCase(f"no cases in {', '.join(map(str, args.paths))}", reason="no_cases")
    for path in paths:
        problem = _problem(path, interface)
        if problem:
            failed += 1
            print(problem)
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _problem(path: Path, interface: Interface) -> str:
    try:
        case = Case.read(path)
    except BadCase as error:
        return interface.error(error)
    failures = run_case(case)
    return f"{path}: {case.title}: {'; '.join(failures)}" if failures else ""
