"""The commands, one file each, imported where a line names it: who asks for a page need not wait for the sound. Only here does an error
of the user's become one sentence and exit code 1."""

from __future__ import annotations

import argparse
import errno
import signal
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from narrator import __version__
from narrator.errors import BadArguments, BadScript, CannotWrite, NarratorError
from narrator.interface import Interface

COMMANDS = (
    "play", "resume", "why", "recap", "gestures", "rehearse", "doctor", "ears", "settings", "box", "editions", "cards", "cases", "voices",
    "ambience",
)  # fmt: skip


class _Formatter(argparse.HelpFormatter):
    words: Interface

    def add_usage(self, usage: str | None, actions: Iterable[argparse.Action], groups: Iterable[Any], prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, self.words.cli["usage"] if prefix is None else prefix)


class _Parser(argparse.ArgumentParser):
    """Speaks the interface's language where argparse would speak English."""

    words: Interface

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, add_help=False, allow_abbrev=False, formatter_class=_Formatter)
        self._positionals.title, self._optionals.title = self.words.cli["positionals"], self.words.cli["options"]
        self.add_argument("-h", "--help", action="help", help=self.words.cli["help"])

    def error(self, message: str) -> NoReturn:
        raise BadArguments(self.words.argument(message))


def parser(interface: Interface, line: Collection[str] = COMMANDS) -> argparse.ArgumentParser:
    """The command line, with its help; of the commands only those whole that `line` names. Parsing raises `BadArguments`."""
    _Parser.words = _Formatter.words = interface
    words = interface.cli
    top = _Parser(prog="narrator", description=words["narrator"])
    top.add_argument("--version", action="version", version=__version__, help=words["version"])
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title=words["commands"])
    for name in COMMANDS:
        sub = commands.add_parser(name, help=words[name], description=words[name])
        if name in line:
            command = import_module(f"narrator.cli.{name}")
            command.arguments(sub, words)
            sub.set_defaults(run=command.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit code: 0, or 1 after an error of the user's, which is told in one sentence."""
    for stream in (sys.stdout, sys.stderr):
        # A console that cannot show a character shows a question mark; it never ends a game.
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")
    try:
        interface = Interface.load()
    except BadScript as error:
        print(error, file=sys.stderr)   # without its words there is only the error's own
        return 1
    line = sys.argv[1:] if argv is None else argv
    try:
        whole = parser(interface, line)
        args = whole.parse_args(line)
        if args.command is None:
            whole.print_help(sys.stderr)
            return 1
        run: Callable[[argparse.Namespace, Interface], int] = args.run
        return run(args, interface)
    except NarratorError as error:
        print(interface.error(error), file=sys.stderr)
        return 1
    except OSError as error:   # a full disk, a device that has gone: the world's fault, to be told like a user's
        if error.errno == errno.EPIPE:
            sys.stderr.close()   # whoever read the output has gone; Python would complain about flushing it
            return 0
        print(interface.error(CannotWrite(error.filename or "", error)), file=sys.stderr)
        return 1
    except (KeyboardInterrupt, EOFError):   # Ctrl-C, or Ctrl-D at a question
        print(file=sys.stderr)
        return 128 + signal.SIGINT
