"""The game master of a physical Werewolf table, as a program."""

__version__ = "0.1.0"
