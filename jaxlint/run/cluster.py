"""A Dask cluster as an executor: each task takes along the files that it is about."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from itertools import chain, zip_longest
from typing import Any

from jaxlint import __version__
from jaxlint.configuration.table import ConfigError
from jaxlint.project.resolver import Answer, Question
from jaxlint.run import remote
from jaxlint.run.job import Job
from jaxlint.run.partition import Chunk, Done, Partition, Work
from jaxlint.source.text import SourceError, read_bytes

PATIENCE = 10  # seconds for the scheduler to answer and to have a worker


class Cluster(Executor):
    """The workers of the Dask scheduler at an address ``dask://HOST:PORT``. Raises ConfigError where there are none."""

    def __init__(self, address: str, divided: Partition) -> None:
        self._address = address
        self._jobs = divided.jobs
        self._chunks = chain.from_iterable(zip_longest(*divided.chunks))  # the large ones first
        try:
            from distributed import Client
        except ImportError as error:
            raise ConfigError(
                f"{self}: there is no Dask here ({error}); install it with `pip install 'flake8-jaxlint[dask]'`"
            ) from error
        for name in ("distributed", "distributed.client"):  # what goes wrong is said here, and in fewer words
            logging.getLogger(name).setLevel(logging.CRITICAL)
        where = address.replace("dask://", "tcp://")
        try:
            self._client = Client(where, timeout=PATIENCE, set_as_default=False, name="jaxlint")
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"{self}: no scheduler answers there ({_first_line(error)}); start one with `dask scheduler`"
            ) from error
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            self._client.close()
            raise ConfigError(f"{self}: the scheduler has no worker; start one with `dask worker {where}`") from error
        self._contents: dict[str, Any] = {}  # futures of what files hold, by path
        self._left: set[Done] = set()
        self._lock = threading.Lock()  # replies come in threads of their own

    def __str__(self) -> str:
        return f"--executor {self._address}"

    def submit(self, work: Work, /) -> Done:  # type: ignore[override]
        """Do ``work`` on a chunk."""
        chunk = next(chunk for chunk in self._chunks if chunk is not None)
        future: Done = Future()
        self._left.add(future)
        with self._lock:
            self._send(future, work, chunk, remote.questions(self._of(chunk)))
        return future

    def _of(self, chunk: Chunk) -> list[Job]:
        return [self._jobs[at] for at in chunk]

    def _send(self, future: Done, work: Work, chunk: Chunk, answers: dict[Question, Answer]) -> None:
        jobs = self._of(chunk)
        contents = self._sent({path for question, path in answers if question == "text"})
        task = self._client.submit(remote.do, work, remote.Parcel.of(jobs, answers), contents, pure=False)
        task.add_done_callback(lambda done: self._received(done, future, work, chunk, answers))

    def _sent(self, paths: set[str]) -> Mapping[str, Any]:
        """What files hold, on the cluster: each travels once, and is sent again where the worker that has it is lost."""
        for path in sorted(paths - self._contents.keys()):
            content: remote.Content
            try:
                content = read_bytes(path)
            except SourceError as error:
                content = error
            packed = remote.pack(content)
            key = f"jaxlint-{hashlib.blake2b(packed, digest_size=20).hexdigest()}"
            self._contents[path] = self._client.submit(_itself, packed, key=key)
        return {path: self._contents[path] for path in sorted(paths)}

    def _received(self, task: Any, future: Done, work: Work, chunk: Chunk, answers: dict[Question, Answer]) -> None:
        if future.done():
            return
        try:
            error = self._failure(task)
            if error is not None:
                raise error
            reply = task.result()
            if reply.problem is not None:
                raise ConfigError(f"{self}: a worker {reply.problem}; {self._cure}")
            if reply.unanswered:
                with self._lock:
                    self._send(future, work, chunk, {**answers, **remote.answers(reply.unanswered, self._of(chunk))})
                return
            future.set_result((chunk, remote.received(reply.outcomes, self._of(chunk))))
        except Exception as failure:
            future.set_exception(failure)

    def _failure(self, task: Any) -> Exception | None:
        from distributed import KilledWorker

        if task.status == "finished":
            return None
        if task.status != "error":
            return ConfigError(f"{self}: the scheduler is gone; see to it, or leave the option out")
        error = task.exception()
        if isinstance(error, KilledWorker):
            return BrokenExecutor(str(error))
        return ConfigError(
            f"{self}: a worker cannot do the work ({type(error).__name__}: {_first_line(error)}); {self._cure}"
        )

    @property
    def _cure(self) -> str:
        return f"install flake8-jaxlint {__version__} there as it is here"

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for future in self._left:
            future.cancel()
        self._client.close()


def _itself(packed: bytes) -> bytes:
    return packed


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
