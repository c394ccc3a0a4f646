"""The environment that a process of ours gives to its children, and the files it may open."""

import os
import resource


def plain_environment() -> dict[str, str]:
    """Our environment for a child, without what was said to us: tokens above all."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PADDOCK_")}


def allow_open_files() -> None:
    """Raise the limit of open files as far as we may: each connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
