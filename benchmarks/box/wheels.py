"""Whether all that a box needs has a wheel for 64-bit ARM Linux."""

from __future__ import annotations

import argparse
import json
import platform
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

PLATFORMS = ("manylinux2014_aarch64", *(f"manylinux_2_{minor}_aarch64" for minor in range(17, 37)))
"""What Raspberry Pi OS of 2023, whose glibc is 2.36, can install."""

EXTRAS = ("pi", "oled", "speech", "recording")
"""Those that somebody may want on a box."""

ROOT = Path(__file__).parent.parent.parent


def wheels(_: argparse.Namespace) -> None:
    """Print, for the base and for each extra, the packages with their wheels' tags, and those that have to be built."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {name: wanted for name, wanted in project["optional-dependencies"].items() if name in EXTRAS}
    print(f"Python {platform.python_version()}")
    for name, wanted in {"base": project["dependencies"], **extras}.items():
        found, lacking = _all(wanted)
        print(f"{name}: {len(found)} packages: {', '.join(sorted(found))}")
        for requirement in lacking:
            print(f"{name}: no wheel for {requirement} or something that it needs")


def _all(wanted: list[str]) -> tuple[set[str], list[str]]:
    """The wheels for these requirements with all that they need; if there are not all, each by itself, and those without."""
    if (found := _resolved(wanted)) is not None:
        return found, []
    each = {requirement: _resolved([requirement]) for requirement in wanted}
    return set().union(*filter(None, each.values())), [requirement for requirement, found in each.items() if found is None]


def _resolved(wanted: list[str]) -> set[str] | None:
    """The wheels that pip would install; None where there are not all."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    with TemporaryDirectory() as folder:
        line = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run", "--ignore-installed"]
        line += ["--only-binary=:all:", f"--python-version={version}", f"--target={folder}", f"--report={folder}/report.json"]
        ended = subprocess.run(
            [*line, *(f"--platform={name}" for name in PLATFORMS), *wanted], capture_output=True, text=True, timeout=600
        )
        if ended.returncode:
            print(ended.stderr.strip().splitlines()[-1], file=sys.stderr)
            return None
        report = json.loads((Path(folder) / "report.json").read_text())
    return {_tagged(item["download_info"]["url"]) for item in report["install"]}


def _tagged(url: str) -> str:
    """A wheel's name, version and, unless it is pure Python, platform."""
    name, version, *_, machine = url.rpartition("/")[2].removesuffix(".whl").split("-")
    return f"{name} {version}" + ("" if machine == "any" else f" ({re.split(r'[.]', machine)[0]})")
