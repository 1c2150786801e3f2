"""Simulated players, who sit at the table where no people do, and what becomes of a deck among them."""

from narrator.practice.balance import shares
from narrator.practice.players import Players

__all__ = ["Players", "shares"]
