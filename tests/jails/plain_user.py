"""Two jails of a plain user at once, each with the attack that is named; prints both outcomes.

It is run with any Python, so it imports nothing but jails.
"""

import asyncio
import json
import sys
from pathlib import Path

from paddock_server.jails.confined import Bind, Confined, JailLimits, Toolchain
from paddock_server.jails.jail import Jails


async def main(name: str, *forwarded: str) -> None:
    """Both at the same time, so that one could take from the other; `forwarded` is a socket."""
    jails = Jails()
    attacks = Bind(Path(__file__).parent / "attacks.py", "/bot/attacks.py")
    limits = JailLimits(processes=30, tmp_inodes=300, wall_seconds=60)
    python = Toolchain("host", "any", (Bind(Path(sys.prefix), sys.prefix),))
    what = Confined(
        (sys.executable, "/bot/attacks.py", name), python, (attacks,),
        limits=limits, forwarded=Path(*forwarded) if forwarded else None,
    )  # fmt: skip
    both = [
        await jails.start(what, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        for _ in range(2)
    ]
    said = [(await jail.process.stdout.read()).decode() for jail in both if jail.process.stdout]
    for jail in both:
        await jail.stop()
    print(json.dumps({"uids": jails.means.uids.by, "said": said}))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
