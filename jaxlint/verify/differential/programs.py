"""Programs of the grammar: which orders of constructs it allows, at random and in turn."""

from __future__ import annotations

import random

from jaxlint.knowledge.operations import OPERATIONS
from jaxlint.verify.differential import language, routes, transforms  # noqa: F401  they add their constructs to the grammar
from jaxlint.verify.differential.grammar import CONSTRUCTS, FORMS, OPERATION, TRANSFORMS, Item, Program

REVERSE = {"grad", "value_and_grad", "vjp", "jacrev", "hessian"}
FORWARD = {"jvp", "jacfwd", "hessian", "linearize"}
BATCHED = {"vmap", "vectorize"}
LOOPS = {"while_loop", "loop_condition"}
CARRIES = {*LOOPS, "fori_loop"}
LAX = {"cond", "switch", *LOOPS}


def is_declared(program: Program) -> bool:
    """Whether the grammar allows this order of constructs: those left out fail in a construct, whatever it holds."""
    kinds = [item.kind for item in program]
    if not program or kinds[-1] != OPERATION:
        return False
    if Item(OPERATION, "v.delete()") in program and kinds.count(OPERATION) > 1:
        return False  # nothing can be done with it afterwards, nor before it in a loop
    staged = TRANSFORMS | {name for name, is_transform in FORMS.items() if is_transform}
    for index, kind in enumerate(kinds):
        inside = set(kinds[index + 1 :])
        if kind in REVERSE and inside & LOOPS:
            return False  # has no reverse mode
        if kind in FORWARD and "custom_vjp" in inside:
            return False  # has no other mode
        if kind == "disable_jit" and inside & (LAX | BATCHED | {"shard_map", "eval_shape", "make_jaxpr"}):
            return False  # decides its condition in Python, which mapped values do not allow
        if kind == "shard_map" and "shard_map" in inside:
            return False  # over one mesh
        if kind == "shard_map" and "change" in inside and inside & CARRIES:
            return False  # what varies over the mesh must vary in every step
        if kind == "shard_map" and "constants" in inside:
            return False  # some of JAX's own functions fail there, with constants of their own
        if (kind == "disable_jit" and "other_file" in inside) or (
            kind == "other_file" and inside & {"disable_jit", "guard"}
        ):
            return False  # a file is also judged for how it runs by itself
        if kind == "guard" and inside & staged:
            return False  # what is transformed and never called is judged as if it were
        if kind == "constants" and inside & staged:
            return False
    return True


def random_program(rng: random.Random, around: Program, forms: bool = False) -> Program:
    """A program with ``around`` among other constructs and operations; ``forms``: of the language, too."""
    others = sorted(CONSTRUCTS.keys() - TRANSFORMS - (set() if forms else FORMS.keys()))
    while True:
        items = list(around)
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            items.insert(0, Item(rng.choice(sorted(TRANSFORMS)), rng.randrange(1000)))
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
            items.insert(rng.randrange(len(items)), Item(rng.choice(others), rng.randrange(1000)))
        if rng.random() < 0.2:
            items.insert(rng.randrange(len(items)), Item(OPERATION, rng.choice(OPERATIONS).name))
        program = tuple(items)
        if is_declared(program):
            return program


ROUTES = ("direct", "helper", "closure", "method", "container", "other_file")


def whole_table() -> int:
    """How many programs of ``numbered_program`` hold every operation in every transform by every route."""
    return len(OPERATIONS) * (len(TRANSFORMS) + 1) * len(ROUTES)


def pair_of(turn: int, operation: int) -> tuple[str | None, str]:
    """The transform and the route that an operation meets in a turn: each pair once in as many turns as there are pairs."""
    choices = [None, *sorted(TRANSFORMS)]
    # A factor without a common divisor leads through all pairs, and neighbours differ in both.
    pair = (turn * 47 + operation * 5) % (len(choices) * len(ROUTES))
    return choices[pair // len(ROUTES)], ROUTES[pair % len(ROUTES)]


def numbered_program(seed: int, number: int) -> Program:
    """The operations take turns, and with each of them the transforms and the ways into them."""
    rng = random.Random(f"{seed}/{number}")
    turn, operation = divmod(number, len(OPERATIONS))
    around = [Item(kind, rng.randrange(1000)) for kind in pair_of(turn, operation) if kind and kind != "direct"]
    return random_program(rng, (*around, Item(OPERATION, OPERATIONS[operation].name)))


def form_program(seed: int, number: int) -> Program:
    """The operations take turns, and with each of them the forms of ``language``."""
    rng = random.Random(f"language/{seed}/{number}")
    turn, operation = divmod(number, len(OPERATIONS))
    forms = sorted(FORMS)
    around = Item(forms[(turn + operation) % len(forms)], rng.randrange(1000))
    return random_program(rng, (around, Item(OPERATION, OPERATIONS[operation].name)), forms=True)
