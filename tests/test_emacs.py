"""Emacs, without a screen: Eglot shows the findings, and applies what mends the file."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "editors.md"
CODE = (
    "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef step(x):\n    y = jnp.zeros(3)\n    return y[[0, 1]] + x\n"
)

# Waits for the findings, takes the action that mends all that can be mended safely, and says what it saw.
SCRIPT = """
(require 'package)
(package-initialize)
(require 'eglot)
(load-file "setup.el")
(setq eglot-sync-connect 60)
(defun wait-until (ready)
  (let ((end (+ (float-time) 60)))
    (while (not (funcall ready))
      (when (> (float-time) end) (error "Nothing happened"))
      (accept-process-output nil 0.05))))
(find-file "model.py")
(python-mode)
(call-interactively 'eglot)
(flymake-start)
(wait-until (lambda () (flymake-diagnostics)))
(let* ((found (car (flymake-diagnostics)))
       (seen (list (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found))))
  (goto-char (flymake-diagnostic-beg found))
  (with-temp-file "seen.json" (insert (json-encode seen))))
(eglot-code-actions (point-min) (point-max) "source.fixAll.jaxlint" t)
(wait-until (lambda () (buffer-modified-p)))
(save-buffer)
(wait-until (lambda () (null (flymake-diagnostics))))
(eglot-shutdown (eglot-current-server))
"""


@pytest.fixture(scope="module")
def emacs():
    program = shutil.which("emacs")
    if program is None:
        pytest.skip("there is no Emacs on this machine")
    asked = [program, "--batch", "--eval", "(progn (require 'package) (package-initialize) (require 'eglot))"]
    if subprocess.run(asked, capture_output=True, timeout=60).returncode:
        pytest.skip("this Emacs has no Eglot, which is part of Emacs from version 29")
    return program


def test_findings_and_fixes_as_the_page_sets_it_up(emacs, tmp_path):
    (setup,) = re.findall(r"```elisp\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    command = " ".join(json.dumps(word) for word in (sys.executable, "-m", "jaxlint", "server"))
    assert '"jaxlint" "server"' in setup
    (tmp_path / "setup.el").write_text(setup.replace('"jaxlint" "server"', command))
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "model.py").write_text(CODE)
    (tmp_path / "script.el").write_text(SCRIPT)
    run = subprocess.run(
        [emacs, "--batch", "-l", "script.el"], cwd=tmp_path, capture_output=True, text=True, timeout=180
    )
    assert run.returncode == 0, run.stderr
    row, text = json.loads((tmp_path / "seen.json").read_text())
    assert row == 8 and "JAX208" in text, text
    assert "return y[jnp.array([0, 1])] + x" in (tmp_path / "model.py").read_text()
