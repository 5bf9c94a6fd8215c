"""What a rule of others is written with; a distribution declares the module that holds one as an entry point.

The group is ``jaxlint.plugins``; ``plugins = ["name"]`` in ``[tool.jaxlint]`` names the entry point. A module holds
``RULE``, a ``Rule`` with a code of its own (two or three capital letters other than JAX, and three digits), and
``check``, which is called for each occurrence of a hazard that the rule names::

    from collections.abc import Iterator
    from jaxlint.plugins import Category, File, Finding, Rule, hazards

    RULE = Rule(
        code="ABC001", name="print-in-model", summary="...", category=Category.WRONG, hazards=(hazards.PrintOfTracer,)
    )


    def check(hazard: hazards.PrintOfTracer, file: File) -> Iterator[Finding]:
        yield Finding(hazard.site, f"`{file.code(hazard.operand)}` is printed while it is traced")

``syntax`` holds the classes of the nodes: ``file.unit.nodes[site]`` is that of a site. The names here keep their meaning
from one minor release to the next; what else can be imported from jaxlint may change in any of them.
"""

from jaxlint.analysis import hazards
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.model import Activation
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as syntax
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix, ImportRequest

__all__ = [
    "Activation", "Applicability", "Category", "Edit", "File", "Finding", "Fix", "Hazard", "ImportRequest", "Origin",
    "Rule", "hazards", "syntax",
]  # fmt: skip
