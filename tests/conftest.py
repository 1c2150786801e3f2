"""Hypothesis draws the same examples in every CI run, so that a submission is judged by itself; at a person's desk it goes on looking."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
