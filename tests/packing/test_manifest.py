"""The manifest: every key is read, unknown keys and wrong values are refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.packing.manifest import BadManifest, Manifest, Wishes, read_manifest

WHOLE = b"""
name = "ada-1"
version = "7"
language = "Go"
toolchain = "go-1.23"
speaks = "grpc"
formats = ["summer", "winter"]
build = ["go", "build", "-mod=vendor", "-o", "bot", "."]
run = ["./bot"]
keep = ["bot"]
matches = 2
[limits]
memory_mb = 256
processes = 32
"""
LEAST = {"name": '"ada-1"', "version": '"1"', "run": '["./bot"]'}


def test_every_key_is_read() -> None:
    assert read_manifest(WHOLE) == Manifest(
        name="ada-1",
        version="7",
        run=("./bot",),
        language="Go",
        toolchain="go-1.23",
        speaks="grpc",
        formats=("summer", "winter"),
        build=("go", "build", "-mod=vendor", "-o", "bot", "."),
        keep=("bot",),
        matches=2,
        limits=Wishes(256, 32),
    )


def test_three_keys_are_enough() -> None:
    assert read_manifest(_with({})) == Manifest("ada-1", "1", ("./bot",))


def _with(changes: dict[str, str]) -> bytes:
    return "".join(f"{key} = {value}\n" for key, value in {**LEAST, **changes}.items()).encode()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"colour": "1"}, "unknown key 'colour'; known are name, version, run"),
        ({"name": '"house-1"'}, "can't be the name of a bot"),
        ({"name": '"a b"'}, "can't be the name of a bot"),
        ({"name": "1"}, "name must be a string"),
        ({"version": '""'}, "version must be one line of 1 to 40 characters"),
        ({"version": f'"{"9" * 41}"'}, "version must be one line of 1 to 40 characters"),
        ({"version": '"\\u001b[31m"'}, "text that can't be shown"),
        ({"version": '"a\\nb"'}, "version must be one line"),
        ({"language": '"<script>alert(1)</script>xx"'}, "language must be one line of 1 to 24"),
        ({"run": '"./bot"'}, "run must be a list"),
        ({"run": "[]"}, "run must be a list of 1 to 100 strings"),
        ({"run": "[1]"}, "run must be a list of 1 to 100 strings"),
        ({"run": '[""]'}, "empty program"),
        ({"speaks": '"http"'}, "speaks must be grpc or lines, not 'http'"),
        ({"formats": '["chess"]'}, "there is no format 'chess'; known are"),
        ({"keep": '["../x"]'}, "name files and folders of the bot"),
        ({"keep": '["--checkpoint-action=exec=sh"]'}, "name files and folders of the bot"),
        ({"matches": "0"}, "matches must be more than 0"),
        ({"limits": "{memory_mb = -1}"}, "limits.memory_mb must be more than 0"),
        ({"limits": "{colour = 1}"}, "limits.colour is unknown"),
        ({"limits": "1"}, "limits must be a table"),
    ],
)
def test_a_wrong_value_is_refused(changes: dict[str, str], words: str) -> None:
    with pytest.raises(BadManifest) as refused:
        read_manifest(_with(changes))
    assert words in refused.value.sentence
    assert refused.value.reason == "submission/bad_manifest"
    assert refused.value.sentence.isprintable()


@pytest.mark.parametrize("key", LEAST)
def test_a_missing_key_is_named(key: str) -> None:
    text = "".join(f"{name} = {value}\n" for name, value in LEAST.items() if name != key)
    with pytest.raises(BadManifest, match=f"needs {key}"):
        read_manifest(text.encode())


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_refused_with_a_sentence(text: bytes) -> None:
    with pytest.raises(BadManifest):
        read_manifest(text)


def test_a_large_manifest_is_refused() -> None:
    with pytest.raises(BadManifest, match="too large"):
        read_manifest(b"#" * 16_385)
