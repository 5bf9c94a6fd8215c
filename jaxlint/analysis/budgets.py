"""How much of a root is looked at. Budgets count steps and contexts, never seconds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """What one root may take. The figures of a lint run bound its cost; whoever asks about one file can wait longer."""

    contexts: int = 12  # of one function: how many kinds of calls of it are looked at
    imported_contexts: int = 8  # of one that is imported: its own module is a root as well, which looks closer
    # Steps in one context. While the contexts of a function have taken no more than so many on average, more are looked at.
    steps_per_context: int = 60
    passes: int = 8  # of a loop that are made one by one; one with more is taken for a loop of unknown length
    nested_passes: int = 16  # runs of a body in loops around one another
    cases: int = 3  # of one test that are run one by one; more of them are one, with joined values
    leaves: int = 16  # of one tree that are followed one by one; of more all are taken for one
    # Steps: about a hundred for each node, and never less than for a page of code.
    steps_per_node: int = 120
    steps: int = 200_000
    # Steps that may be taken in imported functions.
    imported_steps_per_node: int = 3
    imported_steps: int = 20_000
    follows_all: bool = False  # whether calls into other modules are followed that can show nothing to a rule


LINT = Budget()
# Tests call many parts of a package, which its modules and other tests show as well.
TESTS = Budget(imported_steps=2_000, imported_steps_per_node=0)
CLOSE = Budget(
    contexts=20_000, imported_contexts=20_000, passes=32, nested_passes=64, cases=64, leaves=16,
    steps=20_000_000, imported_steps=20_000_000, follows_all=True,
)  # fmt: skip
