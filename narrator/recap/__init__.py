"""The story of a game that is over (复盘): who was who, what each night chose, how each day voted; told aloud, or as a page."""

from narrator.recap.lines import LINES, MARKS, NAMED, NIGHTFALL
from narrator.recap.story import Chapter, Mark, begun, held, story, told

__all__ = ["LINES", "MARKS", "NAMED", "NIGHTFALL", "Chapter", "Mark", "begun", "held", "story", "told"]
