"""Locks that the kernel frees when their holder dies. They know nothing of runs' contents or of the store.

A lock is a file under the home folder: `worker.lock`, `store.lock`, and `locks/<run_id>.lock` for each driven run.
They hold between processes on one machine and between two openings in one process; on local disks only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class FileLock:
    """One lock file. `take` may be tried again; `release` also removes the file.

    Args:
        path: the lock file; its folder is made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    @property
    def held(self) -> bool:
        return self._file is not None

    def take(self, *, wait: bool = False) -> bool:
        """True when the lock is ours. With `wait`, returns only then."""
        while self._file is None:
            file = self._open()
            if not _lock(file, wait):
                os.close(file)
                return False
            if _is_at(file, self.path):
                self._file = file
            else:  # its last holder removed it between our open and our lock
                os.close(file)
        return True

    def _open(self) -> int:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)

    def release(self) -> None:
        """Gives the lock back; nothing happens when it is not held."""
        if self._file is None:
            return
        file, self._file = self._file, None
        with suppress(OSError):  # Windows keeps an open file
            self.path.unlink()
        os.close(file)


@contextmanager
def run_lock(home: Path, run_id: str) -> Iterator[bool]:
    """Holds the right to drive a run while the block lasts; gives False when another process holds it."""
    lock = FileLock(home / "locks" / f"{run_id}.lock")
    try:
        yield lock.take()
    finally:
        lock.release()


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _lock(file: int, wait: bool) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True
