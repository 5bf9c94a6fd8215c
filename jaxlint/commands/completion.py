"""``jaxlint completion``: what makes a shell complete the words of the command line, written from the parsers."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from typing import NamedTuple

SHELLS = ("bash", "zsh", "fish")

_BASH = """\
# jaxlint completion for bash: put this into ~/.bashrc, or `eval "$(jaxlint completion bash)"`.
_jaxlint() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=check
    [[ $COMP_CWORD -gt 1 && " {commands} " == *" ${{COMP_WORDS[1]}} "* ]] && command=${{COMP_WORDS[1]}}
    case "$command $before" in
{choices}
    esac
    local words=
    [[ $COMP_CWORD -eq 1 ]] && words="{commands} --help --version"
    case "$command" in
{options}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word"))
}}
complete -o filenames -F _jaxlint jaxlint
"""


class Word(NamedTuple):
    """A word that a command takes: an option, with the values there are for it, or one of a few arguments."""

    names: tuple[str, ...]
    choices: tuple[str, ...]
    takes_value: bool
    help: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell that is to complete")


def run(args: argparse.Namespace) -> int:
    print(script(args.shell, args.commands), end="")
    return 0


def script(shell: str, modules: dict[str, tuple[str, str]]) -> str:
    """The text that the shell reads; ``modules`` are the commands, each with its module and its help."""
    commands = _commands(modules)
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _commands(modules: dict[str, tuple[str, str]]) -> dict[str, tuple[str, list[Word]]]:
    """Each command with its help and its words."""
    found = {}
    for name, (module, text) in modules.items():
        parser = argparse.ArgumentParser(prog=f"jaxlint {name}")
        importlib.import_module(module).add_arguments(parser)
        found[name] = (text, list(_words(parser)))
    found["help"] = ("show the options of a command", [Word((), tuple(modules), True, "a command")])
    return found


def _words(parser: argparse.ArgumentParser) -> Iterator[Word]:
    for action in parser._actions:
        choices = tuple(map(str, action.choices)) if action.choices else ()
        yield Word(tuple(action.option_strings), choices, action.nargs != 0, (action.help or "").split("; ")[0])


def _bash(commands: dict[str, tuple[str, list[Word]]]) -> str:
    options, choices = [], []
    for name, (_, words) in commands.items():
        listed = [each for word in words for each in (word.names or word.choices)]
        options.append(f'        {name}) words="$words {" ".join(listed)}" ;;')
        for word in words:
            if word.names and word.choices:
                patterns = "|".join(f'"{name} {each}"' for each in word.names)
                choices.append(
                    f'        {patterns}) COMPREPLY=($(compgen -W "{" ".join(word.choices)}" -- "$word")); return ;;'
                )
    return _BASH.format(commands=" ".join(commands), options="\n".join(options), choices="\n".join(choices))


def _zsh(commands: dict[str, tuple[str, list[Word]]]) -> str:
    """zsh reads what is written for bash."""
    # zsh runs the completions of bash once it is told to; `compinit` has to have run.
    head = '# jaxlint completion for zsh: put `eval "$(jaxlint completion zsh)"` into ~/.zshrc, below compinit.\n'
    return head + "autoload -U +X bashcompinit && bashcompinit\n" + _bash(commands).partition("\n")[2]


def _fish(commands: dict[str, tuple[str, list[Word]]]) -> str:
    lines = [
        f"complete -c jaxlint -n __fish_use_subcommand -a {name} -d {_quoted(text)}"
        for name, (text, _) in commands.items()
    ]
    for name, (_, words) in commands.items():
        others = " ".join(other for other in commands if other != name)
        # Without a command it is `check`.
        where = (
            f"not __fish_seen_subcommand_from {others}" if name == "check" else f"__fish_seen_subcommand_from {name}"
        )
        for word in words:
            flags = [f"-l {each[2:]}" if each.startswith("--") else f"-s {each[1:]}" for each in word.names]
            values = " -r" if word.takes_value and flags else ""
            values = f" -x -a {_quoted(' '.join(word.choices))}" if word.choices else values
            if flags or word.choices:
                lines.append(
                    f"complete -c jaxlint -n {_quoted(where)} {' '.join(flags)}{values} -d {_quoted(word.help)}"
                )
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
