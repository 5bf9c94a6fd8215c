"""``jaxlint config``: the settings that hold for a path and where each comes from; what settings there are."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from typing import Any, NamedTuple

from jaxlint.commands.configs import add_configuration, configs_of, refuse
from jaxlint.configuration import options
from jaxlint.configuration.config import Config, Configs, read, rows
from jaxlint.configuration.options import OPTIONS, Option, plain
from jaxlint.configuration.table import ConfigError

OK = 0

_ABOUT = """\
# Configuration

jaxlint reads its settings from the table `[tool.jaxlint]` of a `pyproject.toml`. A file is governed by the nearest
`pyproject.toml` above it that has the table; tables are not merged. Values are used as written: `~` and environment variables
are not expanded.

`jaxlint config PATH` prints the settings that apply to a file or folder, and where each comes from. `jaxlint init` writes a
first table. Editors complete and check the table with the [JSON schema](schema.json), which `jaxlint config --schema` prints;
the schema lists jaxlint's own rules, not those of plugins.

**Rules** are selected by code (`JAX103`), by the start of a code (`JAX1`), or by name (`branch-on-tracer`).

**Paths** are selected by gitignore patterns, relative to the folder of the `pyproject.toml`: `build/` matches a folder of this
name at any depth, `/build` only the one beside the `pyproject.toml`. `**` matches any number of folders, and `?` one character.
Patterns are case-sensitive, the last one that matches decides, and a leading `!` includes a path again.

**Command-line options** take precedence over the table. `--select` replaces `select`, `extend-select` and `ignore`; `--fixable`
replaces `fixable` and `unfixable`. `--extend-select`, `--ignore`, `--extend-exclude` and `--unfixable` add to the table. Every
other option replaces the setting of the same name. `--isolated` (`--jaxlint-isolated` in flake8) ignores all tables, but not
`.gitignore`, the releases that the project declares, or the line length of its formatter.

**Invalid settings** are reported together as JAX903, each with file, line and column, and the default is used instead. Invalid
are unknown options and rules, values of the wrong type, a `target-jax` that no known release satisfies, and patterns that match
nothing: empty ones, absolute ones, and those with `.` or `..` as a part.

**Ownership**: jaxlint uses a `pyproject.toml` that belongs to you, to root, or to the owner of the working directory. Any other
is reported as JAX903 and ignored, so that nobody can change your settings through a folder that everybody may write to, such as
`/tmp`. Windows has no such check.
"""

_PLUGINS = """\
## Rules of others

A plugin is an installed distribution that declares an entry point of the group `jaxlint.plugins`. Its name is what
`plugins` and `--plugins` say; its value is a module that holds one rule as `RULE` and `check`, or a package of such modules:

```toml
[project.entry-points."jaxlint.plugins"]
lab_rules = "lab_rules"
```

**A configuration names plugins and never brings their code.** jaxlint imports a plugin from the environment that it
is installed in, and checks that the module is a file of the distribution. Nothing is imported from the working
directory, its repository or the paths that are linted, even if they are on `sys.path`; an environment in the project
(`.venv`) and editable installs (`pip install -e`) count, as the user has installed them.

Only the file that governs the working directory may name plugins. A file further down that names some is reported as
JAX903 with its line, and linting goes on without them. `jaxlint check --plugins NAME` loads the plugins it names
instead, whatever the files say; NAME may also be the name of an importable module. `--no-plugins` loads none. Without
its plugins, a configuration that selects or ignores their rules stays valid. flake8 and pre-commit follow the same rule;
`flake8 --jaxlint-no-plugins` loads none;
`reveal`, `init`, and `explain` with a traceback, load no plugin that a file names; the
[language server](editors.md) loads plugins once its setting `plugins` is on.

```python
{example}```

`jaxlint.plugins` has all that a rule is written with, and keeps its meaning from one minor release to the next. A rule
is called for each *hazard* it names: a place where Python, NumPy or JAX needs more of a value than it has.
`jaxlint.plugins.hazards` lists the classes of hazards, and each says what it holds. Its code is two or three capital
letters other than JAX, and three digits; it is selected, ignored, silenced, explained and fixed like any other, and
runs in projects alone that name its plugin. flake8 reports it where it is told to: `extend-select = LAB`. A change to
the files of a plugin makes results of earlier runs invalid. `docs/example-plugin` in the sources is a distribution with
such rules: copy it, rename it, and `pip install` it beside jaxlint.
"""


class Setting(NamedTuple):
    """The value of one option and where it comes from: "default", "command line" or a file with its row."""

    option: Option
    value: Any
    source: str
    file: str | None = None
    row: int | None = None

    @property
    def place(self) -> str:
        return self.source if self.file is None else f"{shown(self.file)}:{self.row}"


def shown(path: str) -> str:
    near = os.path.relpath(path)
    return path if near.startswith("..") else near


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="a file or folder (default: .)")
    parser.add_argument(
        "--output-format", choices=("full", "json"), default="full", help="how to print them (default: full)"
    )
    add_configuration(parser)
    about = parser.add_argument_group("what settings there are")
    about.add_argument("--schema", action="store_true", help="print the JSON schema of `[tool.jaxlint]`")
    about.add_argument("--markdown", action="store_true", help="print the reference of all settings")


def run(args: argparse.Namespace) -> int:
    if args.schema:
        json.dump(schema(), sys.stdout, indent=2)
        sys.stdout.write("\n")
        return OK
    if args.markdown:
        sys.stdout.write(markdown())
        return OK
    return show(args.path, configs_of(args, linted=[args.path]), args.output_format == "json")


def show(path: str, configs: Configs, as_json: bool = False) -> int:
    """Print the settings that hold for ``path``."""
    if not os.path.lexists(path):
        return refuse("config", f"{path}: no such file or folder; check the spelling")
    config = configs.for_folder(path) if os.path.isdir(path) else configs.for_file(path)
    settings = effective(config, configs.overrides)
    if as_json:
        json.dump(_data(path, config, settings), sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        _print(path, config, settings)
    if configs.problems:
        return refuse("config", *configs.problems, "the defaults stand in for what cannot be used")
    return OK


def effective(config: Config, overrides: dict[str, Any]) -> list[Setting]:
    """Every option with its value under ``config``, and where it comes from."""
    placed: dict[str, int] = {}
    if config.path is not None:
        try:
            used = read(config.path, problems=[]) or {}
            placed = {name: row for name, row in rows(config.path).items() if name.replace("-", "_") in used}
        except ConfigError:
            pass  # it is among the problems
    found = []
    for option in OPTIONS.values():
        value = getattr(config, option.field)
        if option.field in overrides or (option.name in placed and _is_emptied(option, overrides)):
            found.append(Setting(option, value, "command line"))
        elif option.name in placed:
            found.append(Setting(option, value, "file", config.path, placed[option.name]))
        elif option.name == "line-length" and config.formatter.found is not None:
            length = config.formatter.found
            found.append(Setting(option, length.columns, "file", length.path, length.row))
        else:
            found.append(Setting(option, value, "default"))
    return found


def _is_emptied(option: Option, overrides: dict[str, Any]) -> bool:
    """Whether another option of the command line has put the file's out of force."""
    if option.name in ("extend-select", "ignore"):
        return "select" in overrides
    return option.name == "unfixable" and "fixable" in overrides


def _data(path: str, config: Config, settings: list[Setting]) -> dict[str, Any]:
    return {
        "path": path,
        "file": config.path,
        "settings": {
            each.option.name: {
                "value": plain(each.option, each.value), "source": each.source,
                **({"file": each.file, "row": each.row} if each.file is not None else {}),
            }
            for each in settings
        },
        "target": {package: str(config.target.of(package)) for package in ("jax",)},
        "rules": sorted(config.codes),
    }  # fmt: skip


def _print(path: str, config: Config, settings: list[Setting]) -> None:
    governs = f"`{shown(config.path)}`" if config.path else "No pyproject.toml with [tool.jaxlint]"
    print(f"{governs} governs `{path}`; {len(config.codes)} rules run.\n")
    for group in dict.fromkeys(each.option.group for each in settings):
        print(f"# {group}")
        for each in settings:
            if each.option.group == group:
                print(f"{_line(each)}  # {each.place}")
        print()


def _line(setting: Setting) -> str:
    """A setting as a line of TOML; one that has no value of its own is a comment that says what holds."""
    if setting.option.absent and not setting.value:
        return f"# {setting.option.name}: {setting.option.absent}"
    return f"{setting.option.name} = {toml(plain(setting.option, setting.value))}"


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {toml(held)}" for name, held in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def schema() -> dict[str, Any]:
    """The JSON schema of the table ``[tool.jaxlint]``."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "[tool.jaxlint] of pyproject.toml",
        "type": "object",
        "additionalProperties": False,
        "definitions": options.definitions(),
        "properties": {option.name: option.schema for option in OPTIONS.values()},
    }


def markdown() -> str:
    """The reference of all settings."""
    from jaxlint import plugins

    parts = [_ABOUT]
    for group in dict.fromkeys(option.group for option in OPTIONS.values()):
        parts.append(f"## {group}\n")
        for option in OPTIONS.values():
            if option.group == group:
                held = option.absent or f"`{toml(plain(option))}`"
                parts.append(
                    f"### {option.name}\n\n{option.meaning}\n\n- Value: {option.kind.words}\n- Default: {held}\n\n"
                    f"```toml\n[tool.jaxlint]\n{option.example}\n```\n"
                )
    _, _, rest = (plugins.__doc__ or "").partition("::\n")
    lines = [line for line in rest.split("\n") if not line or line.startswith("    ")]
    parts.append(_PLUGINS.format(example=textwrap.dedent("\n".join(lines)).strip() + "\n"))
    return "\n".join(parts)
