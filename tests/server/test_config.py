"""`paddock serve` refuses what makes no sense: one sentence, exit code 2, and nothing created."""

import signal
from pathlib import Path

import pytest

from paddock_server.basics.toml_file import BadFile
from paddock_server.serving.config import read_config
from tests.cli.command import call
from tests.server.process import Server, together

# What is wrong: the file, and words of the sentence.
CONFIGS: dict[str, tuple[str, str]] = {
    "not TOML": ("clock = [", "is not TOML"),
    "brackets": ("a = " + "[" * 50_000, "is nested too deep at line 1; use 8 levels"),
    "a long key": ("a" + ".a" * 20_000 + " = 1", "is nested too deep at line 1"),
    "a long header": ("\n[a" + ' . "a"' * 20_000 + "]", "is nested too deep at line 2"),
    "too large": ("#" * 300_000, "is too large; use at most 256 KB"),
    "a huge number": ("drain_seconds = 0x" + "f" * 5000, "has a number of 20000 bits"),
    "too many digits": ("drain_seconds = " + "9" * 5000, "is not TOML"),
    "a zero byte": ('grpc = "\\u0000"', "has text that can't be shown"),
    "a long value": ("clock = '" + "x" * 5000 + "'", "must be a table"),
    "an unknown key": ("speed = 1", "unknown key 'speed'; known are database, grpc"),
    "an unknown key of a table": ("[clock]\nbass = 1.0", "clock.bass is unknown; known are base"),
    "no table": ("clock = 5", "clock must be a table of base, bank, "),
    "text for a number": ('[clock]\nbase = "5"', "clock.base must be a number, not '5'"),
    "a part of a whole": ("[limits]\nwatchers = 1.5", "limits.watchers must be a whole number"),
    "yes for a number": ("[policy]\nprobation_after = true", "must be a whole number, not True"),
    "a number for text": ("grpc = 7911", "grpc must be a string, not 7911"),
    "a number for yes": ("allow_plaintext = 1", "allow_plaintext must be true or false"),
    "a negative number": ("[clock]\nbank = -1", "clock.bank must be at least 0, not -1"),
    "a number without end": ("[clock]\nbase = inf", "clock.base must be a finite number"),
    "no number": ("drain_seconds = nan", "drain_seconds must be a finite number"),
    "half of TLS": ('[tls]\nkey = "x"', "tls needs both certificate and key"),
    "more than TLS": ('[tls]\ncert = "x"', "tls takes certificate, key and client_ca"),
    "no address": ('grpc = "here"', "address 'here' is invalid; give host:port"),
    "no port": ('grpc = "127.0.0.1:99999"', "is invalid; give host:port"),
    "no address for pages": ('http = "8080"', "address '8080' is invalid; give host:port"),
}


@pytest.mark.usefixtures("logs_as_before")
@pytest.mark.parametrize("case", CONFIGS)
def test_every_mistake_in_a_configuration_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    text, words = CONFIGS[case]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paddock.toml").write_text(text)
    assert words in call("serve", "--config", "paddock.toml").refused()
    assert [path.name for path in tmp_path.iterdir()] == ["paddock.toml"]


@pytest.mark.parametrize(
    "line",
    [
        "policy.ping_seconds = 0",  # pings without a pause: one session fills a core
        "clock.max_faults = 0",
        "limits.frame_bytes = 0",
        "limits.waiting_items = 0",
        "limits.matches_per_bot = 0",
    ],
)
def test_a_number_that_can_not_work_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "paddock.toml").write_text(line)
    with pytest.raises(BadFile, match=line.partition(" ")[0]):
        read_config(tmp_path / "paddock.toml")


def test_files_and_ports_that_are_not_to_be_had(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with Server(tmp_path / "server") as server:
        mine = ("--db", "x.db", "--grpc", "127.0.0.1:0")
        other = ("--db", "y.db", "--grpc", "127.0.0.1:0")
        cases = {
            "no file": (("--config", "none.toml"), "none.toml: No such file"),
            "no text": (("--config", str(tmp_path / "bytes.toml")), "is not TOML"),
            "a taken database": (("--db", str(server.database)), "in use by another Paddock"),
            "a taken port": ((*mine, "--grpc", server.address), "is another server running there"),
            "a taken port for pages": ((*other, "--http", server.http), "Address already in use"),
        }
        commands = {case: ("serve", *options) for case, (options, _) in cases.items()}
        for case, outcome in together(tmp_path, commands).items():
            assert cases[case][1] in outcome.err.splitlines()[-1], (case, outcome)
            assert outcome.code == 2, (case, outcome)
            assert "Traceback" not in outcome.err, (case, outcome)
            assert "Warning" not in outcome.err, (case, outcome)
        server.signal(signal.SIGINT)  # nothing of this has touched who was there first
        assert server.wait() == 0


def test_a_database_that_can_not_be_opened(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database, and long enough to show it" * 20)
    cases = {
        "no such folder": "none/x.db",
        "a folder": str(tmp_path),
        "no database": str(tmp_path / "text.db"),
    }
    commands = {
        case: ("serve", "--grpc", "127.0.0.1:0", "--db", path) for case, path in cases.items()
    }
    for case, outcome in together(tmp_path, commands).items():
        assert cases[case] in outcome.refused(), case
