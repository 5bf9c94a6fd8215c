"""The client side of VS Code's protocol library, which its extensions use, told what VS Code tells a server.

VS Code itself does not start without a screen; its library counts, applies edits and reads messages as it does.
"""

import json
import shutil
import subprocess
import sys

import pytest

LIBRARIES = ["vscode-languageserver-protocol@3.17.5", "vscode-languageserver-textdocument@1.0.12"]
CODE = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef step(x):\n    '🦊'; y = jnp.zeros(3)\n    '🦊🦊'; return y[[0, 1]] + x\n"

SCRIPT = """
const { spawn } = require('child_process')
const protocol = require('vscode-languageserver-protocol/node')
const { TextDocument } = require('vscode-languageserver-textdocument')
const [uri, text, ...command] = process.argv.slice(2)
const server = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout), new protocol.StreamMessageWriter(server.stdin))
const shown = []
let told = () => {}
connection.onNotification(protocol.PublishDiagnosticsNotification.type, said => { shown.push(said); told() })
connection.onRequest(protocol.ConfigurationRequest.type, asked => asked.items.map(() => ({ inlayHints: true })))
const registered = []
connection.onRequest(protocol.RegistrationRequest.type, asked => { registered.push(...asked.registrations) })
connection.listen()
const next = async version => {
  for (;;) {
    const found = shown.find(said => said.version === version)
    if (found) return found.diagnostics
    await new Promise(resolve => { told = resolve })
  }
}
const ask = (type, rest) => connection.sendRequest(type, { textDocument: { uri }, ...rest })
const changed = (action, before) => {
  if (!protocol.CodeAction.is(action)) throw new Error('no code action: ' + JSON.stringify(action))
  const [change] = action.edit.documentChanges
  if (change.textDocument.uri !== uri || change.textDocument.version !== before.version) throw new Error('of another text')
  return TextDocument.applyEdits(before, change.edits)
}
const main = async () => {
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid, rootUri: uri.slice(0, uri.lastIndexOf('/')),
    workspaceFolders: [{ uri: uri.slice(0, uri.lastIndexOf('/')), name: 'project' }],
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      workspace: {
        configuration: true, workspaceFolders: true, workspaceEdit: { documentChanges: true },
        didChangeConfiguration: { dynamicRegistration: true }, didChangeWatchedFiles: { dynamicRegistration: true },
      },
      textDocument: {
        synchronization: { dynamicRegistration: true, willSave: true, willSaveWaitUntil: true, didSave: true },
        publishDiagnostics: { relatedInformation: true, versionSupport: true, codeDescriptionSupport: true, tagSupport: { valueSet: [1, 2] } },
        codeAction: { dynamicRegistration: true, isPreferredSupport: true, codeActionLiteralSupport: {
          codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'source.organizeImports', 'source.fixAll'] } } },
        hover: { contentFormat: ['markdown', 'plaintext'] }, inlayHint: { dynamicRegistration: true },
      },
    },
  })
  await connection.sendNotification(protocol.InitializedNotification.type, {})
  const document = TextDocument.create(uri, 'python', 1, text)
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type,
    { textDocument: { uri, languageId: 'python', version: 1, text } })
  const diagnostics = await next(1)
  if (!diagnostics.every(protocol.Diagnostic.is)) throw new Error('no diagnostics: ' + JSON.stringify(diagnostics))
  const range = diagnostics[0].range
  const bulb = await ask(protocol.CodeActionRequest.type, { range, context: { diagnostics, triggerKind: 1 } })
  const saving = await ask(protocol.CodeActionRequest.type, { // "editor.codeActionsOnSave": {"source.fixAll": "explicit"}
    range: { start: { line: 0, character: 0 }, end: document.positionAt(text.length) },
    context: { diagnostics, only: ['source.fixAll'], triggerKind: 2 } })
  const hover = await ask(protocol.HoverRequest.type, { position: document.positionAt(text.lastIndexOf('x')) })
  const hints = await ask(protocol.InlayHintRequest.type, { range: { start: { line: 0, character: 0 }, end: document.positionAt(text.length) } })
  const fixed = changed(saving[0], document)
  const silenced = changed(bulb.find(action => action.title.includes('Silence')), document)
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type,
    { textDocument: { uri, version: 2 }, contentChanges: [{ text: fixed }] })
  const after = await next(2)
  await connection.sendRequest(protocol.ShutdownRequest.type)
  await connection.sendNotification(protocol.ExitNotification.type)
  const seen = diagnostics.map(each => ({ code: each.code, text: document.getText(each.range), source: each.source }))
  console.log(JSON.stringify({
    seen, fixed, silenced, after, kinds: saving.map(action => action.kind), hovered: document.getText(hover.range), hover: hover.contents.value,
    titles: bulb.map(action => action.title), hints: hints.length, provider: capabilities.codeActionProvider, registered: registered.map(each => each.method),
  }))
}
main().then(() => process.exit(0), error => { console.error(error); process.exit(1) })
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A folder in which the protocol library of VS Code is installed."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("the library comes from npm and runs in Node, which are not on this machine")
    folder = tmp_path_factory.mktemp("vscode")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries", "0"]
    if subprocess.run([*command, "--prefix", str(folder), *LIBRARIES], capture_output=True, timeout=300).returncode:
        pytest.skip(f"npm cannot install {' and '.join(LIBRARIES)}, which takes a network")
    return folder


def test_what_vs_code_asks_is_answered_as_its_library_reads_it(library, tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "model.py").write_text(CODE, encoding="utf-8")
    (library / "client.js").write_text(SCRIPT)
    uri = (tmp_path / "model.py").as_uri()
    run = subprocess.run(
        ["node", str(library / "client.js"), uri, CODE, sys.executable, "-m", "jaxlint", "server"],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert seen["seen"] == [{"code": "JAX208", "text": "y[[0, 1]]", "source": "jaxlint"}]
    assert seen["fixed"] == CODE.replace("y[[0, 1]]", "y[jnp.array([0, 1])]")
    assert (
        seen["silenced"].splitlines()[7].startswith("    '🦊🦊'; return y[[0, 1]] + x  #")
        and "JAX208" in seen["silenced"]
    )
    assert seen["after"] == [] and seen["kinds"] == ["source.fixAll.jaxlint"]
    assert seen["hovered"] == "x" and "**traced**" in seen["hover"] and seen["hints"] == 1
    assert seen["provider"]["codeActionKinds"] == ["quickfix", "source.fixAll.jaxlint", "source.jaxlint.fixAllUnsafe"]
    assert "workspace/didChangeWatchedFiles" in seen["registered"]
