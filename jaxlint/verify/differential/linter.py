"""What the linter says of a program."""

from __future__ import annotations

import os
import tempfile
from typing import NamedTuple

from jaxlint.configuration.config import Config
from jaxlint.project.resolver import Loader
from jaxlint.project.sources import Project
from jaxlint.run.pipeline import check_root
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.text import Source
from jaxlint.verify.differential.grammar import Text


class Place(NamedTuple):
    file: str
    row: int


def findings(text: Text) -> dict[Place, list[Diagnostic]]:
    """The findings in all files of a program, as a run over its folder has them."""
    found: dict[Place, list[Diagnostic]] = {}
    with tempfile.TemporaryDirectory(prefix="differential") as folder:
        # Only an import makes the linter look at the disk, for the modules of a project.
        if len(text.files) > 1:
            for file, content in text.files.items():
                with open(os.path.join(folder, file), "w", encoding="utf-8") as handle:
                    handle.write(content)
        loader = Loader(Project(folder))
        for file, content in text.files.items():
            result = check_root(Source.from_text(content, os.path.join(folder, file)), Config(root=folder), loader)
            if result.error:
                raise RuntimeError(f"{result.diagnostics}\n{content}")
            for each in [*result.diagnostics, *(each.diagnostic for each in result.elsewhere)]:
                found.setdefault(Place(os.path.basename(each.filename), each.start.row), []).append(each)
    return found
