import jax
import jax.numpy as jnp

from controllers import PIDController, PIDGains

DT = 0.02
controller = PIDController(PIDGains(), limit=5.0)


def closed_loop(target, q0):
    def step(carry, _):
        q, qd, integral = carry
        error = target - q
        integral = integral + DT * error
        torque = controller.with_deadband(error, integral, -qd)
        qdd = torque - 0.3 * qd - 0.5 * jnp.sin(q)
        qd = qd + DT * qdd
        q = q + DT * qd
        return (q, qd, integral), error

    init = (q0, jnp.zeros_like(q0), jnp.zeros_like(q0))
    (q, _, _), errors = jax.lax.scan(step, init, None, length=500)
    return q, errors


def main():
    target = jnp.array([0.7, -0.4, 1.1])
    q, errors = jax.jit(closed_loop)(target, jnp.zeros(3))
    rms = jnp.sqrt((errors**2).mean(axis=0))
    print("final joint angles", [round(float(v), 3) for v in q])
    print("rms error", [round(float(v), 3) for v in rms])


if __name__ == "__main__":
    main()
