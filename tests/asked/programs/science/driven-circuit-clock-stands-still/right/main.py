"""Response of a series RLC circuit to a sinusoidal source."""
import jax.numpy as jnp

from circuit import RLCCircuit, SineSource


def run(circuit: RLCCircuit, steps: int):
    state = jnp.zeros(2)
    trace = []
    for _ in range(steps):
        state = circuit.step(state)
        trace.append(state)
    return jnp.stack(trace)


def main():
    source = SineSource(amplitude=5.0, frequency=1.0)
    circuit = RLCCircuit(resistance=0.5, inductance=1.0, capacitance=0.2, source=source, dt=0.01)
    trace = run(circuit, 400)
    charge, current = trace[:, 0], trace[:, 1]
    print(f"peak current     {float(jnp.max(jnp.abs(current))):.3f} A")
    print(f"charge at end    {float(charge[-1]):.3f} C")
    crossings = int(jnp.sum(current[1:] * current[:-1] < 0))
    print(f"sign changes     {crossings}")


if __name__ == "__main__":
    main()
