"""A package called dice for every kind of packages, as the files of a mirror."""

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Mapping

from paddock_server.hosting.mirror import ADDRESS


def pypi() -> dict[str, bytes]:
    """The index and a wheel."""
    name = "dice-1.0-py3-none-any.whl"
    info = "dice-1.0.dist-info"
    wheel = _zip(
        {
            "dice.py": "FACES = 6\n",
            f"{info}/METADATA": "Metadata-Version: 2.1\nName: dice\nVersion: 1.0\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/RECORD": "",
        }
    )
    index = f'<!DOCTYPE html><a href="../../files/{name}">{name}</a>'
    return {"/pypi/simple/dice/": index.encode(), f"/pypi/files/{name}": wheel}


def go() -> dict[str, bytes]:
    """What a proxy of Go modules answers."""
    module, at = "example.com/dice", "/go/example.com/dice/@v"
    mod = f"module {module}\n"
    files = {"go.mod": mod, "dice.go": "package dice\n\nconst Faces = 6\n"}
    return {
        f"{at}/list": b"v1.0.0\n",
        f"{at}/v1.0.0.info": b'{"Version": "v1.0.0"}',
        f"{at}/v1.0.0.mod": mod.encode(),
        f"{at}/v1.0.0.zip": _zip({f"{module}@v1.0.0/{name}": text for name, text in files.items()}),
    }


def npm() -> dict[str, bytes]:
    """The description of a package and its archive, at the address of somebody else."""
    manifest = {"name": "dice", "version": "1.0.0", "main": "dice.js"}
    files = {"package.json": json.dumps(manifest), "dice.js": "exports.faces = 6;\n"}
    archive = _tar({f"package/{name}": text for name, text in files.items()})
    integrity = f"sha512-{base64.b64encode(hashlib.sha512(archive).digest()).decode()}"
    dist = {"tarball": "http://elsewhere.invalid/dice/-/dice-1.0.0.tgz", "integrity": integrity}
    described = {
        "name": "dice",
        "dist-tags": {"latest": "1.0.0"},
        "versions": {"1.0.0": {**manifest, "dist": dist}},
    }
    return {
        "/npm/dice": json.dumps(described).encode(),
        "/npm/dice/-/dice-1.0.0.tgz": archive,
        "/dice/-/dice-1.0.0.tgz": archive,
    }


def cargo() -> dict[str, bytes]:
    """A sparse index and a crate."""
    manifest = '[package]\nname = "dice"\nversion = "1.0.0"\nedition = "2021"\n'
    files = {"Cargo.toml": manifest, "src/lib.rs": "pub const FACES: u32 = 6;\n"}
    crate = _tar({f"dice-1.0.0/{name}": text for name, text in files.items()})
    line = {
        "name": "dice", "vers": "1.0.0", "deps": [], "features": {}, "yanked": False,
        "cksum": hashlib.sha256(crate).hexdigest(),
    }  # fmt: skip
    return {
        "/cargo/config.json": json.dumps({"dl": f"{ADDRESS}/cargo/crates"}).encode(),
        "/cargo/di/ce/dice": json.dumps(line).encode(),
        "/cargo/crates/dice/1.0.0/download": crate,
    }


def _zip(files: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


def _tar(files: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(text.encode()), 0o644
            archive.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()
