"""All checkers, in the order in which they answer."""

from __future__ import annotations

from jaxlint.analysis.checkers.aliases import Aliases
from jaxlint.analysis.checkers.arrays.attention_masks import AttentionMasks
from jaxlint.analysis.checkers.arrays.exponentials import Exponentials
from jaxlint.analysis.checkers.arrays.masked_rows import MaskedRows
from jaxlint.analysis.checkers.arrays.misread_arguments import MisreadArguments
from jaxlint.analysis.checkers.arrays.padding import Padding
from jaxlint.analysis.checkers.arrays.reduced_axes import ReducedAxes
from jaxlint.analysis.checkers.arrays.shardings import Shardings
from jaxlint.analysis.checkers.backend_initialisation import Startup
from jaxlint.analysis.checkers.boolean_arithmetic import BooleanArithmetic, Precedence
from jaxlint.analysis.checkers.bounds import Bounds
from jaxlint.analysis.checkers.checkify import Checkify
from jaxlint.analysis.checkers.checkpoints import Checkpoints
from jaxlint.analysis.checkers.class_fields import ClassFields
from jaxlint.analysis.checkers.debug_prints import DebugPrints
from jaxlint.analysis.checkers.discards import Discards
from jaxlint.analysis.checkers.dtype_agreement import DtypeAgreement
from jaxlint.analysis.checkers.empty_ranges import EmptyRanges
from jaxlint.analysis.checkers.float_sizes import FloatSizes
from jaxlint.analysis.checkers.handlers import Handlers
from jaxlint.analysis.checkers.host_code import HostCode
from jaxlint.analysis.checkers.identity import Identity
from jaxlint.analysis.checkers.json_texts import JsonTexts
from jaxlint.analysis.checkers.large_constants import LargeConstants
from jaxlint.analysis.checkers.library_attributes import LibraryAttributes
from jaxlint.analysis.checkers.logits import Logits
from jaxlint.analysis.checkers.loop_branches import LoopBranches
from jaxlint.analysis.checkers.loop_syncs import LoopSyncs
from jaxlint.analysis.checkers.lost_stores import LostStores
from jaxlint.analysis.checkers.mapped_callbacks import MappedBranches, MappedCallbacks
from jaxlint.analysis.checkers.missing_arguments import MissingArguments, NnxCalls
from jaxlint.analysis.checkers.numpy_only import NumpyOnly
from jaxlint.analysis.checkers.pickles import Pickles
from jaxlint.analysis.checkers.ranks import Ranks
from jaxlint.analysis.checkers.refusals import Refusals
from jaxlint.analysis.checkers.removed_names import RemovedNames
from jaxlint.analysis.checkers.scatters import Scatters
from jaxlint.analysis.checkers.shape_agreement import ShapeAgreement
from jaxlint.analysis.checkers.stale_closures import Captures
from jaxlint.analysis.checkers.timings import Timings
from jaxlint.analysis.checkers.trace_side_effects import Escapes
from jaxlint.analysis.checkers.triangular_factors import TriangularFactors
from jaxlint.analysis.checkers.uninitialised import Uninitialised
from jaxlint.analysis.checkers.unrolling import Unrolling
from jaxlint.analysis.checkers.unsigned import NarrowIntegers, Products, Unsigned
from jaxlint.analysis.checkers.unsupported import Unsupported
from jaxlint.analysis.checkers.varying_statics import VaryingStatics
from jaxlint.analysis.checkers.widths import Widths
from jaxlint.analysis.events import Checker
from jaxlint.analysis.models.standard_library import StandardLibrary
from jaxlint.analysis.models.trained_parameters import TrainedParameters
from jaxlint.analysis.models.training_modes import TrainingModes
from jaxlint.analysis.training.averaged_weights import AveragedWeights
from jaxlint.analysis.training.kept_states import KeptStates
from jaxlint.analysis.training.layer_conventions import LayerConventions
from jaxlint.analysis.training.optimiser_chains import OptimiserChains
from jaxlint.analysis.training.optimiser_states import OptimiserStates
from jaxlint.analysis.training.optimiser_trees import OptimiserTrees
from jaxlint.analysis.training.optimisers import Optimisers
from jaxlint.analysis.training.step_sizes import StepSizes
from jaxlint.analysis.transforms.fresh_parts import FreshParts
from jaxlint.analysis.transforms.static_attributes import StaticAttributes
from jaxlint.analysis.transforms.stopped_gradients import StoppedGradients, StoppedTerms
from jaxlint.analysis.transforms.weak_arguments import WeakArguments

CHECKERS: tuple[type[Checker], ...] = (
    RemovedNames,
    NumpyOnly,
    LibraryAttributes,
    MissingArguments,
    NnxCalls,
    Refusals,
    StandardLibrary,
    Unsupported,
    ClassFields,
    FloatSizes,
    Ranks,
    HostCode,
    DebugPrints,
    JsonTexts,
    Pickles,
    Checkpoints,
    Checkify,
    MappedCallbacks,
    MappedBranches,
    Discards,
    OptimiserStates,
    Optimisers,
    OptimiserTrees,
    OptimiserChains,
    KeptStates,
    StepSizes,
    AveragedWeights,
    LayerConventions,
    TrainingModes,
    TrainedParameters,
    Handlers,
    LostStores,
    Logits,
    LoopBranches,
    EmptyRanges,
    LoopSyncs,
    Unrolling,
    Captures,
    Aliases,
    Timings,
    Escapes,
    Identity,
    Startup,
    Uninitialised,
    Widths,
    Bounds,
    Padding,
    Scatters,
    Unsigned,
    NarrowIntegers,
    Products,
    MaskedRows,
    Exponentials,
    TriangularFactors,
    ShapeAgreement,
    ReducedAxes,
    AttentionMasks,
    MisreadArguments,
    Shardings,
    DtypeAgreement,
    BooleanArithmetic,
    Precedence,
    LargeConstants,
    VaryingStatics,
    WeakArguments,
    FreshParts,
    StaticAttributes,
    StoppedGradients,
    StoppedTerms,
)
