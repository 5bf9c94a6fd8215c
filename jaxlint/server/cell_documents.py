"""The texts of notebook cells, which a client may change piece by piece whatever the server says of other documents."""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence

from lsprotocol import types
from pygls.workspace import TextDocument

# The protocol knows these line breaks alone; `str.splitlines` also breaks at form feeds and separators of Unicode.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class CellDocument(TextDocument):
    """A text document that takes changes of parts."""

    def __init__(self, document: TextDocument) -> None:
        super().__init__(
            document.uri,
            document.source,
            document.version,
            document.language_id,
            sync_kind=types.TextDocumentSyncKind.Incremental,
            position_codec=document.position_codec,
        )

    @property
    def lines(self) -> Sequence[str]:
        return tuple(_LINE.findall(self.source))


def take_over(documents: MutableMapping[str, TextDocument]) -> None:
    """Make documents that have just been opened ready for changes of parts."""
    for name, document in list(documents.items()):
        if not isinstance(document, CellDocument):
            documents[name] = CellDocument(document)
