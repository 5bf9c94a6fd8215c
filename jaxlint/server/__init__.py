"""``jaxlint server``: a language server, on pygls.

It needs the extra ``server``. What the editor shows comes from the same engine as the report; the
modules here only say it in the words of the protocol:
https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
"""
