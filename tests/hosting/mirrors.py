"""A mirror of packages for tests: a real HTTP server behind a Unix socket, with files in memory."""

import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def __init__(self, path: Path, files: Mapping[str, bytes], room: int) -> None:
        self.request_queue_size = room
        super().__init__(str(path), _Handler)
        self.files = files
        self.asked: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        found = self.server.files.get(path)
        body = b"not here" if found is None else found
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Type", "text/html" if path.endswith("/") else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.end_headers()

    def address_string(self) -> str:
        return "a build"

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def mirror(path: Path, files: Mapping[str, bytes], room: int = 5) -> Iterator[list[str]]:
    """A mirror of these files at this socket, where so many may wait; the paths that were asked
    for."""
    with _Server(path, files, room) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        try:
            yield server.asked
        finally:
            server.shutdown()
            serving.join()
