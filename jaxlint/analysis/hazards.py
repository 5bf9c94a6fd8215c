"""All hazards that the analysis reports, for rules that are written elsewhere."""

from jaxlint.analysis.checkers.aliases import AugmentedAssignAlias
from jaxlint.analysis.checkers.arrays.exponentials import LogOfExponentials, UnshiftedSoftmax
from jaxlint.analysis.checkers.arrays.masked_rows import SoftmaxOfMaskedRows
from jaxlint.analysis.checkers.arrays.misread_arguments import MisreadArgument, ScheduleSteps
from jaxlint.analysis.checkers.arrays.padding import PaddedSizeResult
from jaxlint.analysis.checkers.backend_initialisation import ForkAfterJax, JaxAtImport, LateEnvironment, OptionAssigned
from jaxlint.analysis.checkers.boolean_arithmetic import BooleanSubtraction, ComparisonPrecedence
from jaxlint.analysis.checkers.bounds import OutOfBoundsIndex, WrappedIndex
from jaxlint.analysis.checkers.checkify import CheckifyNotFunctionalised
from jaxlint.analysis.checkers.checkpoints import (
    PlainCheckpoint,
    RelativeCheckpointPath,
    TreeAsCheckpointArgs,
)
from jaxlint.analysis.checkers.class_fields import FieldMisuse, MutableFieldDefault
from jaxlint.analysis.checkers.debug_prints import (
    DebugPrintArguments,
    DebugPrintLeadingBrace,
    DebugPrintOfFormattedString,
)
from jaxlint.analysis.checkers.discards import DiscardedUpdate
from jaxlint.analysis.checkers.dtype_agreement import DtypeMismatch
from jaxlint.analysis.checkers.empty_ranges import LoopCountsDown
from jaxlint.analysis.checkers.float_sizes import FloatShape
from jaxlint.analysis.checkers.handlers import ExceptionNeverRaised
from jaxlint.analysis.checkers.host_code import CallbackCapturesTracer
from jaxlint.analysis.checkers.identity import IdentityComparison
from jaxlint.analysis.checkers.json_texts import ArrayAsJson
from jaxlint.analysis.checkers.large_constants import LargeCapturedConstant
from jaxlint.analysis.checkers.library_attributes import UnknownAttribute
from jaxlint.analysis.checkers.logits import ProbabilitiesAsLogits
from jaxlint.analysis.checkers.loop_branches import LoopVariableInBranch
from jaxlint.analysis.checkers.loop_syncs import HostSyncInLoop
from jaxlint.analysis.checkers.lost_stores import ArgumentContainerMutated
from jaxlint.analysis.checkers.mapped_callbacks import EffectInMappedBranch, PureCallbackUnderVmap
from jaxlint.analysis.checkers.missing_arguments import MissingArgument
from jaxlint.analysis.checkers.numpy_only import NumpyOnlyArrayMethod
from jaxlint.analysis.checkers.pickles import NotPicklable
from jaxlint.analysis.checkers.ranks import IndexCountMismatch
from jaxlint.analysis.checkers.refusals import RefusedArgument
from jaxlint.analysis.checkers.scatters import LossyScatter, RepeatedScatter
from jaxlint.analysis.checkers.shape_agreement import (
    EveryIndexOfEachRow,
    IndexOfWholeArray,
    PredictionBroadcast,
    ShapeMismatch,
)
from jaxlint.analysis.checkers.stale_attributes import StaleAttribute
from jaxlint.analysis.checkers.stale_closures import StaleCapture
from jaxlint.analysis.checkers.timings import TimingWithoutBlock
from jaxlint.analysis.checkers.trace_side_effects import SideEffectInTracedCode, TracerLeak
from jaxlint.analysis.checkers.triangular_factors import WrongTriangle
from jaxlint.analysis.checkers.uninitialised import UninitialisedEmpty
from jaxlint.analysis.checkers.unknown_names import UnknownApi
from jaxlint.analysis.checkers.unrolling import UnrolledLoop
from jaxlint.analysis.checkers.unsigned import NarrowIntegerOverflow, ProductOverflow, UnsignedDifference
from jaxlint.analysis.checkers.unsupported import UnsupportedArgument
from jaxlint.analysis.checkers.varying_statics import GrowingArgument, LongestOfBatchArgument, VaryingStaticArgument
from jaxlint.analysis.checkers.widths import X64SilentlyTruncated
from jaxlint.analysis.domain.hazards import (
    BooleanMaskIndex,
    BooleanMaskUpdate,
    BooleanOperatorOnTracer,
    BranchOnTracer,
    BuiltinReductionOnTracer,
    ContainerIndexedByTracer,
    DataDependentShape,
    FormatOfTracer,
    HashOfTracer,
    HostMethodOnTracer,
    ItemAssignment,
    ItemOnTracer,
    IterateOverScalarTracer,
    KeyReuse,
    KeyReuseInLoop,
    KeySharedAcrossBatch,
    ListIndex,
    MutatingCallOnArray,
    NameUsed,
    NonScalarConversion,
    NumpyArrayIndexedByTracer,
    NumpyOnTracer,
    ParameterUsed,
    PrintOfTracer,
    PythonCastOnTracer,
    PythonDebuggerInTracedCode,
    RangeOverTracer,
    ShapeFromTracer,
    SilentNumpyComparison,
    TracedSliceBound,
    TracedStaticParameter,
    TracerStoredInNumpyArray,
    TypeTestOnTracer,
    UnsupportedOperation,
    WhileOnTracer,
)
from jaxlint.analysis.domain.symbolic import SymbolicDimensionAsInt, SymbolicDimensionCompared
from jaxlint.analysis.keys.constant_keys import ConstantKey, ConstantMask, DiscardedSplit, KeyAsDefault
from jaxlint.analysis.keys.consumption import LegacyKey
from jaxlint.analysis.keys.key_arrays import BatchOfKeysToSampler, SplitCountMismatch
from jaxlint.analysis.keys.layer_keys import EquinoxLayerWithoutKey
from jaxlint.analysis.keys.sampler_arguments import SamplerArguments
from jaxlint.analysis.keys.typed_keys import TypedKeyMisuse
from jaxlint.analysis.models.equinox import EquinoxModuleMutation, FilteredModuleCalled, JaxTransformOnEquinoxModule
from jaxlint.analysis.models.haiku import (
    HaikuApplyArguments,
    HaikuKeyShared,
    HaikuOutsideTransform,
    HaikuStateWithoutState,
    HaikuTransformNotLifted,
    JaxTransformInHaiku,
)
from jaxlint.analysis.models.haiku_init import HaikuInitInTransform
from jaxlint.analysis.models.host_effects import HostClockOrIoInTracedCode, HostRandomInTracedCode
from jaxlint.analysis.models.host_views import ReadonlyHostView
from jaxlint.analysis.models.iterators import IteratorInTracedCode
from jaxlint.analysis.models.linen import JaxTransformInLinen, LinenDefinition, LinenMembersAlike, LinenRngShared
from jaxlint.analysis.models.linen_scope import FlaxApplyMisuse
from jaxlint.analysis.models.nnx import NnxListAttribute, NnxMembersAlike, NnxModuleThroughJaxTransform
from jaxlint.analysis.models.pytree_classes import PytreeComparesArray, PytreeInitConverts, PytreeLosesField
from jaxlint.analysis.models.trained_parameters import InitialParametersUsed
from jaxlint.analysis.models.training_modes import AverageInTraining, EvaluationInTrainingMode
from jaxlint.analysis.training.averaged_weights import SwappedAverage
from jaxlint.analysis.training.kept_states import KeptState
from jaxlint.analysis.training.layer_conventions import TorchConvention
from jaxlint.analysis.training.optimiser_chains import AscendingChain, LateTransformation, MaskedOptimiser
from jaxlint.analysis.training.optimiser_states import OptimiserStateAnew, OptimiserStateLost, StateDiscarded
from jaxlint.analysis.training.optimiser_trees import CallableLabels, PartialGradients, UnknownLabel, UntrainableLeaves
from jaxlint.analysis.training.optimisers import (
    GradientsAsUpdates,
    MisplacedOptimiserArgument,
    MissingOptimiserArgument,
    SwappedOptimiserResults,
)
from jaxlint.analysis.training.step_sizes import FixedLearningRate
from jaxlint.analysis.transforms.agreement import UnhashableStaticArgument, UnknownStaticArgument, VmapAxesMismatch
from jaxlint.analysis.transforms.axis_names import UnboundAxisName
from jaxlint.analysis.transforms.callbacks import CallbackSignature
from jaxlint.analysis.transforms.carries import BranchStructureMismatch, UnlikeTrees
from jaxlint.analysis.transforms.counters import NarrowCount
from jaxlint.analysis.transforms.custom_rules import CustomRuleSignature
from jaxlint.analysis.transforms.donations import DonatedArgumentReused
from jaxlint.analysis.transforms.exports import SymbolicDimensionUnderivable
from jaxlint.analysis.transforms.flat_gradients import ZeroGradient
from jaxlint.analysis.transforms.fresh_parts import FreshPart
from jaxlint.analysis.transforms.gradients import GradOfIntegerOrKey, GradOfNonScalar
from jaxlint.analysis.transforms.missing_derivatives import MissingDerivative
from jaxlint.analysis.transforms.not_arrays import NonArrayArgument
from jaxlint.analysis.transforms.recompilation import JitOfFreshCallable
from jaxlint.analysis.transforms.recursion import RecursionInTracedCode
from jaxlint.analysis.transforms.returns import NonArrayReturn
from jaxlint.analysis.transforms.singular import WhereNanGradient
from jaxlint.analysis.transforms.static_attributes import StaticAttributeChanges
from jaxlint.analysis.transforms.static_self import JitMethodWithoutStaticSelf
from jaxlint.analysis.transforms.stopped_gradients import StopGradientWhenMade, StoppedTerm
from jaxlint.analysis.transforms.tangents import ReverseModeThroughWhile, UndifferentiableCallback
from jaxlint.analysis.transforms.weak_arguments import WeakArgument
from jaxlint.analysis.transforms.zero_norms import SingularGradient

__all__ = [
    "ArgumentContainerMutated",
    "ArrayAsJson",
    "AscendingChain",
    "AugmentedAssignAlias",
    "AverageInTraining",
    "BatchOfKeysToSampler",
    "BooleanMaskIndex",
    "BooleanMaskUpdate",
    "BooleanOperatorOnTracer",
    "BooleanSubtraction",
    "BranchOnTracer",
    "BranchStructureMismatch",
    "BuiltinReductionOnTracer",
    "CallableLabels",
    "CallbackCapturesTracer",
    "CallbackSignature",
    "CheckifyNotFunctionalised",
    "ComparisonPrecedence",
    "ConstantKey",
    "ConstantMask",
    "ContainerIndexedByTracer",
    "CustomRuleSignature",
    "DataDependentShape",
    "DebugPrintArguments",
    "DebugPrintLeadingBrace",
    "DebugPrintOfFormattedString",
    "DiscardedSplit",
    "DiscardedUpdate",
    "DonatedArgumentReused",
    "DtypeMismatch",
    "EffectInMappedBranch",
    "EquinoxLayerWithoutKey",
    "EquinoxModuleMutation",
    "EvaluationInTrainingMode",
    "EveryIndexOfEachRow",
    "ExceptionNeverRaised",
    "FieldMisuse",
    "FilteredModuleCalled",
    "FixedLearningRate",
    "FlaxApplyMisuse",
    "FloatShape",
    "ForkAfterJax",
    "FormatOfTracer",
    "FreshPart",
    "GradOfIntegerOrKey",
    "GradOfNonScalar",
    "GradientsAsUpdates",
    "GrowingArgument",
    "HaikuApplyArguments",
    "HaikuInitInTransform",
    "HaikuKeyShared",
    "HaikuOutsideTransform",
    "HaikuStateWithoutState",
    "HaikuTransformNotLifted",
    "HashOfTracer",
    "HostClockOrIoInTracedCode",
    "HostMethodOnTracer",
    "HostRandomInTracedCode",
    "HostSyncInLoop",
    "IdentityComparison",
    "IndexCountMismatch",
    "IndexOfWholeArray",
    "InitialParametersUsed",
    "ItemAssignment",
    "ItemOnTracer",
    "IterateOverScalarTracer",
    "IteratorInTracedCode",
    "JaxAtImport",
    "JaxTransformInHaiku",
    "JaxTransformInLinen",
    "JaxTransformOnEquinoxModule",
    "JitMethodWithoutStaticSelf",
    "JitOfFreshCallable",
    "KeptState",
    "KeyAsDefault",
    "KeyReuse",
    "KeyReuseInLoop",
    "KeySharedAcrossBatch",
    "LargeCapturedConstant",
    "LateEnvironment",
    "LateTransformation",
    "LegacyKey",
    "LinenDefinition",
    "LinenMembersAlike",
    "LinenRngShared",
    "ListIndex",
    "LogOfExponentials",
    "LongestOfBatchArgument",
    "LoopCountsDown",
    "LoopVariableInBranch",
    "LossyScatter",
    "MaskedOptimiser",
    "MisplacedOptimiserArgument",
    "MisreadArgument",
    "MissingArgument",
    "MissingDerivative",
    "MissingOptimiserArgument",
    "MutableFieldDefault",
    "MutatingCallOnArray",
    "NameUsed",
    "NarrowCount",
    "NarrowIntegerOverflow",
    "NnxListAttribute",
    "NnxMembersAlike",
    "NnxModuleThroughJaxTransform",
    "NonArrayArgument",
    "NonArrayReturn",
    "NonScalarConversion",
    "NotPicklable",
    "NumpyArrayIndexedByTracer",
    "NumpyOnTracer",
    "NumpyOnlyArrayMethod",
    "OptimiserStateAnew",
    "OptimiserStateLost",
    "OptionAssigned",
    "OutOfBoundsIndex",
    "PaddedSizeResult",
    "ParameterUsed",
    "PartialGradients",
    "PlainCheckpoint",
    "PredictionBroadcast",
    "PrintOfTracer",
    "ProbabilitiesAsLogits",
    "ProductOverflow",
    "PureCallbackUnderVmap",
    "PythonCastOnTracer",
    "PythonDebuggerInTracedCode",
    "PytreeComparesArray",
    "PytreeInitConverts",
    "PytreeLosesField",
    "RangeOverTracer",
    "ReadonlyHostView",
    "RecursionInTracedCode",
    "RefusedArgument",
    "RelativeCheckpointPath",
    "RepeatedScatter",
    "ReverseModeThroughWhile",
    "SamplerArguments",
    "ScheduleSteps",
    "ShapeFromTracer",
    "ShapeMismatch",
    "SideEffectInTracedCode",
    "SilentNumpyComparison",
    "SingularGradient",
    "SoftmaxOfMaskedRows",
    "SplitCountMismatch",
    "StaleAttribute",
    "StaleCapture",
    "StateDiscarded",
    "StaticAttributeChanges",
    "StopGradientWhenMade",
    "StoppedTerm",
    "SwappedAverage",
    "SwappedOptimiserResults",
    "SymbolicDimensionAsInt",
    "SymbolicDimensionCompared",
    "SymbolicDimensionUnderivable",
    "TimingWithoutBlock",
    "TorchConvention",
    "TracedSliceBound",
    "TracedStaticParameter",
    "TracerLeak",
    "TracerStoredInNumpyArray",
    "TreeAsCheckpointArgs",
    "TypeTestOnTracer",
    "TypedKeyMisuse",
    "UnboundAxisName",
    "UndifferentiableCallback",
    "UnhashableStaticArgument",
    "UninitialisedEmpty",
    "UnknownApi",
    "UnknownAttribute",
    "UnknownLabel",
    "UnknownStaticArgument",
    "UnlikeTrees",
    "UnrolledLoop",
    "UnshiftedSoftmax",
    "UnsignedDifference",
    "UnsupportedArgument",
    "UnsupportedOperation",
    "UntrainableLeaves",
    "VaryingStaticArgument",
    "VmapAxesMismatch",
    "WeakArgument",
    "WhereNanGradient",
    "WhileOnTracer",
    "WrappedIndex",
    "WrongTriangle",
    "X64SilentlyTruncated",
    "ZeroGradient",
]
