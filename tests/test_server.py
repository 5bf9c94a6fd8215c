"""The language server, driven by a client over standard input and output as an editor drives it."""

import asyncio
import json
import os
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient

STEP = """\
import jax


@jax.jit
def step(x):
    '''🦊 ü'''; y = x * 2; return y if y > 2 else x
"""
SAFE = (
    "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef step(x):\n    y = jnp.zeros(3)\n    return y[[0, 1]] + x\n"
)
SIZED = "import jax\nimport jax.numpy as jnp\n\n\n@jax.jit\ndef f(x):\n    y = x.sum().item()\n    x = jnp.zeros(y)\n    return x\n"
COMMAND = [sys.executable, "-m", "jaxlint", "server"]


@pytest.fixture(params=["utf-16", "utf-8", "utf-32"])
def encoding(request):
    return types.PositionEncodingKind(request.param)


async def started(
    lsp_client, folder, encoding=types.PositionEncodingKind.Utf16, settings=None, shows_documents=False, resolves=()
):
    if settings is not None:
        lsp_client.set_configuration({"jaxlint": settings})
    general = types.GeneralClientCapabilities(position_encodings=[encoding])
    workspace = types.WorkspaceClientCapabilities(configuration=True)
    window = types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(shows_documents))
    support = types.ClientCodeActionResolveOptions(list(resolves)) if resolves else None
    document = types.TextDocumentClientCapabilities(
        code_action=types.CodeActionClientCapabilities(resolve_support=support)
    )
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(
                general=general, workspace=workspace, window=window, text_document=document
            ),
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), "project")],
        )
    )


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND))
async def client(lsp_client: LanguageClient):
    # lsprotocol takes whatever has a `command` for a Command, also a CodeAction.
    converter = lsp_client.protocol._converter
    converter.register_structure_hook(
        types.Command | types.CodeAction,
        lambda given, _: converter.structure(
            given, types.Command if isinstance(given.get("command"), str) else types.CodeAction
        ),
    )
    yield lsp_client
    await lsp_client.shutdown_session()


def open_text(client, uri, text, version=1):
    document = types.TextDocumentItem(uri=uri, language_id="python", version=version, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))


def change_text(client, uri, text, version):
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=version, uri=uri),
            [types.TextDocumentContentChangeWholeDocument(text)],
        )
    )


async def findings(client, uri, seconds=120):
    """The findings of a document once the server has said something new about it."""
    for _ in range(seconds * 50):
        if uri in client.diagnostics:
            return list(client.diagnostics.pop(uri))
        await asyncio.sleep(0.02)
    raise AssertionError(f"nothing was said about {uri}")


async def everything_before(client, marker, version=2):
    """Wait until the server has looked at all that changed so far: it does so in the order of the changes, and a marker,
    which is open, is changed last."""
    change_text(client, marker, f"# {version}\n", version)
    assert await findings(client, marker) == []


def applied(text, edits, encoding="utf-16"):
    """``text`` after the edits of a client that counts in the units of an encoding."""
    lines = text.split("\n")

    def offset(position):
        line = lines[position.line]
        width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
        raw = line.encode(encoding if width == 1 else f"{encoding}-le")[: position.character * width]
        return sum(len(each) + 1 for each in lines[: position.line]) + len(
            raw.decode(encoding if width == 1 else f"{encoding}-le")
        )

    for edit in sorted(edits, key=lambda edit: edit.range.start, reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


async def actions(client, uri, place, only=None):
    context = types.CodeActionContext(diagnostics=[], only=only)
    found = await client.text_document_code_action_async(
        types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
    )
    return {action.title: action for action in found or []}


WHOLE = types.Range(types.Position(0, 0), types.Position(1000, 0))


@pytest.mark.asyncio
async def test_findings_stand_where_the_client_counts_them(client, tmp_path, encoding):
    await started(client, tmp_path, encoding)
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, STEP)
    (found,) = await findings(client, uri)
    before = STEP.splitlines()[5].split("y > 2")[0]
    units = {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}[
        encoding.value
    ]
    assert (found.code, found.range.start) == ("JAX103", types.Position(5, units))
    assert found.severity is types.DiagnosticSeverity.Error and found.source == "jaxlint"
    assert [step.message for step in found.related_information][-1].startswith("`step` is transformed by `jit`")
    fixed = await actions(client, uri, found.range)
    (fix,) = [action for title, action in fixed.items() if title.endswith("(unsafe)")]
    (changes,) = fix.edit.document_changes
    assert "where(y > 2, y, x)" in applied(STEP, changes.edits, encoding.value)
    assert changes.text_document.version == 1


@pytest.mark.asyncio
async def test_a_fix_is_tried_when_it_is_chosen(client, tmp_path):
    await started(client, tmp_path, resolves=["edit"])
    for name, text, stands in (("good.py", STEP, True), ("bad.py", SIZED, False)):
        uri = (tmp_path / name).as_uri()
        open_text(client, uri, text)
        (found,) = await findings(client, uri)
        fix = next(action for action in (await actions(client, uri, found.range)).values() if action.data is not None)
        assert fix.edit is None
        assert ((await client.code_action_resolve_async(fix)).edit is not None) is stands
    assert "not applied: " in client.messages[-1].message


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["my project/größe.py", "50%25/a#b.py"])
async def test_names_that_an_address_escapes(client, tmp_path, name):
    """Clients differ in what they escape; VS Code escapes more than it must."""
    path = tmp_path / name
    path.parent.mkdir()
    await started(client, tmp_path, settings={"debounce": 1})
    uri = path.as_uri()
    open_text(client, uri, STEP)
    (found,) = await findings(client, uri)
    assert found.code == "JAX103" and "%" in uri
    (path.parent / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JAX103"]\n')
    changed = types.FileEvent((path.parent / "pyproject.toml").as_uri(), types.FileChangeType.Created)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    assert await findings(client, uri) == []


@pytest.mark.asyncio
async def test_text_that_does_not_parse_keeps_the_last_findings(client, tmp_path):
    await started(client, tmp_path, settings={"debounce": 10})
    uri, marker = (tmp_path / "model.py").as_uri(), (tmp_path / "marker.py").as_uri()
    open_text(client, uri, STEP)
    open_text(client, marker, "")
    assert [each.code for each in await findings(client, uri)] == ["JAX103"]
    assert await findings(client, marker) == []
    change_text(client, uri, STEP + "def broken(\n", 2)
    await everything_before(client, marker)
    assert uri not in client.diagnostics
    change_text(client, uri, STEP.replace("y > 2", "True"), 3)
    assert await findings(client, uri) == []
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    assert await findings(client, uri) == []


@pytest.mark.asyncio
async def test_what_is_typed_meanwhile_is_looked_at_once(client, tmp_path):
    await started(client, tmp_path, settings={"debounce": 300})
    uri, marker = (tmp_path / "model.py").as_uri(), (tmp_path / "marker.py").as_uri()
    open_text(client, uri, "import jax\n")
    open_text(client, marker, "")
    assert await findings(client, uri) == await findings(client, marker) == []
    for version in range(2, 12):
        change_text(client, uri, STEP + f"# {version}\n", version)
    assert [each.code for each in await findings(client, uri)] == ["JAX103"]
    await everything_before(client, marker)
    assert uri not in client.diagnostics


@pytest.mark.asyncio
async def test_fixes_for_one_finding_and_for_all(client, tmp_path):
    await started(client, tmp_path)
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, SAFE)
    (found,) = await findings(client, uri)
    titles = await actions(client, uri, found.range)
    safe = next(action for title, action in titles.items() if action.is_preferred)
    assert safe.title.startswith("JAX208: ")
    fixed = applied(SAFE, safe.edit.document_changes[0].edits)
    assert "y[jnp.array([0, 1])]" in fixed
    (all_of_it,) = (await actions(client, uri, WHOLE, ["source.fixAll"])).values()
    assert all_of_it.kind == "source.fixAll.jaxlint"
    assert applied(SAFE, all_of_it.edit.document_changes[0].edits) == fixed
    silenced = applied(SAFE, titles["JAX208: Silence it on this line"].edit.document_changes[0].edits)
    assert "return y[[0, 1]] + x  # noqa: JAX208\n" in silenced
    change_text(client, uri, silenced, 2)
    assert await findings(client, uri) == []


@pytest.mark.asyncio
async def test_fix_all_on_saving_makes_no_unsafe_change(client, tmp_path):
    await started(client, tmp_path)
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, STEP)
    await findings(client, uri)
    assert await actions(client, uri, WHOLE, ["source.fixAll"]) == {}
    (unsafe,) = (await actions(client, uri, WHOLE, ["source.jaxlint.fixAllUnsafe"])).values()
    assert "where(y > 2, y, x)" in applied(STEP, unsafe.edit.document_changes[0].edits)


@pytest.mark.asyncio
async def test_a_rule_is_silenced_in_its_file(client, tmp_path):
    await started(client, tmp_path, settings={"debounce": 1})
    uri = (tmp_path / "model.py").as_uri()
    text = "# -*- coding: utf-8 -*-\n" + STEP
    open_text(client, uri, text)
    (found,) = await findings(client, uri)
    edit = (await actions(client, uri, found.range))["JAX103: Silence it in this file"].edit
    silenced = applied(text, edit.document_changes[0].edits)
    assert silenced == text.replace("import jax\n", "# jaxlint: disable-file=branch-on-tracer\nimport jax\n", 1)
    change_text(client, uri, silenced, 2)
    assert await findings(client, uri) == []


def is_private_page(path, page):
    """Whether a file in a folder of the user alone holds the page of JAX103."""
    return (
        path.name == "JAX103-branch-on-tracer.md"
        and path.read_text(encoding="utf-8") == page
        and (os.name == "nt" or path.parent.stat().st_mode & 0o777 == 0o700)
    )


async def run_command(client, action):
    asked = types.ExecuteCommandParams(action.command.command, action.command.arguments)
    return await client.workspace_execute_command_async(asked)


@pytest.mark.asyncio
async def test_the_page_of_a_rule_and_what_it_refers_to_are_opened(client, tmp_path):
    await started(client, tmp_path, shows_documents=True)
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, STEP + STEP.replace("import jax\n", "").replace("step", "other"))
    found = await findings(client, uri)
    assert len(found) == 2
    offered = await actions(client, uri, WHOLE)
    explain = offered["JAX103: Explain the rule"]
    assert len(explain.diagnostics) == 2, "one action for all findings of a rule"
    page = await run_command(client, explain)
    assert page.startswith("# JAX103 branch-on-tracer\n") and "## Mended\n\n```python\n" in page
    (shown,) = client.shown_documents
    assert is_private_page(Path(unquote(urlsplit(shown.uri).path)), page)
    # There is no site, so that the code of a finding leads to the page on this machine, and that to JAX's.
    assert {each.code_description.href for each in found} == {shown.uri}
    assert "https://docs.jax.dev/en/latest/control-flow.html" in page
    (title,) = [title for title in offered if "reference" in title]
    assert title == "JAX103: Open its reference (docs.jax.dev)"
    assert await run_command(client, offered[title]) == client.shown_documents[1].uri
    assert client.shown_documents[1].external and client.shown_documents[1].uri.startswith("https://docs.jax.dev/")
    silent = types.ExecuteCommandParams("jaxlint.explain", ["branch-on-tracer", False])
    assert await client.workspace_execute_command_async(silent) == page
    assert len(client.shown_documents) == 2
    with pytest.raises(JsonRpcException, match="did you mean `JAX103`"):
        await client.workspace_execute_command_async(types.ExecuteCommandParams("jaxlint.explain", ["JAX1033"]))


@pytest.mark.asyncio
async def test_a_client_that_opens_nothing_is_told_the_page(client, tmp_path):
    await started(client, tmp_path)
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, STEP)
    (found,) = await findings(client, uri)
    offered = await actions(client, uri, found.range)
    assert not any("reference" in title for title in offered)
    page = await run_command(client, offered["JAX103: Explain the rule"])
    assert [said.message for said in client.messages] == [page] and client.shown_documents == []


@pytest.mark.asyncio
async def test_why_is_answered_without_hovers(client, tmp_path):
    await started(client, tmp_path, settings={"hover": False})
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, STEP)
    await findings(client, uri)

    async def why(document, line, character):
        place = {"textDocument": {"uri": document}, "position": {"line": line, "character": character}}
        return await client.workspace_execute_command_async(types.ExecuteCommandParams("jaxlint.why", [place]))

    answer = await why(uri, 5, 20)
    assert "```python\nx\n```" in answer and "`x` is a parameter of `step`" in answer
    assert await why(uri, 1, 0) is None
    assert await why((tmp_path / "other.py").as_uri(), 0, 0) is None


@pytest.mark.asyncio
async def test_hover_says_traced_or_static_and_why(client, tmp_path):
    await started(client, tmp_path)
    uri = (tmp_path / "model.py").as_uri()
    text = "import jax\n\n@jax.jit\ndef step(x):\n    n = x.shape[0]\n    return x * n\n"
    open_text(client, uri, text)
    assert await findings(client, uri) == []

    async def hover(line, character):
        place = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        return await client.text_document_hover_async(place)

    traced = await hover(5, 11)
    assert "```python\nx\n```" in traced.contents.value and "**traced" in traced.contents.value
    assert "`x` is a parameter of `step`" in traced.contents.value
    assert traced.range == types.Range(types.Position(5, 11), types.Position(5, 12))
    assert "*staged*: recorded by `jit`" in traced.contents.value
    assert "*traced*: a parameter of transformed code: a tracer" in traced.contents.value
    static = (await hover(5, 15)).contents.value
    assert "**static" in static and "*static*: a Python value" in static and "*traced*" not in static
    assert await hover(1, 0) is None and await hover(400, 3) is None


CONTAINERS = """\
import numpy as np
import jax


@jax.jit
def joined(x, y):
    parts = [x, y]
    return np.concatenate(parts)


class Model:
    def __init__(self, weights):
        self.weights = weights

    @jax.jit
    def predict(self, x):
        return x @ self.weights
"""


@pytest.mark.asyncio
async def test_hover_says_what_the_finding_says(client, tmp_path):
    """A list is a Python object and the `self` of a method no expression; the findings know more of them."""
    await started(client, tmp_path)
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, CONTAINERS)
    found = await findings(client, uri)
    assert [each.code for each in found] == ["JAX301", "JAX504"]
    for each in found:
        for position in (each.range.start, types.Position(each.range.end.line, each.range.end.character - 2)):
            place = types.HoverParams(types.TextDocumentIdentifier(uri), position)
            hovered = (await client.text_document_hover_async(place)).contents.value
            assert f"**{each.code}** {each.message.splitlines()[0]}" in hovered
            for step in each.related_information or []:
                assert f"- {step.message} (line {step.location.range.start.line + 1})" in hovered


PRESUMED = "import flax.linen as nn\n\n\nclass Net(nn.Module):\n    def __call__(self, x):\n        return -x if x.sum() > 0 else x\n"


@pytest.mark.asyncio
async def test_hover_says_what_is_presumed(client, tmp_path):
    await started(client, tmp_path)
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, PRESUMED)
    (found,) = await findings(client, uri)
    place = types.HoverParams(types.TextDocumentIdentifier(uri), found.range.start)
    hovered = (await client.text_document_hover_async(place)).contents.value
    assert (
        "**traced** (staged) in `Net.__call__`\n" in hovered
        and "- `Net.__call__` is presumed to run under `jit`" in hovered
    )


@pytest.mark.asyncio
async def test_questions_wait_for_the_settings(client, tmp_path):
    """A client may ask before it has said what it wants."""
    await started(client, tmp_path, settings={"hover": False, "inlayHints": True})
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, STEP)
    document = types.TextDocumentIdentifier(uri)
    asked = (
        client.text_document_hover_async(types.HoverParams(document, types.Position(5, 38))),
        client.text_document_inlay_hint_async(types.InlayHintParams(document, WHOLE)),
    )
    hover, hints = await asyncio.gather(*asked)
    assert hover is None and hints


@pytest.mark.asyncio
async def test_hover_in_a_helper_knows_the_open_files_that_call_it(client, tmp_path):
    helper = "def choose(x):\n    return x\n"
    (tmp_path / "model.py").write_text(helper)
    await started(client, tmp_path)
    uri, other = (tmp_path / "model.py").as_uri(), (tmp_path / "train.py").as_uri()
    place = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(1, 11))
    open_text(client, uri, helper)
    assert await findings(client, uri) == []
    assert "traced" not in (await client.text_document_hover_async(place)).contents.value
    open_text(
        client, other, "import jax\nfrom model import choose\n\nstep = jax.jit(lambda y: choose(y + 1))\nstep(3.0)\n"
    )
    assert await findings(client, other) == []
    hovered = (await client.text_document_hover_async(place)).contents.value
    assert "**traced" in hovered and "transformed by `jit` (train.py line 4)" in hovered
    change_text(client, uri, helper.replace("    return x", "    y = x  # not saved\n    return y"), 2)
    assert await findings(client, uri) == []
    place.position = types.Position(2, 11)
    assert "**traced" in (await client.text_document_hover_async(place)).contents.value


@pytest.mark.asyncio
async def test_hints_are_there_for_those_who_ask(client, tmp_path):
    await started(client, tmp_path, settings={"inlayHints": True})
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, "import jax\n\n@jax.jit\ndef step(x):\n    n = x.shape[0]\n    y = x * n\n    return y\n")
    assert await findings(client, uri) == []
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(types.TextDocumentIdentifier(uri), WHOLE))
    assert [(hint.position, hint.label) for hint in hints] == [(types.Position(5, 5), ": traced")]


@pytest.mark.asyncio
async def test_settings_and_project_configuration_count(client, tmp_path):
    await started(client, tmp_path, settings={"ignore": ["JAX103"], "debounce": 1})
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, STEP)
    assert await findings(client, uri) == []
    client.set_configuration({"jaxlint": {"debounce": 1}})
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    assert [each.code for each in await findings(client, uri)] == ["JAX103"]
    (tmp_path / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JAX103"]\n')
    changed = types.FileEvent((tmp_path / "pyproject.toml").as_uri(), types.FileChangeType.Created)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    assert await findings(client, uri) == []
    client.set_configuration({"jaxlint": {"select": ["JAX1003"]}})
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    for _ in range(500):
        if client.messages:
            break
        await asyncio.sleep(0.02)
    assert "JAX1003" in client.messages[0].message


@pytest.mark.asyncio
async def test_what_fails_in_another_file_is_linked(client, tmp_path):
    (tmp_path / "model.py").write_text("def choose(x):\n    return x if x > 2 else -x\n")
    await started(client, tmp_path)
    (tmp_path / "train.py").write_text(CALLER)
    uri, other = (tmp_path / "train.py").as_uri(), (tmp_path / "model.py").as_uri()
    open_text(client, uri, CALLER)
    (found,) = await findings(client, other)
    assert uri in {step.location.uri for step in found.related_information}


CHOOSE = "def choose(x):\n    return x if x > 2 else -x\n"
CALLER = "import jax\nfrom model import choose\n\nstep = jax.jit(choose)\nstep(3.0)\n"


async def until(client, uri, expected):
    """Wait until the findings of a document stand in the expected rows."""
    for _ in range(100):
        rows = [each.range.start.line + 1 for each in await findings(client, uri)]
        if rows == expected:
            return
    raise AssertionError(f"{rows} instead of {expected}")


@pytest.mark.asyncio
async def test_a_helper_alone_is_told_what_its_importers_show(client, tmp_path):
    (tmp_path / "model.py").write_text(CHOOSE)
    (tmp_path / "train.py").write_text(CALLER)
    await started(client, tmp_path, settings={"debounce": 1})
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, CHOOSE)
    await until(client, uri, [2])
    change_text(client, uri, "# a comment\n" + CHOOSE, 2)
    (moved,) = await findings(client, uri)  # at once, before the importers are looked at again
    assert moved.range.start.line == 2 and moved.code == "JAX103"
    change_text(client, uri, CHOOSE, 3)
    await until(client, uri, [2])
    place = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(1, 16))
    for _ in range(100):
        if "**traced" in (await client.text_document_hover_async(place)).contents.value:
            break
        await asyncio.sleep(0.05)
    else:
        raise AssertionError("hover says less than the finding")
    change_text(client, uri, "# not saved\n" + CHOOSE, 4)
    await until(client, uri, [3])
    place.position = types.Position(2, 16)
    hovered = (await client.text_document_hover_async(place)).contents.value
    assert "**traced" in hovered or "**JAX103**" in hovered  # before or after the importers are looked at again
    change_text(client, uri, CHOOSE.replace("x > 2", "True"), 5)
    await until(client, uri, [])


@pytest.mark.asyncio
async def test_what_importers_show_comes_though_more_is_asked_meanwhile(client, tmp_path):
    (tmp_path / "model.py").write_text(CHOOSE)
    (tmp_path / "train.py").write_text(CALLER)
    await started(client, tmp_path)
    uri = (tmp_path / "model.py").as_uri()
    open_text(client, uri, CHOOSE)
    await actions(client, uri, WHOLE)  # as editors ask when they show a document
    await until(client, uri, [2])


@pytest.mark.asyncio
async def test_importers_are_those_under_the_settings_from_the_start(client, tmp_path):
    model, train = tmp_path / "model.py", tmp_path / "scripts" / "train.py"
    settings = tmp_path / "pyproject.toml"  # it says that the folder is a project: nothing else does
    for path, text in ((model, CHOOSE), (train, CALLER), (settings, "[tool.jaxlint]\n")):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    await started(client, tmp_path, settings={"debounce": 1})
    open_text(client, model.as_uri(), CHOOSE)
    await until(client, model.as_uri(), [2])


@pytest.mark.asyncio
async def test_a_folder_of_the_client_without_git_and_settings_is_a_project(client, tmp_path):
    model, train = tmp_path / "model.py", tmp_path / "scripts" / "train.py"
    train.parent.mkdir()
    model.write_text(CHOOSE)
    train.write_text(CALLER)
    await started(client, tmp_path)  # the server itself runs in another folder
    open_text(client, model.as_uri(), CHOOSE)
    await until(client, model.as_uri(), [2])


@pytest.mark.asyncio
async def test_importers_in_another_source_folder_count(client, tmp_path):
    model, train = tmp_path / "a" / "src" / "model.py", tmp_path / "b" / "src" / "train.py"
    for path, text in ((model, CHOOSE), (train, CALLER), (tmp_path / ".git", "")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    await started(client, tmp_path, settings={"debounce": 1})
    open_text(client, model.as_uri(), CHOOSE)
    await until(client, model.as_uri(), [2])
    (tmp_path / "b" / "src" / "model.py").write_text("def choose(x):\n    return x\n")  # nearer to the importer
    client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams(
            [types.FileEvent((tmp_path / "b" / "src" / "model.py").as_uri(), types.FileChangeType.Created)]
        )
    )
    await until(client, model.as_uri(), [])


@pytest.mark.asyncio
async def test_a_file_that_is_not_open_is_told_what_an_open_one_shows(client, tmp_path):
    (tmp_path / "model.py").write_text(CHOOSE)
    (tmp_path / "train.py").write_text(CALLER)
    await started(client, tmp_path, settings={"debounce": 1})
    uri, other = (tmp_path / "train.py").as_uri(), (tmp_path / "model.py").as_uri()
    open_text(client, uri, CALLER)
    assert await findings(client, uri) == []
    await until(client, other, [2])
    open_text(client, other, CHOOSE)
    await until(client, other, [2])
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(other)))
    await until(client, other, [2])
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await until(client, other, [])


CONFIG = "from dataclasses import dataclass\n\n\n@dataclass\nclass Config:\n    width: int = 2\n"
CONFIGURED = (
    "import functools\n\nimport jax\nfrom config import Config\n\n\n"
    '@functools.partial(jax.jit, static_argnames="config")\ndef scaled(x, config):\n    return x * config.width\n\n\n'
    "y = scaled(1.0, config=Config())\n"
)


@pytest.mark.asyncio
@pytest.mark.parametrize("resolves", [(), ("edit",)])
async def test_a_fix_of_another_file_edits_that_document(client, tmp_path, resolves):
    """On the disk, or as it is open; not while what the editor shows of it is not saved."""
    (tmp_path / "config.py").write_text(CONFIG)
    (tmp_path / "train.py").write_text(CONFIGURED)
    await started(client, tmp_path, settings={"debounce": 1}, resolves=resolves)
    uri, other = (tmp_path / "train.py").as_uri(), (tmp_path / "config.py").as_uri()

    async def change():
        found = await actions(client, uri, WHOLE)
        named = [each for title, each in found.items() if title.endswith("in config.py (unsafe)")]
        if resolves and named:
            named = [await client.code_action_resolve_async(named[0])]
        return named[0].edit if named else None

    open_text(client, uri, CONFIGURED)
    assert [each.code for each in await findings(client, uri)] == ["JAX502"]
    (closed,) = (await change()).document_changes
    assert (closed.text_document.uri, closed.text_document.version) == (other, None)
    assert applied(CONFIG, closed.edits) == CONFIG.replace("@dataclass", "@dataclass(frozen=True)")
    open_text(client, other, CONFIG, version=7)
    (opened,) = (await change()).document_changes
    assert (opened.text_document.uri, opened.text_document.version) == (other, 7)
    assert opened.edits == closed.edits
    change_text(client, other, "# first\n" + CONFIG, 8)
    assert await change() is None


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "cell", ["vscode-notebook-cell:{}#W{}sZmlsZQ%3D%3D", "file://{}?cell={}"]
)  # VS Code's and another
async def test_the_cells_of_a_notebook(client, tmp_path, cell):
    await started(client, tmp_path, settings={"debounce": 1})
    notebook = (tmp_path / "demo.ipynb").as_uri()
    texts = ["%matplotlib inline\nimport jax", "@jax.jit\ndef step(x):\n    return x if x > 2 else -x"]
    uris = [cell.format(tmp_path / "demo.ipynb", number) for number in range(2)]
    client.notebook_document_did_open(
        types.DidOpenNotebookDocumentParams(
            types.NotebookDocument(
                notebook, "jupyter-notebook", 1, [types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in uris]
            ),
            [
                types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
                for uri, text in zip(uris, texts)
            ],
        )
    )
    (found,) = await findings(client, uris[1])
    assert (found.code, found.range.start) == ("JAX103", types.Position(2, 16))
    assert list(client.diagnostics.pop(uris[0])) == []
    titles = await actions(client, uris[1], found.range)
    fix = next(action for title, action in titles.items() if title.endswith("(unsafe)"))
    (changes,) = fix.edit.document_changes
    assert changes.text_document.uri == uris[1]
    assert applied(texts[1], changes.edits).endswith("return jax.numpy.where(x > 2, x, -x)")
    (everything,) = (await actions(client, uris[1], WHOLE, ["source.jaxlint.fixAllUnsafe"])).values()
    (changes,) = everything.edit.document_changes
    assert changes.text_document.uri == uris[1] and changes.text_document.version == 1
    assert applied(texts[1], changes.edits).endswith("def step(x):\n    return jax.numpy.where(x > 2, x, -x)")


@pytest.mark.asyncio
async def test_cells_that_are_typed_in_moved_and_hovered_over(client, tmp_path):
    await started(client, tmp_path, types.PositionEncodingKind.Utf8, settings={"debounce": 1})
    notebook = (tmp_path / "demo.ipynb").as_uri()
    texts = ["import jax\nlimit = 2", "@jax.jit\ndef step(x):\n    'ü'; return x if x > limit else -x"]
    uris = [f"vscode-notebook-cell:{tmp_path}/demo.ipynb#{number}" for number in range(2)]
    cells = [types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in uris]
    documents = [
        types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text) for uri, text in zip(uris, texts)
    ]
    client.notebook_document_did_open(
        types.DidOpenNotebookDocumentParams(types.NotebookDocument(notebook, "jupyter-notebook", 1, cells), documents)
    )
    (found,) = await findings(client, uris[1])
    column = len("    'ü'; return x if ".encode())
    assert found.range.start == types.Position(2, column)
    place = types.HoverParams(types.TextDocumentIdentifier(uris[1]), types.Position(2, column))
    hovered = await client.text_document_hover_async(place)
    assert "**traced" in hovered.contents.value and hovered.range.start == types.Position(2, column)

    def changed(version, change):
        document = types.VersionedNotebookDocumentIdentifier(version, notebook)
        client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(document, types.NotebookDocumentChangeEvent(cells=change))
        )

    typed = types.TextDocumentContentChangeWholeDocument(texts[1].replace("x > limit", "limit"))
    content = types.NotebookDocumentCellContentChanges(types.VersionedTextDocumentIdentifier(2, uris[1]), [typed])
    client.diagnostics.clear()
    changed(2, types.NotebookDocumentCellChanges(text_content=[content]))
    assert await findings(client, uris[1]) == []
    # VS Code sends the parts that differ, the last one first. A form feed ends no line.
    place = types.Position(2, column)
    client.diagnostics.clear()
    parts = [(place, "x > "), (types.Position(0, 0), "'\f🦊'; "), (types.Position(0, len("'\f🦊'; ".encode())), "0\n")]
    changes = [types.TextDocumentContentChangePartial(types.Range(at, at), text) for at, text in parts]
    content = types.NotebookDocumentCellContentChanges(types.VersionedTextDocumentIdentifier(3, uris[1]), changes)
    changed(3, types.NotebookDocumentCellChanges(text_content=[content]))
    (found,) = await findings(client, uris[1])
    assert found.range == types.Range(types.Position(3, column), types.Position(3, column + len("x > limit")))
    # The first cell goes, and with it the import.
    gone = types.NotebookDocumentCellChangeStructure(
        types.NotebookCellArrayChange(0, 1, []), [], [types.TextDocumentIdentifier(uris[0])]
    )
    client.diagnostics.clear()
    changed(4, types.NotebookDocumentCellChanges(structure=gone))
    assert await findings(client, uris[0]) == []


@pytest.mark.asyncio
async def test_each_folder_of_a_workspace_has_its_own_configuration(client, tmp_path):
    folders = [tmp_path / "strict", tmp_path / "lenient"]
    for folder in folders:
        folder.mkdir()
    (folders[0] / "pyproject.toml").write_text("[tool.jaxlint]\n")
    (folders[1] / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["branch-on-tracer"]\n')
    initialized = await client.initialize_session(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
        )
    )
    said = initialized.capabilities
    assert (
        said.code_lens_provider is None
        and said.completion_provider is None
        and said.document_formatting_provider is None
    )
    uris = [(folder / "model.py").as_uri() for folder in folders]
    for uri in uris:
        open_text(client, uri, STEP)
    assert [each.code for each in await findings(client, uris[0])] == ["JAX103"]
    assert await findings(client, uris[1]) == []


@pytest.mark.asyncio
async def test_a_change_of_an_imported_file_counts(client, tmp_path):
    (tmp_path / "model.py").write_text("def choose(x):\n    return x\n")
    await started(client, tmp_path)
    uri, other = (tmp_path / "train.py").as_uri(), (tmp_path / "model.py").as_uri()
    (tmp_path / "train.py").write_text(CALLER)
    open_text(client, uri, CALLER)
    assert await findings(client, uri) == []
    (tmp_path / "model.py").write_text(CHOOSE)
    saved = types.FileEvent(other, types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([saved]))
    assert [each.code for each in await findings(client, other)] == ["JAX103"]


@pytest.mark.asyncio
async def test_it_can_be_turned_off_and_reads_what_has_no_file(client, tmp_path):
    await started(client, tmp_path, settings={"enable": False, "debounce": 1})
    uri = "untitled:Untitled-1"
    open_text(client, uri, STEP)
    place = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(5, 50))
    while await client.text_document_hover_async(place) is not None:
        pass  # until the server has asked for the settings and been given them
    assert await client.text_document_hover_async(place) is None
    assert uri not in client.diagnostics
    client.set_configuration({"jaxlint": {"hover": False}})
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    (found,) = await findings(client, uri)
    assert found.code == "JAX103"
    assert (
        await client.text_document_hover_async(types.HoverParams(types.TextDocumentIdentifier(uri), found.range.start))
        is None
    )


def test_without_pygls_the_command_says_what_to_install(tmp_path):
    import subprocess

    code = "import sys; sys.modules['pygls'] = None; from jaxlint.cli import main; raise SystemExit(main(['server']))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 2 and "flake8-jaxlint[server]" in run.stderr


def test_settings_are_read_as_the_configuration_is():
    from jaxlint.configuration.table import ConfigError
    from jaxlint.server.service import Settings

    given = Settings.read(
        json.loads('{"targetJax": ">=0.5", "extend-select": ["JAX5"], "debounce": 40, "hover": false}')
    )
    assert given.overrides == {"target_jax": ">=0.5", "extend_select": ["JAX5"]}
    assert (given.debounce, given.hover, given.inlay_hints) == (0.04, False, False)
    with pytest.raises(ConfigError, match="debounce"):
        Settings.read({"debounce": "soon"})


@pytest.mark.asyncio
async def test_what_is_typed_comes_before_what_a_saved_file_might_change(client, tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    await started(client, tmp_path, settings={"debounce": 0})
    many = "\n\n".join([STEP.replace("step", f"step_{number}").replace("import jax\n", "") for number in range(60)])
    uris = [(tmp_path / f"part_{number}.py").as_uri() for number in range(6)]
    for uri in uris:
        open_text(client, uri, "import jax\n" + many)
    for uri in uris:
        assert len(await findings(client, uri)) == 60
    last = uris[-1]
    client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri=last)))
    change_text(client, last, STEP, 2)
    while not set(uris) <= set(client.diagnostics):
        await asyncio.sleep(0.02)
    order = list(client.diagnostics)  # in which the server has spoken of them
    assert order.index(last) <= 3, "the others were looked at first"
    assert [len(await findings(client, uri)) for uri in uris] == [60] * 5 + [1]
