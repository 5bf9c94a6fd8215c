"""What `update` of each optimiser of Optax needs beside the gradients and the state: measures and writes ``data/optimisers.json``.

    python -m jaxlint.knowledge.probe.optimisers            write the file
    python -m jaxlint.knowledge.probe.optimisers --check    compare the file with this Optax

An argument is needed where `update` raises without it; beside it stand the options that lift the need when they are switched off.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

DATA = Path(__file__).parent.parent / "data" / "optimisers.json"
MODULES = ("optax", "optax.contrib")
# Values of parameters without a default.
GIVEN: dict[str, Any] = {
    "learning_rate": 0.1, "step_size": 0.1, "weight_decay": 0.1, "max_norm": 1.0, "max_delta": 1.0, "decay": 0.9, "seed": 0,
    "key": 0, "clipping": 0.1, "max_linesearch_steps": 5, "max_backtracking_steps": 5, "eta": 0.1, "gamma": 0.1,
    "l2_norm_clip": 1.0, "noise_multiplier": 0.1,
}  # fmt: skip
OFF = (None, False, 0.0)  # what switches an option off


def squares(params: Any) -> Any:
    import jax

    return sum((leaf**2).sum() for leaf in jax.tree.leaves(params))


def made(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """The optimiser with its defaults, and with each of its options switched off, by the name of the option."""
    parameters = inspect.signature(function).parameters.values()
    named = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    needed = {each.name: GIVEN[each.name] for each in named if each.default is each.empty}
    yield "", function(**needed)
    for each in named:
        for value in OFF if each.name not in needed else ():
            with contextlib.suppress(Exception):
                yield each.name, function(**needed, **{each.name: value})


def needs(optimiser: Any) -> list[str] | None:
    """The arguments without which `update` raises; None where it raises with all of them, too."""
    import jax
    import jax.numpy as jnp

    params = {"w": jnp.ones((3, 3)), "b": jnp.ones(3)}
    gradients = jax.grad(squares)(params)
    state = optimiser.init(params)
    given = {"params": params, "value": squares(params), "grad": gradients, "value_fn": squares}

    def runs(names: set[str]) -> bool:
        try:
            optimiser.update(gradients, state, **{name: given[name] for name in names})
        except Exception:
            return False
        return True

    every = next((names for names in (set(given), {"params"}) if runs(names)), None)
    return None if every is None else sorted(name for name in every if not runs(every - {name}))


def measure() -> dict[str, dict[str, list[str]]]:
    import importlib

    found = {}
    for module in map(importlib.import_module, MODULES):
        for name, function in sorted(vars(module).items()):
            if name.startswith("_") or not inspect.isfunction(function):
                continue
            with contextlib.suppress(Exception):  # no optimiser, or one that is made of others
                (_, usual), *others = [(option, needs(each)) for option, each in made(function)]
                lifted = {
                    name: sorted({option for option, each in others if each is not None and name not in each})
                    for name in usual or ()
                }
                if lifted:
                    found[f"{module.__name__}.{name}"] = lifted
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure what `update` of optimisers needs.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file differs")
    options = parser.parse_args(arguments)
    import optax

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measured = {"needs": measure(), "versions": {"optax": optax.__version__}}
    text = json.dumps(measured, indent=1, sort_keys=True) + "\n"
    if options.check:
        same = DATA.read_text(encoding="utf-8") == text
        print("the file is what was measured" if same else "the file differs from what was measured")
        return not same
    DATA.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
