"""The server: what the client says, and what it is told in return.

One worker looks at documents, one at a time; what was typed since makes an answer that is still to come
worthless, and it is not sent.
"""

from __future__ import annotations

import asyncio
import os
import pathlib
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from jaxlint import __version__
from jaxlint.configuration.config import Configs
from jaxlint.configuration.table import ConfigError
from jaxlint.configuration.trust import Trust
from jaxlint.hazards.registry import UnknownRule
from jaxlint.run.importers import Importers
from jaxlint.server.answers import EXPLAIN, FIX_ALL, FIX_ALL_UNSAFE, OPEN_PAGE, WHY, Answers, closed_file
from jaxlint.server.cell_documents import take_over
from jaxlint.server.documents import Checked, Piece, Snapshot, check, check_importer, filename_of, is_unreadable
from jaxlint.server.positions import from_client
from jaxlint.server.rule_pages import RulePages
from jaxlint.server.worker import Worker
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.reading import read_source
from jaxlint.source.text import NOTEBOOK, Position, Source, SourceError

_T = TypeVar("_T")

AROUND = 0.5  # seconds without a change before the importers of a document are looked at
SECTION = "jaxlint"  # of the client's settings
OPTIONS = ("select", "extend_select", "ignore", "preview", "target_jax")  # those that a pyproject.toml has, too
NOTEBOOKS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook="jupyter-notebook", cells=[types.NotebookCellLanguage(language="python")]
        )
    ]
)


@dataclass
class Settings:
    """What the client may set: options of the configuration, and how the server behaves."""

    enable: bool = True
    debounce: float = 0.15  # seconds without a change before a document is looked at
    hover: bool = True
    inlay_hints: bool = False
    plugins: bool = False  # load those that the configuration of a folder of the workspace names
    overrides: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, given: Any) -> Settings:
        """Settings as they came; names as in the configuration, in camel case or with dashes. Raises ConfigError."""
        named = {_plain(name): value for name, value in given.items()} if isinstance(given, dict) else {}
        milliseconds = named.get("debounce", 150)
        if not isinstance(milliseconds, (int, float)) or isinstance(milliseconds, bool) or milliseconds < 0:
            raise ConfigError(f"jaxlint.debounce: expected milliseconds, not {milliseconds!r}")
        return cls(
            enable=named.get("enable", True) is not False,
            debounce=milliseconds / 1000,
            hover=named.get("hover", True) is not False,
            inlay_hints=named.get("inlay_hints", False) is True,
            plugins=named.get("plugins", False) is True,
            overrides={name: named[name] for name in OPTIONS if named.get(name) not in (None, [], "")},
        )


class PendingCheck(NamedTuple):
    """A check of a document that has not ended yet, and what it checks."""

    snapshot: Snapshot
    importers: Importers
    task: asyncio.Task[Checked]


def _plain(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).replace("-", "_")


class Server(LanguageServer):
    """The state of one client's session. ``isolated`` and ``plugins`` are the user's word on the command line."""

    def __init__(self, isolated: bool = False, plugins: list[str] | None = None) -> None:
        super().__init__(
            "jaxlint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full, notebook_document_sync=NOTEBOOKS
        )  # fmt: skip
        self.isolated, self.plugins = isolated, plugins
        self.settings, self.initial = Settings(), dict[str, Any]()  # initial: what the client has said on its start
        self.use(Configs(isolated=True))
        self.checked: dict[str, Checked] = {}
        self.pending_checks: dict[str, PendingCheck] = {}  # by document: a check that several requests may wait for
        self.earlier: dict[str, Checked] = {}  # what was found before everything is looked at again
        self.shown: dict[str, set[str]] = {}  # documents in which findings of a file or notebook are shown
        self.pending: dict[str, asyncio.TimerHandle] = {}
        self.worker = Worker()
        self.around: dict[str, asyncio.Task[None]] = {}  # looks at the importers of a document
        self.abroad: dict[str, dict[str, list[Diagnostic]]] = {}  # by document: findings in files that are not open
        self.pages = RulePages()
        self.refreshing: asyncio.Task[None] | None = None
        self.ready = asyncio.Event()  # set when the client has said what it wants

    @property
    def encoding(self) -> str:
        return str(self.workspace.position_encoding or types.PositionEncodingKind.Utf16.value)

    @property
    def shows_documents(self) -> bool:
        """Whether the client opens documents and addresses that it is asked to."""
        window = self.client_capabilities.window
        return bool(window and window.show_document and window.show_document.support)

    @property
    def resolves_edits(self) -> bool:
        """Whether the client asks for the edit of a code action when it is chosen."""
        document = self.client_capabilities.text_document
        support = document.code_action.resolve_support if document and document.code_action else None
        return support is not None and "edit" in support.properties

    # --- documents ------------------------------------------------------------------------------

    def owner(self, uri: str) -> str:
        """The file or notebook that a document is, or is a cell of."""
        notebook = self.workspace.get_notebook_document(cell_uri=uri)
        return notebook.uri if notebook is not None else uri

    def snapshot(self, uri: str) -> Snapshot | None:
        """A file or notebook as it is now; None for one that is not open."""
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        if notebook is not None:
            cells = [
                self.document(cell.document) for cell in notebook.cells if cell.kind is types.NotebookCellKind.Code
            ]
            pieces = tuple(Piece(cell.uri, cell.version, cell.source) for cell in cells if cell is not None)
            name = filename_of(uri)
            return Snapshot(uri, name if name.endswith(NOTEBOOK) else f"{name}{NOTEBOOK}", pieces) if pieces else None
        document = self.document(uri)
        if document is None:
            return None
        return Snapshot(uri, filename_of(uri), (Piece(uri, document.version, document.source),))

    def document(self, uri: str) -> TextDocument | None:
        """An open text document; None for one that is not open."""
        documents: Mapping[str, TextDocument] = self.workspace.text_documents
        return documents.get(uri) or documents.get(unquote(uri))  # releases of pygls know them by one or the other

    def opened(self) -> dict[str, TextDocument]:
        """The open text documents, by the real paths of their files."""
        return {os.path.realpath(filename_of(uri)): each for uri, each in self.workspace.text_documents.items()}

    async def look(self, uri: str) -> Checked | None:
        """What is found in a file or notebook as it is now, from memory where that is known."""
        await self.ready.wait()
        snapshot = self.snapshot(uri)
        if snapshot is None or not self.settings.enable:
            return None
        known = self.checked.get(uri)
        if known is not None and known.snapshot == snapshot:
            return known
        pending = self.pending_checks.get(uri)
        if pending is None or pending.snapshot != snapshot or pending.importers is not self.importers:
            task = asyncio.get_running_loop().create_task(self.check_now(uri, snapshot))
            task.add_done_callback(lambda task: self.check_ended(uri, task))
            pending = self.pending_checks[uri] = PendingCheck(snapshot, self.importers, task)
        return await asyncio.shield(pending.task)  # others may wait for it as well

    async def check_now(self, uri: str, snapshot: Snapshot) -> Checked:
        config, importers = self.configs.for_file(snapshot.filename), self.importers
        before = self.checked.get(uri) or self.earlier.pop(uri, None)
        known = await self.worker.do(lambda: check(snapshot, config, importers))
        if before is not None:
            known.keep_from(before)
        if self.snapshot(uri) == snapshot and self.importers is importers:
            self.checked[uri] = known
        return known

    def check_ended(self, uri: str, task: asyncio.Task[Checked]) -> None:
        if uri in self.pending_checks and self.pending_checks[uri].task is task:
            del self.pending_checks[uri]

    def callers(self, checked: Checked) -> list[Source]:
        """Other files that may call what a file defines: open ones that name it, and importers that show something in it."""
        name = os.path.splitext(os.path.basename(checked.source.filename))[0]
        others = [
            each.source for each in self.checked.values() if each is not checked and not is_unreadable(each.diagnostics)
        ]
        found = {
            os.path.realpath(each.filename): each for each in others if re.search(rf"\b{re.escape(name)}\b", each.text)
        }
        for importer in checked.importers:
            if importer.filename not in found:
                with suppress(SourceError):
                    found[importer.filename] = read_source(importer.filename)
        return list(found.values())

    def later(self, uri: str, wait: float) -> None:
        """Look at a document when it has not changed for a while."""
        waiting = self.pending.pop(uri, None)
        if waiting is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self.pending[uri] = loop.call_later(wait, lambda: loop.create_task(self.publish(uri)))

    async def publish(self, uri: str) -> None:
        self.pending.pop(uri, None)
        checked = await self.look(uri)
        self.complain()
        if checked is None:
            self.clear(uri)
            return
        if self.snapshot(uri) != checked.snapshot:
            return  # it has changed meanwhile, and is looked at again
        if is_unreadable(checked.diagnostics) and uri in self.shown:
            return  # while someone types, what was found in the last text that parses still says something
        self.show(uri, checked)
        self.show_abroad(uri, checked)
        if uri in self.around:
            self.around.pop(uri).cancel()
        if not is_unreadable(checked.diagnostics):
            wait = 0 if checked.is_first else AROUND
            self.around[uri] = asyncio.get_running_loop().create_task(self.look_around(uri, checked, wait))

    async def look_around(self, uri: str, checked: Checked, wait: float) -> None:
        """Look at the importers of a document when nothing is typed for a while, and send what they show in it."""
        await asyncio.sleep(wait)
        importers, filename = self.importers, checked.source.filename
        shown = []
        for path in await self.worker.do(lambda: importers.of(filename)):
            config = self.configs.for_file(path)
            shown.append(await self.worker.do(lambda: check_importer(path, config, checked)))  # noqa: B023  awaited at once
        before = checked.diagnostics
        if self.checked.get(uri) is checked and checked.with_importers(shown) != before:
            self.show(uri, checked)

    def show(self, uri: str, checked: Checked) -> None:
        """Send the findings in a document."""
        found = Answers(checked, self.encoding, self.pages).diagnostics()
        for gone in self.shown.get(uri, set()) - set(found):
            self.send(gone, None, [])
        self.shown[uri] = set(found)
        versions = {piece.uri: piece.version for piece in checked.snapshot.pieces}
        for each, diagnostics in found.items():
            self.send(each, versions[each], diagnostics)
        self.worker.soon(lambda: self.pages.write(checked.diagnostics))

    def show_abroad(self, uri: str, checked: Checked | None) -> None:
        """Send what a document shows in files that are not open."""
        found: dict[str, list[Diagnostic]] = {}
        for each in checked.root.elsewhere if checked is not None else ():
            path = os.path.realpath(each.diagnostic.filename)
            found.setdefault(pathlib.Path(path).as_uri(), []).append(each.diagnostic)
        before = self.abroad.pop(uri, {})
        if found:
            self.abroad[uri] = found
        for other in before.keys() | found.keys():
            self.send_abroad(other)

    def send_abroad(self, uri: str) -> None:
        """Send what open documents show in a file, unless it is open: then its own findings say it."""
        if uri in self.workspace.text_documents:
            return
        found = {(each.code, each.start): each for shown in self.abroad.values() for each in shown.get(uri, ())}
        self.send(uri, None, closed_file(found.values(), self.encoding, self.pages))
        self.worker.soon(lambda: self.pages.write(found.values()))

    def clear(self, uri: str) -> None:
        if uri in self.around:
            self.around.pop(uri).cancel()
        for each in self.shown.pop(uri, set()):
            self.send(each, None, [])
        self.checked.pop(uri, None)
        self.show_abroad(uri, None)
        self.send_abroad(uri)

    def send(self, uri: str, version: int | None, diagnostics: list[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def open_uris(self) -> list[str]:
        return list(dict.fromkeys(self.owner(each.uri) for each in self.workspace.text_documents.values()))

    # --- settings -------------------------------------------------------------------------------

    def configure(self, given: Any) -> None:
        """Take over settings of the client, and look at everything again."""
        try:
            settings = Settings.read({**self.initial, **(given if isinstance(given, dict) else {})})
            configs = self.configs_under(settings)
        except ConfigError as error:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"jaxlint: {error}"))
            return
        self.settings = settings
        self.use(configs)
        if self.ready.is_set():
            self.refresh()

    def use(self, configs: Configs) -> None:
        self.configs, self.importers = configs, Importers(configs)

    def configs_under(self, settings: Settings) -> Configs:
        """The configurations under some settings. A file that is opened makes no plugin load. Raises ConfigError."""
        folders = [filename_of(uri) for uri in self.workspace.folders] or [
            each for each in [self.workspace.root_path] if each
        ]
        named = [] if self.plugins is None and not settings.plugins else self.plugins
        homes = [folder for folder in folders if os.path.isdir(folder)]
        return Configs({**settings.overrides, "plugins": named}, isolated=self.isolated, trust=Trust(homes))

    def refresh(self) -> None:
        """Read the configurations again, and look at all open documents, one after the other.

        What is typed meanwhile has to wait for one of them, and not for all.
        """
        self.use(self.configs_under(self.settings))
        self.earlier, self.checked = self.checked, {}
        if self.refreshing is not None:
            self.refreshing.cancel()
        self.refreshing = asyncio.get_running_loop().create_task(self.publish_all(self.open_uris()))

    async def publish_all(self, uris: list[str]) -> None:
        for uri in uris:
            if uri not in self.pending:  # that is looked at in a moment
                await self.publish(uri)

    def complain(self) -> None:
        """Say once what is wrong with a configuration file."""
        for problem in self.configs.problems:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"jaxlint: {problem}"))
        self.configs.problems.clear()


def make(isolated: bool = False, plugins: list[str] | None = None) -> Server:
    """A server with all its features."""
    server = Server(isolated, plugins)

    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        given = params.initialization_options
        if isinstance(given, dict):
            ls.initial = given[SECTION] if isinstance(given.get(SECTION), dict) else given

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, params: types.InitializedParams) -> None:
        ls.worker.begin()
        watched = types.DidChangeWatchedFilesRegistrationOptions(
            [types.FileSystemWatcher("**/pyproject.toml"), types.FileSystemWatcher("**/*.py")]
        )
        workspace = ls.client_capabilities.workspace
        if workspace and workspace.did_change_watched_files and workspace.did_change_watched_files.dynamic_registration:
            await ls.client_register_capability_async(
                types.RegistrationParams(
                    [types.Registration("watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched)]
                )
            )
        ls.configure({})
        await settings_changed(ls)
        ls.ready.set()

    async def settings_changed(ls: Server) -> None:
        workspace = ls.client_capabilities.workspace
        if workspace and workspace.configuration:
            asked = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
            (given,) = await ls.workspace_configuration_async(asked)
            ls.configure(given)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        pushed = params.settings.get(SECTION) if isinstance(params.settings, dict) else None
        if pushed is not None:
            ls.configure(pushed)
        else:
            await settings_changed(ls)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        ls.refresh()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.later(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.later(ls.owner(params.text_document.uri), ls.settings.debounce)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.refresh()  # what imports the file sees what it holds now

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.clear(params.text_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_did_open(ls: Server, params: types.DidOpenNotebookDocumentParams) -> None:
        take_over(ls.workspace.text_documents)
        ls.later(params.notebook_document.uri, 0)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_did_change(ls: Server, params: types.DidChangeNotebookDocumentParams) -> None:
        take_over(ls.workspace.text_documents)  # of cells that are new
        ls.later(params.notebook_document.uri, ls.settings.debounce)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def notebook_did_save(ls: Server, params: types.DidSaveNotebookDocumentParams) -> None:
        ls.later(params.notebook_document.uri, 0)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_did_close(ls: Server, params: types.DidCloseNotebookDocumentParams) -> None:
        ls.clear(params.notebook_document.uri)

    kinds = [types.CodeActionKind.QuickFix, FIX_ALL, FIX_ALL_UNSAFE]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(kinds, resolve_provider=True))
    async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        checked = await ls.look(ls.owner(uri))
        if checked is None:
            return []
        answers = Answers(checked, ls.encoding, ls.pages, shows_documents=ls.shows_documents, opened=ls.opened())
        only = (
            None if params.context.only is None else [str(getattr(kind, "value", kind)) for kind in params.context.only]
        )
        return await ls.worker.do(lambda: answers.actions(uri, params.range, only, ls.resolves_edits))

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(ls: Server, action: types.CodeAction) -> types.CodeAction:
        """Try the fix that is chosen, and give its edit."""
        data = action.data
        if not isinstance(data, dict):
            return action
        checked = await ls.look(ls.owner(data["uri"]))
        if checked is not None:
            answers = Answers(checked, ls.encoding, ls.pages, opened=ls.opened())
            place = Position(data["row"], data["column"])
            action.edit, why = await ls.worker.do(lambda: answers.resolved(data["code"], place))
            if why:
                ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"jaxlint: {why}"))
        return action

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        checked = await ls.look(ls.owner(uri))
        if checked is None or not ls.settings.hover:
            return None
        return await hovered(ls, checked, uri, params.position)

    async def hovered(ls: Server, checked: Checked, uri: str, position: types.Position) -> types.Hover | None:
        offset = from_client(position, checked.source, _first_row(checked, uri), ls.encoding)
        return await _answer(ls, lambda: Answers(checked, ls.encoding, ls.pages, ls.callers(checked)).hover(offset))

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        uri = params.text_document.uri
        checked = await ls.look(ls.owner(uri))
        if checked is None or not ls.settings.inlay_hints:
            return None
        return await _answer(
            ls, lambda: Answers(checked, ls.encoding, ls.pages, ls.callers(checked)).hints(uri, params.range)
        )

    @server.command(WHY)
    async def why(ls: Server, place: types.TextDocumentPositionParams) -> str | None:
        """What a hover says of a place, also where the client wants no hovers."""
        uri = place.text_document.uri
        checked = await ls.look(ls.owner(uri))
        if checked is None:
            return None
        hover = await hovered(ls, checked, uri, place.position)
        return hover.contents.value if hover is not None and isinstance(hover.contents, types.MarkupContent) else None

    @server.command(EXPLAIN)
    async def explain(ls: Server, rule: str, *more: Any) -> str:
        """The page of a rule as Markdown; the client is asked to show it unless it says that it does so itself."""
        text = await _page(ls, lambda: ls.pages.text(rule))
        if more[:1] == (False,):
            return text
        if ls.shows_documents:
            path = await ls.worker.do(lambda: ls.pages.file(rule))
            await ls.window_show_document_async(types.ShowDocumentParams(path.as_uri(), take_focus=True))
        else:
            ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
        return text

    @server.command(OPEN_PAGE)
    async def open_page(ls: Server, rule: str) -> str | None:
        """Have the client open the address that a rule refers to, which is the answer; None where there is none."""
        address = await _page(ls, lambda: ls.pages.reference(rule))
        if address is not None and ls.shows_documents:
            await ls.window_show_document_async(types.ShowDocumentParams(address, external=True))
        return address

    return server


def _first_row(checked: Checked, uri: str) -> int:
    """The row of the source at which a document begins."""
    return next(row for piece, row in zip(checked.snapshot.pieces, checked.rows) if piece.uri == uri)


async def _answer(ls: Server, work: Callable[[], _T]) -> _T | None:
    """What the worker says; nothing of a text that does not parse."""
    try:
        return await ls.worker.do(work)
    except SourceError:
        return None


async def _page(ls: Server, work: Callable[[], _T]) -> _T:
    """What the worker says of the page of a rule. Raises JsonRpcInvalidParams where there is no such rule."""
    try:
        return await ls.worker.do(work)
    except UnknownRule as problem:
        raise JsonRpcInvalidParams(message=str(problem)) from problem
