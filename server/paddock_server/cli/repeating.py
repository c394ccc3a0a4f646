"""The command line of the running command, as a hint to run it again."""

import shlex
from collections.abc import Collection

import click
from click.core import ParameterSource


def same_command(add: str = "", without: Collection[str] = ()) -> str:
    """The running command, quoted for a shell, without these options and with one more."""
    context = click.get_current_context()
    words = context.command_path.split()
    for parameter in context.command.params:
        name = parameter.name or ""
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        if name in without:
            continue
        values = context.params[name]
        for value in values if isinstance(values, tuple) else (values,):
            if isinstance(parameter, click.Option):
                words.append(parameter.opts[0])
            if value is not True:
                words.append(str(value))
    return " ".join((*(shlex.quote(word) for word in words), *([add] if add else [])))
