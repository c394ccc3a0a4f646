"""A PostgreSQL server that the tests start for themselves, or one that they are given.

PADDOCK_TEST_POSTGRESQL names one that is there already, as postgresql://user:password@host/postgres;
the user must be allowed to make databases and to end connections.
"""

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

_OPTIONS = (
    "listen_addresses=",
    "shared_buffers=16MB",
    "log_min_messages=log",
    "log_checkpoints=off",
    "jit=off",
)


class Server:
    """A server of our own, on a socket in a folder of its own."""

    def __init__(self, *, durable: bool) -> None:
        """A server that is not running yet; nobody pulls the plug of a test."""
        self._options = [*_OPTIONS, f"fsync={'on' if durable else 'off'}"]
        self._folder = Path(tempfile.mkdtemp(prefix="paddock-pg-"))
        if os.geteuid() == 0:  # which PostgreSQL refuses to run as
            user = pwd.getpwnam("postgres")
            os.chown(self._folder, user.pw_uid, user.pw_gid)
        self._process: subprocess.Popen[str] | None = None
        initdb = ("--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8")
        self._run("initdb", "-D", str(self._folder / "data"), "--locale=C", *initdb)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"postgresql://postgres@/postgres?host={self._folder}"

    @property
    def socket(self) -> str:
        """The path of its socket."""
        return str(self._folder / ".s.PGSQL.5432")

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        options = [f"-c{option}" for option in self._options]
        data = str(self._folder / "data")
        # It ends with whoever started it, whatever becomes of them.
        self._process = subprocess.Popen(
            [*_as_postgres(), "--pdeathsig", "QUIT", program("postgres"), "-D", data,
             "-k", str(self._folder), *options],
            stderr=subprocess.PIPE, text=True, cwd="/",
        )  # fmt: skip
        assert self._process.stderr is not None
        said = []
        for line in self._process.stderr:
            said.append(line)
            if "ready to accept connections" in line:
                return
        raise AssertionError("".join(said))

    def stop(self) -> None:
        """Stop it at once, as by a crash."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.communicate()
            self._process = None

    def remove(self) -> None:
        """Stop it, and leave nothing behind."""
        self.stop()
        shutil.rmtree(self._folder)

    def _run(self, name: str, *arguments: str) -> None:
        command = [*_as_postgres(), program(name), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd="/")


def _as_postgres() -> list[str]:
    setpriv = shutil.which("setpriv")
    assert setpriv, "there is no setpriv; install util-linux"
    root = ["--reuid", "postgres", "--regid", "postgres", "--init-groups"]
    return [setpriv, *(root if os.geteuid() == 0 else ())]


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs, the newest."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=_release)
    path = str(found[-1]) if found else shutil.which(name)
    assert path, f"there is no {name}; install Debian's postgresql"
    return path


def _release(path: Path) -> int:
    return int(path.parts[-3])


def at_hand() -> bool:
    """Whether there is a server, given or to be started."""
    installed = any(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or shutil.which("initdb")
    return bool(os.environ.get("PADDOCK_TEST_POSTGRESQL") or installed)


@contextmanager
def serving(*, durable: bool = False) -> Iterator[str]:
    """The address of a server, given or our own."""
    given = os.environ.get("PADDOCK_TEST_POSTGRESQL")
    if given:
        yield given
        return
    server = Server(durable=durable)
    try:
        server.start()
        yield server.url
    finally:
        server.remove()


@contextmanager
def database(server: str) -> Iterator[str]:
    """The address of a new, empty database on this server, gone at the end."""
    name = f"paddock_test_{secrets.token_hex(8)}"
    tell(server, f"CREATE DATABASE {name} ENCODING UTF8 TEMPLATE template0")
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        tell(server, f"DROP DATABASE {name} WITH (FORCE)")


def tell(server: str, statement: str) -> list[Any]:
    """Have it do this, past Paddock; what it finds."""
    with psycopg.connect(server, autocommit=True) as connection:
        done = connection.execute(statement.encode())
        return done.fetchall() if done.description else []
