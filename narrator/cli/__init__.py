"""The commands, one file each. Only here does an error of the user's become one sentence and exit code 1."""

from __future__ import annotations

import argparse
import errno
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from narrator import __version__
from narrator.cli import ambience, cases, editions, play, rehearse, resume, voices
from narrator.errors import BadScript, CannotWrite, NarratorError
from narrator.interface import Interface

COMMANDS = (play, rehearse, resume, cases, editions, voices, ambience)


class _Parser(argparse.ArgumentParser):
    """Speaks the interface's language where argparse would speak English."""

    words: Interface

    def error(self, message: str) -> NoReturn:
        print(self.words.cli["bad_arguments"].format(message=message), file=sys.stderr)
        raise SystemExit(2)


def parser(interface: Interface) -> argparse.ArgumentParser:
    """The whole command line, with its help."""
    _Parser.words = interface
    words = interface.cli
    top = _Parser(prog="narrator", description=words["narrator"], add_help=False)
    top.add_argument("-h", "--help", action="help", help=words["help"])
    top.add_argument("--version", action="version", version=__version__, help=words["version"])
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        name = command.__name__.rpartition(".")[2]
        sub = commands.add_parser(name, help=words[name], description=words[name], add_help=False)
        sub.add_argument("-h", "--help", action="help", help=words["help"])
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
    args = parser(interface).parse_args(argv)
    run: Callable[[argparse.Namespace, Interface], int] = args.run
    try:
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
        return 128 + signal.SIGINT
