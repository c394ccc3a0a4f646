"""`paddock runner`: the machine that runs hosted bots, and what it can promise."""

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.markup import escape
from rich.table import Table

from paddock_server.cli.jailing import weaker_option
from paddock_server.cli.runner_run import RunnerOptions, run_runner
from paddock_server.cli.runner_tokens import RUNNER_TOKENS
from paddock_server.cli.terminal import clean, console, print_json
from paddock_server.cli.toolchain_options import toolchain_options, toolchains_beside
from paddock_server.jails.confined import Toolchain
from paddock_server.jails.contents import contents
from paddock_server.jails.doctor import examine
from paddock_server.jails.means import find_means

FAILED = 1


@click.group(invoke_without_command=True)
@click.option("--server", help="The server, host:port; https:// turns TLS on. Needed to run bots.")
@click.option("--token", envvar="PADDOCK_RUNNER_TOKEN", help="This runner's token, from paddock "
              "runner add; - reads it from the first line of the input.")  # fmt: skip
@click.option("--tls-ca", "ca", type=Path, help="The file of the server's CA, PEM; turns TLS on. "
              "PADDOCK_TLS_CA if not given.")  # fmt: skip
@click.option("--slots", type=click.IntRange(1, 500), help="How many bots run at once; as many as "
              "there are cores if not given, and at least 6.")  # fmt: skip
@click.option("--cores", metavar="LIST", help="The cores of the bots, such as 2-5,7; all that this "
              "process may use if not given.")  # fmt: skip
@click.option("--preparing", type=click.IntRange(1, 50), default=1, show_default=True,
              help="How many submissions are built and checked at once.")  # fmt: skip
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              envvar="STATE_DIRECTORY", help="A folder for archives and what was built; a "
              "temporary one if not given.")  # fmt: skip
@toolchain_options
@weaker_option
@click.pass_context
def runner(context: click.Context, /, **options: Any) -> None:
    """Run other people's bots in jails for a server, until Ctrl-C.

    The runner dials the server, and needs a token from paddock runner add. It builds and checks
    what is handed in, and runs bots when matches wait for them. It needs no database and no other
    token.
    If the server is away, it tries again; what it runs ends when the server did not hear of it for
    20 seconds.

    \b
    For example
      PADDOCK_RUNNER_TOKEN=pdk_... paddock runner --server https://arena.example.org:7911 --slots 6
      paddock runner doctor
    """
    if context.invoked_subcommand is None:
        run_runner(RunnerOptions(**options))
        return
    for option in context.command.params:
        if option.name and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{option.opts[0]} before {context.invoked_subcommand} is for running bots; "
                f"put it after {context.invoked_subcommand}, or leave it out"
            )


@runner.command()
@toolchain_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def doctor(roots: list[Toolchain], mirror: Path | None, as_json: bool) -> int:
    """Say what jails on this machine can promise, and what to do about the rest.

    A jail is made to find out, and one in each root to see what is in it. The exit code is 0 if
    everything is promised, and 1 if something is not: then jails start only with --accept-weaker.
    """
    means = find_means()
    promises = examine(means)
    toolchains = toolchains_beside(mirror, roots)
    found = contents(roots, means)
    if as_json:
        print_json(
            {
                "promises": [each._asdict() for each in promises],
                "toolchains": [each.name for each in toolchains],
                "roots": [
                    {"toolchain": root.name, "root": str(root.root), "sha256": root.sha256}
                    | inside._asdict()
                    for root, inside in zip(toolchains, found, strict=False)  # roots come first
                ],
                "mirror": str(mirror) if mirror else None,
            }
        )
    else:
        table = Table()
        for title in ("promise", "held", "how", "what to do"):
            table.add_column(title, overflow="fold")
        for each in promises:
            style = "green" if each.held else "bold red"
            remedy = "" if each.held else f"{each.remedy}; without it {each.weaker}"
            cells = (escape(clean(text)) for text in (each.how, remedy))
            table.add_row(each.name, f"[{style}]{'yes' if each.held else 'no'}[/]", *cells)
        console().print(table)
        click.echo(f"toolchains: {', '.join(each.name for each in toolchains)}")
        for root, inside in zip(toolchains, found, strict=False):  # roots come first
            of_what = f"{root.language}, {root.sha256[:12]}"
            click.echo(f"{root.name} ({of_what}) is {root.root}: {clean(inside.sentence)}")
        where = f"{mirror}, for builds alone" if mirror else "none; builds have no network"
        click.echo(f"mirror of packages: {where}")
    return 0 if all(each.held for each in promises) else FAILED


for command in RUNNER_TOKENS:
    runner.add_command(command)
