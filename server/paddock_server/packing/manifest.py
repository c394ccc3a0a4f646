"""The manifest `paddock-bot.toml`: what a bot that is handed in is called, and how it is run."""

from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from paddock_games import FORMATS
from paddock_server.basics import toml_file
from paddock_server.basics.errors import ServerError
from paddock_server.basics.name import RULE, is_guest
from paddock_server.basics.toml_file import BadFile

FILE: Final = "paddock-bot.toml"
MOST_BYTES: Final = 16 * 1024
_VERSION_LETTERS: Final = 40
_LANGUAGE_LETTERS: Final = 24
_WORDS: Final = 100  # of a command, or paths that are kept
_WORD_BYTES: Final = 1_000
_SPEAKS: Final = ("grpc", "lines")
_NEEDED: Final = ("name", "version", "run")


class BadManifest(ServerError):
    """Raised when a manifest is missing or wrong; the sentence says where, and what to do."""

    reason = "submission/bad_manifest"


class Wishes(NamedTuple):
    """The limits that a bot asks for; the organiser's are never exceeded."""

    memory_mb: int | None = None
    processes: int | None = None


class Manifest(NamedTuple):
    """The manifest of a bot: what its author says about it."""

    name: str
    version: str
    run: tuple[str, ...]
    language: str = ""  # for the standings
    toolchain: str = ""  # empty: the one of the language
    speaks: Literal["grpc", "lines"] = "grpc"
    formats: tuple[str, ...] = ()  # empty: those that the bot says in Hello; lines: all
    build: tuple[str, ...] = ()  # empty: nothing is built
    keep: tuple[str, ...] = ()  # files and folders that the run needs after a build; empty: all
    matches: int = 1  # at once
    limits: Wishes = Wishes()


def find_manifest(folder: Path) -> bytes:
    """The bytes of a folder's manifest; raises BadManifest where there is none."""
    try:
        return (folder / FILE).read_bytes()
    except FileNotFoundError:
        raise BadManifest(
            f"{folder} has no {FILE}; write one with name, version and run, such as\n"
            'name = "ada-1"\nversion = "1"\nrun = ["python3", "bot.py"]'
        ) from None
    except OSError as problem:
        raise BadManifest(f"{folder / FILE}: {problem.strerror}") from None


def read_manifest(text: bytes) -> Manifest:
    """The manifest in these bytes; raises BadManifest for unknown keys and wrong values."""
    try:
        return _read(text)
    except BadFile as problem:
        raise BadManifest(problem.sentence) from None


def _read(text: bytes) -> Manifest:
    if len(text) > MOST_BYTES:
        raise BadManifest(f"{FILE} is too large; use at most {MOST_BYTES // 1024} KB")
    try:
        values = toml_file.parse(FILE, text.decode())
    except UnicodeDecodeError:
        raise BadManifest(f"{FILE} is not UTF-8; save it as UTF-8") from None
    toml_file.known(FILE, values, Manifest._fields)
    for key in _NEEDED:
        if key not in values:
            raise BadManifest(f"{FILE} needs {key}")
    name = _string(values, "name", 40)
    if not is_guest(name):
        raise BadManifest(f"{FILE}: {name!r} can't be the name of a bot: {RULE}, and not house-")
    speaks = _one_of("speaks", values.get("speaks", "grpc"))
    return Manifest(
        name=name,
        version=_string(values, "version", _VERSION_LETTERS),
        run=_words(values, "run"),
        language=_string(values, "language", _LANGUAGE_LETTERS) if "language" in values else "",
        toolchain=_string(values, "toolchain", 40) if "toolchain" in values else "",
        speaks=speaks,
        formats=_formats(values),
        build=_words(values, "build") if "build" in values else (),
        keep=_kept(values) if "keep" in values else (),
        matches=toml_file.value(f"{FILE}: matches", int, values.get("matches", 1)),
        limits=_wishes(values.get("limits", {})),
    )


def _string(values: dict[str, Any], key: str, most: int) -> str:
    text = toml_file.value(f"{FILE}: {key}", str, values[key])
    if not text.strip() or "\n" in text or "\t" in text or text != text.strip() or len(text) > most:
        raise BadManifest(
            f"{FILE}: {key} must be one line of 1 to {most} characters, not {text[:60]!r}"
        )
    return str(text)


def _one_of(key: str, given: Any) -> Any:
    if given not in _SPEAKS:
        raise BadManifest(f"{FILE}: {key} must be {' or '.join(_SPEAKS)}, not {given!r:.60}")
    return given


def _words(values: dict[str, Any], key: str) -> tuple[str, ...]:
    words = toml_file.value(f"{FILE}: {key}", list, values[key])
    if not words or len(words) > _WORDS or not all(isinstance(word, str) for word in words):
        raise BadManifest(
            f"{FILE}: {key} must be a list of 1 to {_WORDS} strings, "
            'the program first, such as ["./bot", "--fast"]'
        )
    if not words[0] or any(len(word.encode()) > _WORD_BYTES for word in words):
        raise BadManifest(f"{FILE}: {key} has an empty program, or a word that is too long")
    return tuple(words)


def _kept(values: dict[str, Any]) -> tuple[str, ...]:
    paths = _words(values, "keep")
    for path in paths:
        if path.startswith(("/", "-")) or ".." in path.split("/"):
            raise BadManifest(f"{FILE}: keep has {path!r:.60}; name files and folders of the bot")
    return paths


def _formats(values: dict[str, Any]) -> tuple[str, ...]:
    if "formats" not in values:
        return ()
    names = _words(values, "formats")
    for name in names:
        if name not in FORMATS:
            known = ", ".join(FORMATS)
            raise BadManifest(f"{FILE}: there is no format {name!r:.60}; known are {known}")
    return tuple(dict.fromkeys(names))


def _wishes(settings: Any) -> Wishes:
    wishes: Wishes = toml_file.table(f"{FILE}: limits", Wishes, settings)
    return wishes
