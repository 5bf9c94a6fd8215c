"""python-lsp-server, which runs flake8, which runs the plugin: an editor that knows nothing of jaxlint shows its findings."""

import json
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "editors.md"
CODE = "import jax\n\n\n@jax.jit\ndef step(x):\n    return x if x > 2 else -x\n"


@pytest.fixture
def server(tmp_path):
    pytest.importorskip("pylsp", reason="python-lsp-server is not installed")
    run = subprocess.Popen([sys.executable, "-m", "pylsp"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    watchdog = threading.Timer(60, run.kill)  # what is read from it then ends
    watchdog.start()
    yield run
    watchdog.cancel()
    run.kill()
    run.communicate()


def send(server, method, **params):
    body = json.dumps(
        {"jsonrpc": "2.0", "method": method, "params": params, **({"id": 1} if method == "initialize" else {})}
    )
    server.stdin.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
    server.stdin.flush()


def receive(server):
    length = 0
    while line := server.stdout.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    assert length, "the server has ended"
    return json.loads(server.stdout.read(length))


def test_findings_as_the_page_sets_it_up(server, tmp_path):
    section = PAGE.read_text(encoding="utf-8").partition("## python-lsp-server")[2]
    settings = json.loads(re.search(r"```json\n(.*?)```", section, re.DOTALL)[1])
    settings["pylsp"]["plugins"]["flake8"]["executable"] = str(Path(sys.executable).with_name("flake8"))
    (tmp_path / "model.py").write_text(CODE)
    uri = (tmp_path / "model.py").as_uri()
    send(server, "initialize", processId=None, rootUri=tmp_path.as_uri(), capabilities={})
    while "result" not in receive(server):
        pass
    send(server, "initialized")
    send(server, "workspace/didChangeConfiguration", settings=settings)
    send(server, "textDocument/didOpen", textDocument={"uri": uri, "languageId": "python", "version": 1, "text": CODE})
    found = []
    while not found:
        message = receive(server)
        if message.get("method") == "textDocument/publishDiagnostics":
            found = [each for each in message["params"]["diagnostics"] if each["source"] == "flake8"]
    assert [(each["code"], each["range"]["start"]) for each in found] == [("JAX103", {"line": 5, "character": 16})]
