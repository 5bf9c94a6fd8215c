"""Assignment to a field of a frozen module, dataclass or NamedTuple, or array in a static field.

## What it does
Reports `model.weight = value`, `self.count += 1` in a method, and `self.extra = …` in `__init__` for a field that the class
does not declare; also `state.step = …` of an object of a `flax.struct.dataclass` or a NamedTuple. Setting declared fields
in `__init__`, `__post_init__` and the methods these call is allowed. An array given to a field that is marked
`eqx.field(static=True)` is reported as well, and the annotation of an array on a static field of a dataclass that is a
pytree.

## Why is this bad
Equinox modules and the dataclasses of Flax are frozen: an assignment raises `FrozenInstanceError`, and `AttributeError` in a
NamedTuple. A static field is part of the structure of the module, which JAX compares and hashes; `==` on arrays gives an
array, not a bool, and Equinox warns when the module is made.

## Example
```python
model.weight = model.weight * 0.5
```

## Use instead
```python
model = eqx.tree_at(lambda m: m.weight, model, model.weight * 0.5)
```

For a Flax dataclass, write `state = state.replace(step=state.step + 1)`; for a NamedTuple, `state._replace(step=state.step + 1)`.
A method returns the new module instead of changing `self`. State that changes with each call is passed and returned, or
kept in an `eqx.nn.State`.

## When to ignore
Where the code expects the exception, as a test may.

## Fix safety
The new module is only displayed: jaxlint cannot tell what else refers to the old one, or where the new one must be passed.
Unsafe: a method that sets fields of `self` and returns it returns an updated copy instead; a caller that ignores what it
returns gets no update, and no error either. For other methods there is no fix: rebinding `self` would not change the caller's
module. Unsafe, too: a missing field is declared, `static=True` is removed from a field that holds an array or is declared as
one, and `__check_init__` becomes `__post_init__`, which may set fields.

## References
- Equinox documentation, "equinox.tree_at" (https://docs.kidger.site/equinox/api/manipulation/#equinox.tree_at)
- Equinox documentation, "equinox.Module" (https://docs.kidger.site/equinox/api/module/module/)
- Equinox documentation, "Stateful operations" (https://docs.kidger.site/equinox/examples/stateful/)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Api, Array, Value, python_type
from jaxlint.analysis.models.equinox import EquinoxModuleMutation
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, only_target, only_value
from jaxlint.rewrite.changes import OTHER_HOLDERS
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import methods_of
from jaxlint.rewrite.layers.equinox_fixes import replaced_fields
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import expect, known, only, or_none, require, sole
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix, ImportRequest

RULE = Rule(
    code="JAX621",
    category=Category.FAILS,
    hazards=(EquinoxModuleMutation,),
    error="FrozenInstanceError",
    fixable="unsafe",
)


# By kind of immutable object: what to call it, and the method that returns an updated copy.
_REPLACING = {"struct": ("frozen Flax dataclass", "replace"), "namedtuple": ("immutable NamedTuple", "_replace")}


def check(hazard: EquinoxModuleMutation, file: File) -> Iterator[Finding]:
    name = hazard.attribute
    if hazard.how == "static":
        yield Finding(
            hazard.site,
            f"Array in static field `{name}`",
            f"Drop `static=True` from `{name}`, or store a tuple of numbers.",
            _make_field_dynamic(hazard, file),
        )
        return
    if hazard.how == "declared":
        yield Finding(
            hazard.site,
            f"Static field `{name}` declared as an array",
            f"Make `{name}` a leaf, or a tuple of numbers: JAX compares static fields to find compiled code.",
            _remove_static_marker(file, file.unit.statement(hazard.site)),
        )
        return
    module = file.code(hazard.operand, 40)
    if hazard.how == "undeclared":
        yield Finding(
            hazard.site,
            f"Assignment to undeclared field `{module}.{name}` of Equinox module",
            f"Declare the field in the body of the class: `{name}: …`.",
            _declare_field(hazard, file),
        )
        return
    where = "return" if module == "self" else f"{module} ="
    if hazard.how in _REPLACING:
        what, method = _REPLACING[hazard.how]
        message = f"Assignment to `{module}.{name}` of {what}"
        help = f"Make a new object: `{where} {module}.{method}({name}=…)`."
        yield Finding(hazard.site, message, help, _rebind_to_copy(hazard, file))
        return
    tree_at, _ = file.api("equinox.tree_at")
    yield Finding(
        hazard.site,
        f"Assignment to `{module}.{name}` of frozen Equinox module",
        f"Make a new module: `{where} {tree_at}(lambda m: m.{name}, {module}, …)`.",
        _rename_to_post_init(hazard, file) or _rebind_to_copy(hazard, file),
    )


@or_none
def _rebind_to_copy(hazard: EquinoxModuleMutation, file: File) -> Fix | None:
    """Bind a new module to the name that holds the old one."""
    statement, draft = file.unit.statement(hazard.site), Draft(file)
    path = _path(file, hazard.operand)
    if path is None:
        return replaced_fields(file, hazard.site, _REPLACING.get(hazard.how, ("", ""))[1])
    root, attributes = path[0], ".".join((*path[1], hazard.attribute))
    if isinstance(statement, ir.Augment):
        value = f"{file.code(hazard.site)} {statement.op} {operand(file, statement.value.site)}"
    else:
        require(known(only_target(statement)).site == hazard.site)
        value = argument(file, expect(ir.Assign, statement).value.site)
    if hazard.how in _REPLACING:
        require(not path[1])
        draft.replace(statement.site, f"{root} = {root}.{_REPLACING[hazard.how][1]}({hazard.attribute}={value})")
        return draft.fix("Make a new object", OTHER_HOLDERS)
    new = draft.call("equinox.tree_at", f"lambda m: m.{attributes}", root, value)
    draft.replace(statement.site, f"{root} = {new}")
    return draft.fix("Make a new module", OTHER_HOLDERS, Applicability.DISPLAY)


@or_none
def _path(file: File, site: int) -> tuple[str, tuple[str, ...]]:
    """The name of the outermost module, and the attributes on the way to the one that is set."""
    node = file.unit.nodes[site]
    attributes: list[str] = []
    while isinstance(node, ir.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    scope, name = file.unit.scope(site), expect(ir.Name, node)
    require(name.id in scope.locals | scope.globals and (not attributes or _is_module(file, scope, name)))
    if isinstance(scope, ir.Function) and scope.is_method and scope.parameters:
        require(scope.parameters[0].name != name.id)  # else the caller holds the module
    return name.id, tuple(attributes)


def _is_module(file: File, scope: ir.Scope, name: ir.Name) -> bool:
    """Whether a variable is bound once, to an Equinox module of a class of this file."""
    value = only_value(scope, name.id)
    found = _class_called(file, value) if value is not None else None
    bases = found.bases if found is not None else ()
    return any(type(v) is Api and v.name == "equinox.Module" for base in bases for v in file.values(base.site))


def _class_called(file: File, call: ir.Node) -> ir.ClassDefinition | None:
    found = binding_of(file.unit, call.func) if isinstance(call, ir.Call) else None
    return found.definition if isinstance(found, ir.DefineClass) else None


@or_none
def _rename_to_post_init(hazard: EquinoxModuleMutation, file: File) -> Fix:
    """`__post_init__`, which may set fields, for `__check_init__`, which may not."""
    method = expect(ir.Function, file.unit.scope(hazard.site))
    owner = expect(ir.ClassDefinition, file.unit.scope(method.site))
    require(method.is_method and method.name == "__check_init__" and not method.decorators and len(owner.bases) == 1)
    require(methods_of(owner).keys().isdisjoint(("__init__", "__post_init__")))
    require(any(type(v) is Api and v.name == "equinox.Module" for v in file.values(owner.bases[0].site)))
    start = file.source.text.find("__check_init__", file.span(method.site)[0])
    edit = Edit(start, start + len("__check_init__"), "__post_init__")
    changes = "a subclass with an `__init__` of its own skips it"
    return Fix("Set the field in `__post_init__`", (edit,), changes=changes)


@or_none
def _declare_field(hazard: EquinoxModuleMutation, file: File) -> Fix:
    """Declare the field in the class body, after the existing declarations."""
    method, statement = expect(ir.Function, file.unit.scope(hazard.site)), file.unit.statement(hazard.site)
    owner, draft = expect(ir.ClassDefinition, file.unit.scope(method.site)), Draft(file)
    require(method.name == "__init__")
    kind = sole({_annotation(value) for value in file.values(expect(ir.Assign, statement).value.site)}) or ""
    if kind == "array":
        kind = draft.api("jax.Array")
    elif not kind:
        kind = "Any"
        if "Any" not in file.unit.module.locals:
            draft.imports = frozenset({ImportRequest("typing", "Any")})
    fields, line = [node for node in owner.body if isinstance(node, ir.Annotate)], f"{hazard.attribute}: {kind}"
    if fields:
        draft.below(fields[-1], line)
    else:
        draft.above(_first_after_docstring(owner), line)
    return draft.fix(f"Declare the field `{hazard.attribute}`", "it becomes part of the pytree")


def _annotation(value: Value) -> str:
    if isinstance(value, Array):
        return "array"
    kind = python_type(value) or ""
    return kind if kind in ("int", "float", "bool", "str", "complex", "tuple") else ""


def _first_after_docstring(owner: ir.ClassDefinition) -> ir.Statement:
    first = owner.body[0]
    documented = isinstance(first, ir.Evaluate) and isinstance(first.value, ir.Constant) and len(owner.body) > 1
    return owner.body[1] if documented else first


def _make_field_dynamic(hazard: EquinoxModuleMutation, file: File) -> Fix | None:
    """The field without `static=True`."""
    for node in hazard.declared_in.body if hazard.declared_in is not None else ():
        if isinstance(node, ir.Annotate) and getattr(node.target, "id", "") == hazard.attribute:
            fix = _remove_static_marker(file.holding(node.site), node)
            return None if fix is None else file.placed(fix, node.site)
    return None


@or_none
def _remove_static_marker(file: File, node: ir.Node) -> Fix:
    """A field that is not declared static."""
    field, draft = expect(ir.Annotate, node), Draft(file)
    call = expect(ir.Call, field.value)
    marked = only(each for each in call.keywords if each.name in ("static", "pytree_node", "metadata"))
    if call.args or len(call.keywords) > 1:
        kept = [file.code(each.site) for each in (*call.args, *call.keywords) if each is not marked]
        draft.replace(call.site, f"{file.code(call.func.site)}({', '.join(kept)})")
    else:
        draft.edits.append(Edit(file.outer_span(field.annotation.site)[1], file.outer_span(call.site)[1], ""))
    title = f"Take `{file.code(marked.site, 40)}` off `{file.code(field.target.site)}`"
    return draft.fix(title, "transforms trace it, like other arrays")
