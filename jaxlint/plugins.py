"""What a rule of others is written with; a distribution declares the module that holds one as an entry point.

The group is ``jaxlint.plugins``; ``plugins = ["name"]`` in ``[tool.jaxlint]`` names the entry point. A module holds
``RULE``, a ``Rule`` with a code of its own (two or three capital letters other than JAX, and three digits), and
``check``, which is called for each demand of the kinds that the rule names::

    from collections.abc import Iterator
    from jaxlint.plugins import Category, Demand, File, Finding, Kind, Rule

    RULE = Rule(code="ABC001", name="print-in-model", summary="...", category=Category.WRONG, kinds=(Kind.PRINT,))


    def check(demand: Demand, file: File) -> Iterator[Finding]:
        yield Finding(demand.site, f"`{file.code(demand.operand)}` is printed while it is traced")

``syntax`` holds the classes of ``file.unit.nodes``, of which a site is the index. The names here keep their meaning
from one minor release to the next; what else can be imported from jaxlint may change in any of them.
"""

from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.model import Activation, Demand, Kind
from jaxlint.hazards.rule import File, Finding, Rule
from jaxlint.ir import nodes as syntax
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix, ImportRequest

__all__ = [
    "Activation", "Applicability", "Category", "Demand", "Edit", "File", "Finding", "Fix", "ImportRequest", "Kind",
    "Origin", "Rule", "syntax",
]  # fmt: skip
