"""Roots: what is read, what is refused, and what a jail shows of one instead of the machine."""

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

from paddock_server.jails.confined import Confined, JailLimits, Toolchain
from paddock_server.jails.contents import contents
from paddock_server.jails.jail import Jails
from paddock_server.jails.means import find_means
from paddock_server.jails.roots import distinct, fingerprint, read_root
from paddock_server.jails.toolchains import find_toolchains
from tests.jails.tiny_root import tiny_root
from tests.jails.trying import Outcome, outcome


def _tried(root: Toolchain, script: str) -> Outcome:
    jails = Jails()
    what = Confined(("sh", "-c", script), root, folder="/", limits=JailLimits(wall_seconds=60))
    try:
        return asyncio.run(outcome(jails, what))
    finally:
        jails.close()


def test_a_jail_shows_the_root_and_nothing_of_the_machine(tmp_path: Path) -> None:
    root = read_root(f"tiny:any={tiny_root(tmp_path / 'tiny', 'sh', 'ls', 'cat')}")
    tmp_path.chmod(0o700)  # where the uid of a jail can't go by itself
    said = _tried(root, "cat /etc/release; ls / | cat").said.split()
    assert said[0] == "tiny"
    assert {"usr", "home", "root"}.isdisjoint(said)
    assert _tried(root, f"ls {sys.prefix}").code


def test_nobody_writes_into_a_root(tmp_path: Path) -> None:
    root = read_root(f"tiny:any={tiny_root(tmp_path / 'tiny', 'sh')}")
    before = fingerprint(tmp_path / "tiny")
    said = _tried(root, "echo x > /bin/new; echo x > /etc/release; echo x > /new; echo over").said
    assert said.count("Read-only file system") == 3
    assert said.endswith("over")
    assert fingerprint(tmp_path / "tiny") == before


def test_the_programs_of_a_root_are_found_where_images_have_them(tmp_path: Path) -> None:
    tiny = tiny_root(tmp_path / "tiny", "sh", "cat")
    for place in ("usr/local/go/bin", "opt/java/openjdk/bin"):
        (tiny / place).mkdir(parents=True)
    shutil.copy(tiny / "bin/cat", tiny / "usr/local/go/bin/go")
    root = read_root(f"tiny:Go={tiny}")
    assert root.path == ("/bin", "/usr/local/go/bin", "/opt/java/openjdk/bin")
    (found,) = contents([root], find_means())
    assert found.programs == ("sh", "go")
    assert found.sentence == "sh, go; builds need cp, chmod, tar, gzip, too"


def test_a_root_in_which_nothing_runs_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty/bin").mkdir(parents=True)
    root = read_root(f"empty:any={tmp_path / 'empty'}")
    (found,) = contents([root], find_means())
    assert found.sentence.startswith("nothing can be tried in it: bwrap: execvp sh")


def test_a_fingerprint_is_that_of_all_that_is_shown(tmp_path: Path) -> None:
    root = tiny_root(tmp_path / "a", "sh")
    again = tiny_root(tmp_path / "b", "sh")
    assert fingerprint(root) == fingerprint(again)
    (again / "tmp").mkdir()
    (again / "tmp/x").touch()
    assert fingerprint(root) == fingerprint(again)  # no jail shows that
    seen = {fingerprint(root)}
    (again / "etc/release").write_text("TINY\n")
    seen.add(fingerprint(again))
    (again / "etc/release").chmod(0o600)
    seen.add(fingerprint(again))
    (again / "etc/release").rename(again / "etc/version")
    seen.add(fingerprint(again))
    (again / "sbin").unlink()
    seen.add(fingerprint(again))
    (again / "sbin").symlink_to("etc")
    seen.add(fingerprint(again))
    assert len(seen) == 6


def test_a_root_goes_before_what_is_found_and_takes_the_place_of_its_name(tmp_path: Path) -> None:
    root = tiny_root(tmp_path / "tiny", "sh")
    python = find_toolchains()[0]
    roots = [read_root(f"tiny:any={root}"), read_root(f"{python.name}:Python={root}")]
    found = find_toolchains(roots)
    assert [each.name for each in found[:2]] == ["tiny", python.name]
    assert [each.name for each in found].count(python.name) == 1
    assert {each.sha256 for each in found[:2]} == {fingerprint(root)}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("go", "'go' is not NAME:LANGUAGE=ROOT, such as go-1.24:Go=/srv/roots/go"),
        ("go=/srv", "'go=/srv' is not NAME:LANGUAGE=ROOT"),
        (":Go=/srv", "':Go=/srv' is not NAME:LANGUAGE=ROOT"),
        ("a b:Go=/srv", "'a b:Go=/srv' is not NAME:LANGUAGE=ROOT"),
        (f"{'n' * 41}:Go=/srv", "is not NAME:LANGUAGE=ROOT"),
        ("go:Go=", "'go:Go=' is not NAME:LANGUAGE=ROOT"),
        ("go:Go=none", "none is not a folder; name the top folder of an unpacked image"),
        ("go:Go=/", "a jail would show all of /; name a folder that has nothing else"),
        ("go:Go=EMPTY", "has no bin and no usr/bin; name the top folder of an unpacked image"),
    ],
)
def test_what_is_no_root_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 -- the sentence is what counts
        read_root(text.replace("EMPTY", str(tmp_path)))
    assert sentence in str(refused.value)


def test_two_roots_have_two_names(tmp_path: Path) -> None:
    root = read_root(f"tiny:any={tiny_root(tmp_path / 'tiny', 'sh')}")
    with pytest.raises(ValueError, match="two toolchains are called tiny"):
        distinct([root, root])


def test_who_has_no_home_may_name_a_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service may run under a uid that has neither a HOME nor a line in /etc/passwd."""

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    root = tiny_root(tmp_path / "tiny", "sh")
    monkeypatch.setattr(Path, "home", home)
    assert read_root(f"tiny:any={root}").root == root
