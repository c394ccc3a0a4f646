"""Languages of manifests, and which toolchain a bot is built and run with.

The server asks before it gives a bot to a runner, and the runner before it builds one: by one rule.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Protocol, TypeVar

from paddock_server.packing.manifest import Manifest

ANY: Final = "any"
"""The language of a toolchain for whatever is found under /usr, such as Perl."""

_ALSO: Final[Mapping[str, str]] = MappingProxyType(
    {"typescript": "node", "javascript": "node", "c": "c++", "kotlin": "java"}
)
_WITH_TOOLCHAINS: Final = frozenset({"python", "node", "go", "rust", "java", "c++"})


class Offered(Protocol):
    """A toolchain that a machine has."""

    @property
    def name(self) -> str:
        """Names it in manifests."""

    @property
    def language(self) -> str:
        """What it is for."""


T = TypeVar("T", bound=Offered)


def toolchain_among(manifest: Manifest, offered: Iterable[T]) -> T | None:
    """The toolchain that a manifest names, or that of its language, or one for any language."""
    known = list(offered)
    if manifest.toolchain:
        return next((each for each in known if each.name == manifest.toolchain), None)
    for language in (_language(manifest), ANY):
        for each in known:
            if each.language.casefold() == language:
                return each
    return None


def is_makeshift(manifest: Manifest, toolchain: Offered) -> bool:
    """Whether a language of its own toolchain has to do with one for any language."""
    own = not manifest.toolchain and _language(manifest) in _WITH_TOOLCHAINS
    return own and toolchain.language == ANY


def _language(manifest: Manifest) -> str:
    language = manifest.language.casefold()
    return _ALSO.get(language, language)
