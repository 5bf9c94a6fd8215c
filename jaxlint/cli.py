"""The command ``jaxlint``: arguments in, exit code out.

Only what the arguments ask for is imported: ``jaxlint --version`` loads neither libcst nor rich,
and ``jaxlint check`` does not load what explains rules or runs JAX.
"""

from __future__ import annotations

import argparse
import atexit
import errno
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from jaxlint import __version__

CLEAN, FINDINGS, ERROR = 0, 1, 2

# Of a disk, a quota or a file that takes no more. Files of jaxlint's own are written where this is handled.
_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))

# Module and one-line help of each subcommand. A module has ``add_arguments(parser)`` and ``run(args) -> int``.
COMMANDS = {
    "check": ("jaxlint.commands.check", "report what is wrong in files and folders (the default command)"),
    "baseline": (
        "jaxlint.commands.baseline",
        "write down the findings there are, for `check --baseline` to be quiet about",
    ),
    "explain": (
        "jaxlint.commands.explain",
        "show the page of a rule or an error, search them, or say what a traceback means",
    ),
    "rules": ("jaxlint.commands.rules", "list the rules, or those that a word is about"),
    "init": ("jaxlint.commands.init", "write settings for a project, and a hook of pre-commit"),
    "config": ("jaxlint.commands.config", "show the settings that hold for a path, and where each comes from"),
    "merge": ("jaxlint.commands.merge", "join the reports of the shards of a run"),
    "reveal": ("jaxlint.commands.reveal", "show what the model knows of each expression, and why"),
    "completion": ("jaxlint.commands.completion", "print what makes a shell complete jaxlint's words"),
    "server": ("jaxlint.server.command", "serve an editor over the language server protocol"),
    "verify": ("jaxlint.verify", "prove the rules against the installed JAX"),
}


class Parser(argparse.ArgumentParser):
    """An argument parser that names the nearest valid word when it meets an unknown one."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        keywords.setdefault("allow_abbrev", False)  # a later option must not change what a script says now
        keywords.setdefault("formatter_class", _formatter)
        super().__init__(*args, **keywords)

    def parse_all(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Like ``parse_args``; exits with code 2 and a hint where an option is unknown."""
        known, unknown = self.parse_known_args(list(arguments))
        # What follows an unknown option is taken for its value.
        unknown = [word for word in unknown if word.startswith("-")] or unknown
        if unknown:
            self.error("; ".join(f"unknown argument `{word}`{self._hint(word)}" for word in unknown))
        return known

    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong with an argument, and exit with code 2."""
        from jaxlint.report.text import visible

        message = message.removeprefix("argument ").replace("expected one argument", "takes a value, and none is given")
        message = message.replace("ignored explicit argument", "takes no value, and is given")
        hint = "" if "; " in message else f"; `{self.prog} --help` says more"
        self.exit(ERROR, f"{self.prog}: {visible(message + hint)}\n")

    def _hint(self, word: str) -> str:
        return meant(word.split("=")[0], list(self._option_string_actions))

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            choices = [str(choice) for choice in action.choices]
            message = f"`{value}` is none of {', '.join(choices)}{meant(str(value), choices)}"
            raise argparse.ArgumentError(action, message)


def _formatter(prog: str) -> argparse.HelpFormatter:
    """The formatter of argparse, which asks ``shutil`` for the width that it is not told, even if no help is wanted."""
    try:
        columns = int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size().columns
    except (ValueError, OSError):  # no number, or no terminal
        columns = 0
    return argparse.HelpFormatter(prog, width=(columns if columns > 0 else 80) - 2)


def meant(word: str, choices: Sequence[str]) -> str:
    """``; did you mean `X`?`` or nothing."""
    from jaxlint.source.spelling import nearest

    close = nearest(word, choices)
    return f"; did you mean `{close}`?" if close else ""


def command() -> NoReturn:
    """The program ``jaxlint``: ``main``, and then the process ends, without its memory being given back piece by piece."""
    code = main()
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        raise SystemExit(code)  # Python waits for the other threads
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody reads any more, or the stream is closed
        pass
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line ``arguments`` (default: those of the process) and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, who wants the exit code alone
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115  open to the end
        elif hasattr(getattr(sys, name), "reconfigure"):
            # A file name or a line of code that the terminal's encoding lacks is shown escaped.
            getattr(sys, name).reconfigure(errors="backslashreplace")
    try:
        code = _dispatch(words)
        if not sys.stdout.closed:  # which the language server does at its end
            sys.stdout.flush()
        return code
    except SystemExit as stop:  # argparse: --help gives 0, a wrong argument 2
        return stop.code if isinstance(stop.code, int) else ERROR
    except BrokenPipeError:
        # The reader (`head`, a pager) has seen enough.
        _give_up_standard_output()
        return FINDINGS
    except OSError as error:
        if error.errno not in _FULL:
            raise
        _give_up_standard_output()
        print(f"jaxlint: cannot write to standard output: {error.strerror}; make room, and run again", file=sys.stderr)
        return ERROR
    except KeyboardInterrupt:
        return 130


def _give_up_standard_output() -> None:
    """What was not written goes nowhere: Python would complain again when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(words: list[str]) -> int:
    name = words[0] if words else "check"
    if name in ("-V", "--version"):
        print(f"jaxlint {__version__}")
        return CLEAN
    if name == "help" and len(words) > 1:
        name = words[1]
        if name not in COMMANDS:
            hint = meant(name, list(COMMANDS)) or "; `jaxlint help` lists the commands"
            print(f"jaxlint help: no command is called `{name}`{hint}", file=sys.stderr)
            return ERROR
        words = [name, "--help"]
    if name in ("-h", "--help", "help"):
        print(_overview())
        return CLEAN
    if name in COMMANDS:
        rest = words[1:]
    else:
        hint = "" if os.path.exists(name) else meant(name, [*COMMANDS, "help"])
        if hint:
            print(f"jaxlint: `{name}` is neither a command nor a file{hint}", file=sys.stderr)
            return ERROR
        name, rest = "check", words
    module_name, text = COMMANDS[name]
    collecting = gc.isenabled()
    gc.disable()  # importing leaves no garbage, and makes much that would be looked through for it
    try:
        module = importlib.import_module(module_name)
        parser = Parser(prog=f"jaxlint {name}", description=text[0].upper() + text[1:] + ".")
        parser.set_defaults(commands=COMMANDS)
        module.add_arguments(parser)
        args = parser.parse_all(rest)
    finally:
        if collecting:
            gc.enable()
    from jaxlint.configuration.table import ConfigError

    try:
        return int(module.run(args))
    except ConfigError as error:
        from jaxlint.commands.configs import refuse

        return refuse(name, error)


def _overview() -> str:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:<{width}}  {text}" for name, (_, text) in COMMANDS.items())
    return (
        "usage: jaxlint [COMMAND] [OPTION...] [ARGUMENT...]\n\n"
        "A linter for JAX that knows which values are tracers, and why.\n\n"
        f"commands:\n{listed}\n\n"
        "`jaxlint PATH` is `jaxlint check PATH`. `jaxlint help COMMAND` lists the options of a command.\n"
        "`jaxlint --version` prints the version."
    )
