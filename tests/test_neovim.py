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
    if action.isPreferred then vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
  end
end
wait(function() return vim.api.nvim_buf_get_lines(0, 7, 8, false)[1]:find("jnp.array") end)
wait(function() return #vim.diagnostic.get(0) == 0 end)
vim.cmd("write")
vim.fn.writefile({ vim.json.encode(seen) }, "seen.json")
vim.cmd("qall!")
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="there is no Neovim on this machine")
def test_findings_and_quick_fixes_as_the_page_sets_it_up(tmp_path):
    version = subprocess.run(["nvim", "--version"], capture_output=True, text=True).stdout
    major, minor = map(int, re.search(r"v(\d+)\.(\d+)", version).groups())
    snippets = re.findall(r"```lua\n(.*?)```", PAGE.read_text(), re.DOTALL)
    setup = snippets[0 if (major, minor) >= (0, 11) else 1 if (major, minor) >= (0, 8) else 2]
    command = json.dumps([sys.executable, "-m", "jaxlint", "server"])[1:-1]
    setup = setup.replace('"jaxlint", "server"', command)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "model.py").write_text(CODE)
    (tmp_path / "setup.lua").write_text(setup)
    (tmp_path / "script.lua").write_text(SCRIPT)
    run = subprocess.run(
        ["nvim", "--headless", "--clean", "-c", "filetype on", "-c", "luafile setup.lua", "-c", "luafile script.lua", "-c", "qall!"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (tmp_path / "seen.json").exists(), run.stderr
    assert json.loads((tmp_path / "seen.json").read_text()) == [
        {"code": "JAX208", "row": 7, "column": 11, "source": "jaxlint"}
    ]
    assert "return y[jnp.array([0, 1])] + x" in (tmp_path / "model.py").read_text()
