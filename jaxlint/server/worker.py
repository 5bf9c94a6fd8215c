"""The thread that looks at documents, and the search for what it leaves behind.

Python looks for garbage whenever enough objects have been made, and now and then at everything there is, which
takes longer than looking at a document does. Here the new objects are looked at after each piece of work, when its answer
has been sent, and everything when nobody has asked for anything for a while.
"""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from jaxlint.configuration.config import Configs
from jaxlint.server.documents import Piece, Snapshot, check

_T = TypeVar("_T")

STACK = 256 << 20  # bytes for the thread: analysis recurses as deep as the code nests
IDLE = 10.0  # seconds without work

_SHORT = "import jax\nprint(jax.jit(lambda x: 1 if x > 0 else 2)(1.0))\n"


class Worker:
    """Does one piece of work at a time."""

    def __init__(self) -> None:
        before = threading.stack_size(STACK)
        try:
            self._thread = ThreadPoolExecutor(1, "jaxlint")
            self._thread.submit(lambda: None).result()  # the thread starts with the stack size of this moment
        finally:
            threading.stack_size(before)
        self._idle: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Get ready while the client still does."""
        gc.disable()
        self._thread.submit(warm_up)

    async def do(self, work: Callable[[], _T]) -> _T:
        """What ``work`` gives."""
        loop = asyncio.get_running_loop()
        if self._idle is not None:
            self._idle.cancel()
        try:
            return await loop.run_in_executor(self._thread, work)
        finally:
            self._thread.submit(sweep)
            self._idle = loop.call_later(IDLE, self._thread.submit, gc.collect)

    def soon(self, work: Callable[[], object]) -> None:
        """Have something done for which nobody waits."""
        self._thread.submit(work)


def warm_up() -> None:
    """Load what looking at a document takes; it is there for good, and no search for garbage goes through it."""
    check(Snapshot("", "short.py", (Piece("", 0, _SHORT),)), Configs(isolated=True).for_file("short.py"))
    gc.collect()
    gc.freeze()


def sweep() -> None:
    """Free what the last piece of work has left behind."""
    gc.collect(1)
