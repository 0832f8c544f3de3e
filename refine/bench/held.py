"""A program that refines many texts at once and prints its peak memory in KB: after one of them, and after all.

Linux only. The order comes in on standard input, so that the program holds nothing of the benchmark.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import refine


async def main(drafts: list[str], order: dict[str, Any]) -> None:
    await refine.arefine_text(drafts[0], **order)
    print(peak())
    await asyncio.gather(*[refine.arefine_text(draft, **order) for draft in drafts])
    print(peak())


def peak() -> int:
    """From the process's own account, as the usual one begins with its parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    asyncio.run(main(**json.load(sys.stdin)))
