"""Neovim, without a screen: it shows the findings, and applies a quick fix."""

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

# Waits for the findings, takes the preferred quick fix, and says what it saw.
SCRIPT = """
local function wait(ready) assert(vim.wait(60000, ready, 50), "nothing happened") end
vim.cmd("edit model.py")
wait(function() return #vim.diagnostic.get(0) > 0 end)
local seen = {}
for _, each in ipairs(vim.diagnostic.get(0)) do
  table.insert(seen, { code = each.code, row = each.lnum, column = each.col, source = each.source })
end
vim.api.nvim_win_set_cursor(0, { 8, 11 })
local asked = vim.lsp.util.make_range_params(0, "utf-16")
asked.context = { diagnostics = {} }
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeAction", asked, 60000)) do
  for _, action in ipairs(answer.result) do
    if action.isPreferred then
      for _, resolved in pairs(vim.lsp.buf_request_sync(0, "codeAction/resolve", action, 60000)) do
        vim.lsp.util.apply_workspace_edit(resolved.result.edit, "utf-16")
      end
    end
  end
end
wait(function() return vim.api.nvim_buf_get_lines(0, 7, 8, false)[1]:find("jnp.array") end)
wait(function() return #vim.diagnostic.get(0) == 0 end)
vim.cmd("write")
vim.fn.writefile({ vim.json.encode(seen) }, "seen.json")
vim.cmd("qall!")
"""


# Waits for what a file that is not open shows in the open one.
HELPER_ALONE = """
vim.cmd("edit model.py")
assert(vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50), "nothing happened")
local seen = {}
for _, each in ipairs(vim.diagnostic.get(0)) do
  table.insert(seen, { code = each.code, row = each.lnum, column = each.col, source = each.source })
end
vim.fn.writefile({ vim.json.encode(seen) }, "seen.json")
vim.cmd("qall!")
"""


@pytest.fixture
def seen(tmp_path):
    """Runs a script in Neovim as the page sets it up; gives the findings that the script saw."""
    if shutil.which("nvim") is None:
        pytest.skip("there is no Neovim on this machine")

    def run(script):
        version = subprocess.run(["nvim", "--version"], capture_output=True, text=True).stdout
        major, minor = map(int, re.search(r"v(\d+)\.(\d+)", version).groups())
        snippets = re.findall(r"```lua\n(.*?)```", PAGE.read_text(), re.DOTALL)
        setup = snippets[0 if (major, minor) >= (0, 11) else 1 if (major, minor) >= (0, 8) else 2]
        command = json.dumps([sys.executable, "-m", "jaxlint", "server"])[1:-1]
        (tmp_path / "pyproject.toml").write_text("")
        (tmp_path / "setup.lua").write_text(setup.replace('"jaxlint", "server"', command))
        (tmp_path / "script.lua").write_text(script)
        done = subprocess.run(
            ["nvim", "--headless", "--clean", "-c", "filetype on", "-c", "luafile setup.lua", "-c", "luafile script.lua", "-c", "qall!"],
            cwd=tmp_path, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert (tmp_path / "seen.json").exists(), done.stderr
        return json.loads((tmp_path / "seen.json").read_text())

    return run


def test_findings_and_quick_fixes_as_the_page_sets_it_up(tmp_path, seen):
    (tmp_path / "model.py").write_text(CODE)
    assert seen(SCRIPT) == [{"code": "JAX208", "row": 7, "column": 11, "source": "jaxlint"}]
    assert "return y[jnp.array([0, 1])] + x" in (tmp_path / "model.py").read_text()


def test_a_helper_alone_is_told_what_a_file_on_the_disk_shows(tmp_path, seen):
    (tmp_path / "model.py").write_text("def choose(x):\n    return x if x > 2 else -x\n")
    (tmp_path / "train.py").write_text("import jax\nfrom model import choose\n\nstep = jax.jit(choose)\nstep(3.0)\n")
    assert seen(HELPER_ALONE) == [{"code": "JAX103", "row": 1, "column": 16, "source": "jaxlint"}]
