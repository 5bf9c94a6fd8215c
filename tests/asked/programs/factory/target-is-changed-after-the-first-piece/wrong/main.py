"""Heat pieces to different temperatures."""

from planner import Planner


def main():
    planner = Planner(target=60.0)
    temperature = 20.0
    for target in (60.0, 30.0):
        planner.target = target  # mistake
        plan = planner.plan(temperature)
        path = planner.run(temperature, plan)
        print("target", target, "reached", bool(abs(float(path[-3:].mean()) - target) < 8.0))


if __name__ == "__main__":
    main()
