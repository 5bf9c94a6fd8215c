"""Areas and moments of a batch of polygons."""
import jax
import jax.numpy as jnp

from polygon import Polygon


def rotate(polygon: Polygon, angle) -> Polygon:
    c, s = jnp.cos(angle), jnp.sin(angle)
    matrix = jnp.array([[c, -s], [s, c]])
    return Polygon(polygon.vertices @ matrix.T, polygon.density)


def polar_moment(polygon: Polygon):
    centred = polygon.vertices - polygon.vertices.mean(axis=0)
    return polygon.mass() * jnp.mean(jnp.sum(centred**2, axis=-1))


def summary(polygon: Polygon, angle):
    turned = rotate(polygon, angle)
    extent = turned.vertices.max(axis=0) - turned.vertices.min(axis=0)
    return {"mass": turned.mass(), "moment": polar_moment(turned), "extent": extent}


def main():
    square = jnp.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    scales = jnp.array([1.0, 2.0, 0.5])
    batch = Polygon(scales[:, None, None] * square, density=jnp.array([1.0, 1.0, 8.0]))
    angles = jnp.array([0.0, 0.3, 0.785398])

    shapes = jax.tree.map(jnp.shape, batch)
    print("vertices", shapes.vertices, "density", shapes.density)
    table = jax.jit(jax.vmap(summary))(batch, angles)
    for i in range(3):
        extent = [f"{float(v):.2f}" for v in table["extent"][i]]
        print(f"mass {float(table['mass'][i]):.2f}  moment {float(table['moment'][i]):.2f}  extent {extent}")


if __name__ == "__main__":
    main()
