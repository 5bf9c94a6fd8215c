"""Hazards: the places where Python, NumPy or JAX needs more of a value than it has.

One class for each hazard, beside the subject of the analysis that reports it; here are those of the
interpreter itself and those that several subjects report. A rule names the classes that it reports::

    RULE = Rule(code="JAX107", ..., hazards=(RangeOverTracer,))

    def check(hazard: RangeOverTracer, file: File) -> Iterator[Finding]: ...
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeVar

if sys.version_info >= (3, 11):
    from typing import dataclass_transform
else:
    from typing_extensions import dataclass_transform

if TYPE_CHECKING:
    from jaxlint.analysis.domain.origin import Origin
    from jaxlint.analysis.domain.values import Value
    from jaxlint.analysis.model import Activation
    from jaxlint.knowledge.history import History, ParameterHistory
    from jaxlint.project.target import Releases


class Consequence(Enum):
    """How a hazard shows itself when the code runs."""

    IMMEDIATE = "immediate"  # an error at the place itself, with every release
    LATER = "later"  # an error, perhaps at another place or with some releases
    PERSISTENT = "persistent"  # stays harmful where the author expects or catches an error
    SILENT = "silent"  # no error


RAISING = frozenset({Consequence.IMMEDIATE, Consequence.LATER})


class Exclusion(Enum):
    """Why a hazard that was found at a place is not reported there."""

    MUTED = auto()  # the code is not certain to run with these values
    EXPECTED = auto()  # an error is expected around it
    CAUGHT = auto()  # the error is caught or expected
    STATIC = auto()  # the argument may be static
    OBJECT = auto()  # the value may be an object other than a jax array
    CONDITION = auto()  # an undecided condition asks about the value
    ERROR_MESSAGE = auto()  # it is part of the message of an error
    ATTRIBUTE_TEST = auto()  # it runs only where `hasattr` finds the attribute
    HOST_CODE = auto()  # the function is presumed to be traced, and fails in several ways if it is


DecidedBy = Literal["name", "tracer", "elsewhere", "place"]


class Hazard:
    """One occurrence of a hazard. The interpreter fills in where it is and why when it is reported.

    ``site`` is where a report stands, ``operand`` the expression it is about and ``value`` what that
    holds; both sites are numbers of IR nodes. ``api`` and ``parameter`` are the dotted name of the
    function and the parameter that ask for more. ``origin`` tells why the value is traced, innermost step
    first; ``chain`` holds the sites of the calls that lead here, outermost first.
    """

    __slots__ = (
        "site", "operand", "value", "origin", "whole_origin", "api", "parameter", "activation", "chain", "convention",
    )  # fmt: skip

    consequence: ClassVar[Consequence] = Consequence.LATER
    only_arrays: ClassVar[bool] = False  # whether an object with a tracer in it may do what a jax array cannot
    of_any_value: ClassVar[bool] = False  # whether a static argument has it too
    of_plain_values: ClassVar[bool] = False  # whether it depends on the class, number or shape of the operand
    # Whether it depends on a size that a caller passes, which what else is passed may keep out of a branch.
    of_callers_sizes: ClassVar[bool] = False
    # What decides whether it can occur: the name in the file, a tracer, another file, or the place itself.
    decided_by: ClassVar[DecidedBy] = "place"

    site: int
    operand: int
    value: Value
    origin: Origin | None
    api: str | None
    parameter: str | None
    activation: Activation | None
    chain: tuple[int, ...]
    convention: str  # on which the report rests; empty where it is certain
    whole_origin: Origin | None  # with its steps in other files, where a rule is shown those of one alone

    def __repr__(self) -> str:
        return f"{type(self).__name__}(site={self.site}, api={self.api}, parameter={self.parameter})"


_Hazard = TypeVar("_Hazard", bound=Hazard)


@dataclass_transform(eq_default=False)
def hazard_class(
    *,
    consequence: Consequence | None = None,
    only_arrays: bool | None = None,
    of_any_value: bool | None = None,
    of_plain_values: bool | None = None,
    of_callers_sizes: bool | None = None,
    decided_by: DecidedBy | None = None,
) -> Callable[[type[_Hazard]], type[_Hazard]]:
    """Make a class of hazards a dataclass, and set the attributes of the class that differ from those of its base.

    A compiled dataclass takes what its body assigns for a field.
    """
    facts = {
        "consequence": consequence, "only_arrays": only_arrays, "of_any_value": of_any_value,
        "of_plain_values": of_plain_values, "of_callers_sizes": of_callers_sizes, "decided_by": decided_by,
    }  # fmt: skip

    def decorate(cls: type[_Hazard]) -> type[_Hazard]:
        made = dataclass(eq=False, repr=False)(cls)
        for name, fact in facts.items():
            if fact is not None:
                setattr(made, name, fact)
        return made

    return decorate


@hazard_class(consequence=Consequence.IMMEDIATE, only_arrays=True, decided_by="tracer")
class ItemOnTracer(Hazard):
    """`.item()`, `.tolist()` or a conversion method is called on a traced array.

    Site: the call; operand: receiver; api: method name.
    """


@hazard_class(consequence=Consequence.IMMEDIATE, decided_by="tracer")
class PythonCastOnTracer(Hazard):
    """A tracer is converted by `int`, `float`, `bool`, `complex`, `operator.index` or a `math` function.

    Site: the call; operand: argument; api: "builtins.int", "math.sqrt", "operator.index" .
    """


@hazard_class(consequence=Consequence.IMMEDIATE, decided_by="tracer")
class BranchOnTracer(Hazard):
    """`if`, a ternary, `assert`, `match` or the condition of a comprehension is traced. Site: operand."""

    form: str


@hazard_class(consequence=Consequence.IMMEDIATE, decided_by="tracer")
class WhileOnTracer(Hazard):
    """The condition of a `while` is traced. Site: operand."""


@hazard_class(consequence=Consequence.IMMEDIATE, of_plain_values=True, only_arrays=True)
class NonScalarConversion(Hazard):
    """An array of several elements is converted to one number, formatted as one, or decides a branch.

    Site: the call, operator, field or operand; operand: the array; api: "builtins.float" and its kin, "format";
    None for a condition.
    """

    shape: tuple[Any, ...]  # without unknown sizes, but for a format


@hazard_class(consequence=Consequence.IMMEDIATE, decided_by="tracer")
class BooleanOperatorOnTracer(Hazard):
    """`and`, `or`, `not`, a chained comparison or `in` on a traced value. Site: operand."""

    form: str


@hazard_class(decided_by="tracer")
class BuiltinReductionOnTracer(Hazard):
    """Python's `max`, `min`, `sorted`, `any` or `all` over traced values.

    Site: the call; operand: argument; api: "builtins.max" .
    """


@hazard_class(consequence=Consequence.IMMEDIATE, decided_by="tracer")
class RangeOverTracer(Hazard):
    """`range` over a traced value. Site: the call; operand: the traced argument."""


@hazard_class(consequence=Consequence.IMMEDIATE)
class TracedStaticParameter(Hazard):
    """A traced value is given to a parameter that must be concrete.

    Site: the argument; api, parameter: which parameter must be concrete.
    """


@hazard_class(consequence=Consequence.IMMEDIATE, decided_by="tracer")
class ContainerIndexedByTracer(Hazard):
    """A Python container is indexed by a tracer, or an array is hashed. Site: the subscript; operand: index."""

    container: str
    of_numbers: bool = False  # whether it certainly holds Python numbers of one type


@hazard_class(consequence=Consequence.IMMEDIATE, only_arrays=True, decided_by="tracer")
class HashOfTracer(Hazard):
    """A Python container is indexed by a tracer, or an array is hashed.

    Site: the expression that hashes; operand: the value.
    """

    container: str


@hazard_class(decided_by="tracer")
class FormatOfTracer(Hazard):
    """A traced value is formatted as a number. Site: the field or the `%`; operand: the value."""

    form: str


@hazard_class(of_plain_values=True, decided_by="tracer")
class IterateOverScalarTracer(Hazard):
    """A jax array without dimensions is iterated over. Site: the iterable."""


@hazard_class(only_arrays=True, decided_by="tracer")
class TypeTestOnTracer(Hazard):
    """A test of the Python type of an argument that is traced, and so of another type.

    Site: the test; operand: the tracer in it; api: function.
    """

    was: str


@hazard_class(consequence=Consequence.IMMEDIATE)
class ShapeFromTracer(Hazard):
    """The shape of an array depends on a traced value.

    Site: the argument; api, parameter; operand: the traced part of it.
    """


@hazard_class(of_plain_values=True)
class ListIndex(Hazard):
    """A jax array is indexed by a list. Site: the subscript; operand: the list; value: the array."""


@hazard_class(consequence=Consequence.IMMEDIATE)
class DataDependentShape(Hazard):
    """The shape of the result depends on the values of a traced array.

    Site: the call; api; parameter: the way out ("size") or None.
    """


@hazard_class(consequence=Consequence.IMMEDIATE)
class BooleanMaskIndex(Hazard):
    """A selection by a boolean mask that is traced. Site: the subscript; operand: the mask."""


@hazard_class()
class BooleanMaskUpdate(Hazard):
    """An update through a boolean mask that is traced.

    Site: the call `x.at[m].set(v)`; operand: the mask; api: method ("set").
    """


@hazard_class(consequence=Consequence.IMMEDIATE, decided_by="tracer")
class TracedSliceBound(Hazard):
    """A slice whose bounds are traced. Site: the subscript; operand: the traced bound."""

    bounds: int


@hazard_class(consequence=Consequence.IMMEDIATE, decided_by="tracer")
class NumpyOnTracer(Hazard):
    """A NumPy or SciPy function is given a tracer. Site: the call; operand: the tracer; api: "numpy.sin"."""


@hazard_class(consequence=Consequence.IMMEDIATE, decided_by="tracer")
class NumpyArrayIndexedByTracer(Hazard):
    """A NumPy array is indexed by a tracer. Site: the subscript; operand: the index."""


@hazard_class(consequence=Consequence.IMMEDIATE)
class TracerStoredInNumpyArray(Hazard):
    """A NumPy or SciPy function is given a tracer. Site: the target; operand: the value stored into a NumPy array."""


@hazard_class(consequence=Consequence.SILENT, of_any_value=True, decided_by="tracer")
class PrintOfTracer(Hazard):
    """`print`, logging or a warning shows a tracer.

    Site: the call; operand: the printed argument that is traced; api.
    """


@hazard_class(only_arrays=True)
class ItemAssignment(Hazard):
    """An element of a JAX array is assigned to. Site: the statement; operand: the target subscript."""


@hazard_class(consequence=Consequence.SILENT)
class SilentNumpyComparison(Hazard):
    """A NumPy comparison of whole arrays is given a tracer, and answers False.

    Site: the call that misjudges a tracer; operand: the tracer; api.
    """


@hazard_class(only_arrays=True)
class MutatingCallOnArray(Hazard):
    """A jax array is given to code that wants to change it in place.

    Site: the call or the target of `del`; operand: the jax array; api; parameter: "out", "a" .
    """


@hazard_class(only_arrays=True)
class HostMethodOnTracer(Hazard):
    """A method or attribute that only a concrete array has is asked of a tracer.

    Site: the call or attribute; api: ".block_until_ready", "pickle.dumps" .
    """


@hazard_class(consequence=Consequence.SILENT, of_any_value=True)
class RepeatedKey(Hazard):
    """A key is consumed again: the site is the call that does so, the operand the key in it."""

    first: int  # site of the call that consumed the key before, or of the loop or transform
    first_operand: int  # site of the key in it
    first_api: str
    second_api: str
    how: str  # "sampler", "split", "fold_in", "loop", or the transform that repeats the body
    # Sites of all calls beside this one that consumed the key before, and of the key in each.
    earlier: tuple[tuple[int, int], ...] = ()
    next_step: bool = False  # whether a loop of JAX hands the key on, and the next step consumes it again


@hazard_class()
class KeyReuse(RepeatedKey):
    """A random key is consumed twice, so both uses get the same random numbers.

    Site: the second call that consumes; operand: the key in it.
    """


@hazard_class()
class KeyReuseInLoop(RepeatedKey):
    """A random key is consumed in every pass of a loop, so all passes get the same random numbers.

    Site: the call in the loop; operand: the key in it.
    """


@hazard_class()
class KeySharedAcrossBatch(RepeatedKey):
    """A mapped or scanned function uses a random key from outside, the same for every element or step.

    Site: the call in the body; operand: the key in it.
    """


class NameUse(NamedTuple):
    """What is to be said of a name, and for which releases."""

    status: str  # "gone", "deprecated", "private", "unknown" or "moved"
    history: History
    releases: Releases  # those in which the code runs


class ParameterUse(NamedTuple):
    """What is wrong with an argument that its function does not take as it is passed."""

    how: Literal["gone", "deprecated", "positional-only", "keyword-only", "unknown", "surplus"]
    history: ParameterHistory
    releases: Releases


@hazard_class(consequence=Consequence.SILENT, decided_by="name")
class NameUsed(Hazard):
    """A private or removed name of JAX's random keys is used.

    Site: the Alias, Attribute or string that names it; api: the name as written.
    """

    use: NameUse | None


@hazard_class(decided_by="name")
class ParameterUsed(Hazard):
    """A name or parameter is used that JAX or one of its libraries is about to remove.

    Site: the Keyword, or the argument passed by position; api; parameter.
    """

    use: ParameterUse


@hazard_class(consequence=Consequence.PERSISTENT, of_any_value=True)
class PythonDebuggerInTracedCode(Hazard):
    """A Python debugger is started in code that JAX traces, where it sees tracers and stops only once.

    Site: the call; api.
    """


@hazard_class()
class UnsupportedOperation(Hazard):
    """Any other operation that fails; api says which."""
