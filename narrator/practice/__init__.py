"""Simulated players, who sit at the table where no people do."""

from narrator.practice.players import Players, deal

__all__ = ["Players", "deal"]
