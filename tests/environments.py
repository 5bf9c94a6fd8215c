"""Virtual environments of tests: they have what the environment of the tests has, and what a test installs."""

import importlib.util
import os
import site
import subprocess
import venv
from pathlib import Path

# Without an index, the build backend is the one that the extra `dev` installs.
BUILD = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []


class Environment:
    """A virtual environment in a folder."""

    def __init__(self, folder):
        venv.create(folder, with_pip=False)
        self.python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        [self.packages] = [
            path for path in folder.rglob("site-packages") if path.parent.name.startswith(("python", "Lib"))
        ]
        (self.packages / "tests.pth").write_text(
            f"import site; list(map(site.addsitedir, {site.getsitepackages()!r}))\n"
        )

    def install(self, *what):
        """Install distributions by pip, without their dependencies."""
        command = [self.python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", *BUILD, *map(str, what)]
        subprocess.run(command, check=True)

    def run(self, *words, folder, **options):
        """Run Python in a folder. Variables that are given stand beside those of the process."""
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}
        variables = {**kept, "COLUMNS": "300", **options.pop("variables", {})}
        command = [str(self.python), *words]
        return subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300, **options
        )


def project(folder, name, files, points, **settings):
    """A distribution to install: its files, and the plugins that it declares."""
    declared = "".join(f'{point} = "{value}"\n' for point, value in points.items())
    tops = sorted({Path(file).parts[0] for file in files})
    (folder / "pyproject.toml").write_text(
        f'[build-system]\nrequires = ["hatchling>=1.26"]\nbuild-backend = "hatchling.build"\n[project]\nname = "{name}"\nversion = "1.0"\n'
        f'[project.entry-points."jaxlint.plugins"]\n{declared}[tool.hatch.build.targets.wheel]\nonly-include = {tops}\n{settings.get("more", "")}'
    )
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    return folder
