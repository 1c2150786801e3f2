"""Simulated players, who sit at the table where no people do."""

from narrator.practice.players import Players

__all__ = ["Players"]
