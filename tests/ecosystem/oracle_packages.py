"""The packages of the oracle, which of their tests run, and which half of them may be looked into.

Nothing is fitted to the *counted* half: of it the oracle prints sums, and no file or line. The half of a package
follows from its name, so that nobody chooses it. The seven with which the oracle began had all been looked into.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import sources

PINS = sources.REQUIREMENTS.with_name("oracle.txt")


@dataclass(frozen=True)
class Package:
    name: str  # as in requirements.txt or oracle.txt
    module: str
    tests: tuple[str, ...]  # patterns
    path: str = "."  # the folder from which it is imported
    is_read: bool = True  # by who imports it; else its names are known from outside, and their code says nothing


def pins() -> dict[str, sources.Pin]:
    """The sdists of the oracle's packages, those included that are not linted as real code."""
    return {**sources.pins(), **sources.pins(PINS)}


def is_counted(name: str) -> bool:
    """Whether a package belongs to the half that is only ever counted."""
    return name not in FIRST and int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 1


def _below(folder: str, names: str, form: str = "{}_test") -> tuple[str, ...]:
    return tuple(f"{folder}/{form.format(name)}.py" for name in names.split())


def _tests(names: str, folder: str = "tests") -> tuple[str, ...]:
    return _below(folder, names, "test_{}")


FIRST = ("rlax", "mctx", "optax", "distrax", "dm-haiku", "flax", "tinygp")
PACKAGES = {
    each.name: each
    for each in (
        Package("rlax", "rlax", ("rlax/_src/*_test.py",)),
        Package("mctx", "mctx", ("mctx/_src/tests/*_test.py",)),
        Package(
            "optax", "optax",
            _below("optax/_src", "update numerics linear_algebra transform base utils lookahead")
            + _below("optax/losses", "_regression _smoothing _fenchel_young _self_supervised _classification _ranking")
            + _below("optax/transforms", "_clipping _adding _constraining _conditionality _combining _accumulation _masking")
            + _below("optax/tree_utils", "_tree_math _random _casting")
            + ("optax/projections/_projections_test.py", "optax/contrib/_s*_test.py"),
        ),
        Package(
            "distrax", "distrax",
            _below("distrax/_src/utils", "math monte_carlo transformations importance_sampling jittable hmm")
            + _below("distrax/_src/bijectors", "shift block sigmoid tanh scalar_affine gumbel_cdf chain diag_linear inverse")
            + _below("distrax/_src/distributions", "greedy softmax straight_through uniform normal gamma laplace bernoulli mvn_diag"),
        ),
        Package(
            "dm-haiku", "haiku",
            _below(
                "haiku/_src",
                "basic embed bias dot random rms_norm layer_norm group_norm batch_norm moving_averages attention initializers"
                " pad pool spectral_norm stateful recurrent lift",
            )
            + _below("haiku/_src/nets", "mlp vqvae"),
        ),
        Package(
            "flax", "flax",
            ("tests/linen/linen_[blr]*_test.py", "tests/linen/linen_combinators_test.py", "tests/linen/linen_attention_test.py",
             "tests/linen/initializers_test.py", "tests/linen/linen_test.py"),
            is_read=False,
        ),
        Package("tinygp", "tinygp", ("tests/test_noise.py", "tests/test_transforms.py", "tests/test_kernels/*.py"), "src"),
        Package(
            "blackjax", "blackjax",
            _tests("proposal trajectory integrators metrics barker mala random_walk_without_chex uturn", "tests/mcmc")
            + _tests("mass_matrix step_size", "tests/adaptation")
            + _tests("solver resampling smc_ess", "tests/smc")
            + _tests("optimizers", "tests/optimizers"),
        ),
        Package("chex", "chex", _below("chex/_src", "asserts asserts_chexify dataclass variants dimensions")),
        Package("dm-pix", "dm_pix", _below("dm_pix/_src", "depth_and_space interpolation patch metrics color_conversion augment")),
        Package(
            "dynamax", "dynamax",
            _below("dynamax/linear_gaussian_ssm", "inference info_inference models")
            + _below("dynamax/hidden_markov_model", "inference")
            + _below("dynamax/nonlinear_gaussian_ssm", "inference inference_ukf")
            + _below("dynamax/generalized_gaussian_ssm", "inference models")
            + ("dynamax/parameters_test.py", "dynamax/utils/utils_test.py", "dynamax/utils/distributions_test.py"),
        ),
        Package("e3nn-jax", "e3nn_jax",
            _below("tests/_src", "activation basic radial so3 scatter rotation gate grad irreps irreps_array linear_equinox so3grid")
            + ("tests/_src/spherical_harmonics/sh_test.py",)),
        Package("flashbax", "flashbax",
            _below("flashbax/buffers", "flat_buffer item_buffer trajectory_buffer prioritised_item_buffer sum_tree trajectory_queue")),
        Package("flowjax", "flowjax",
            ("tests/test_bijections/*.py", "tests/test_train/*.py") + _tests("distributions flows masks utils root_finding")),
        Package("gpjax", "gpjax",
            _tests("base computations nonstationary stationary utils spectral_density", "tests/test_kernels")
            + _tests("mean_functions likelihoods gps linalg integrators parameters")),
        Package("gymnax", "gymnax", _tests("spaces terminal_states differentiability registration")),
        Package("haliax", "haliax",
            ("tests/core_test.py",) + _tests("attention axis dot einsum hof nn ops random rearrange scan"), "src"),
        Package("interpax", "interpax", _tests("interpolate")),
        Package("jaxlie", "jaxlie", _tests("autodiff broadcast group_axioms jac_left jlog manifold operations")),
        Package("jraph", "jraph", ("jraph/_src/*_test.py",)),
        Package("matfree", "matfree", ("tests/*/test_*.py", "tests/test_stochtrace/*/test_*.py", "tests/test_lstsq.py")),
        Package("navix", "navix", _tests("actions entities events grid observations spaces tasks terminations")),
        Package("numpyro", "numpyro",
            _tests("constraints diagnostics distributions_mixture distributions_util flows handlers optimizers transforms util", "test")),
        Package("orthax", "orthax", _tests("chebyshev hermite legendre orth recurrence")),
        Package("penzai", "penzai",
            ("tests/nn/*_test.py",) + _below("tests/core", "named_axes variables partitioning struct_pytree_dataclass selectors")
            + _below("tests/models", "simple_mlp transformer_consistency")),
        Package("quax", "quax", ("tests/usage/test_*.py", "tests/unit/test_core.py", "tests/unit/test_scan.py"), "src"),
        Package("signax", "signax", _tests("module signature tensor_ops utils"), "src"),
        # New to the project: linted nowhere before.
        Package("bijx", "bijx",
            _tests("bijections_analytic bijections_core bijections_coupling bijections_radial distributions fourier_utils lattice_scalar"),
            "src"),
        Package("exponax", "exponax",
            _tests("etdrk filter_masks ic interpolation metrics nonlinear_funs repeated_stepper spectral spectrum wave")),
        Package("flowmc", "flowMC", ("tests/unit/test_*.py",), "src"),
        Package("kfac-jax", "kfac_jax", _tests("estimator graph_matcher tracer utils")),
        Package("klax", "klax", _tests("initializers losses nn tools training wrappers")),
        Package("paramax", "paramax", ("tests/test_*.py",)),
        Package("pgx", "pgx",
            _tests("animal_shogi connect_four go hex kuhn_poker leduc_holdem othello play2048 sparrow_mahjong tic_tac_toe")),
        Package("probdiffeq", "probdiffeq",
            ("tests/test_util/test_*.py", "tests/test_probdiffeq/test_*/test_*.py", "tests/test_probdiffeq/test_*.py", "tests/test_ivpsolve/test_c*.py")),
        Package("quadax", "quadax", _tests("acceleration adaptive fixed_order romberg sampled")),
        Package("traceax", "traceax", ("tests/test_trace.py",), "src"),
    )
}  # fmt: skip
