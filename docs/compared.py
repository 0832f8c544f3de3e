"""Comparisons made for the pictures in a home folder: real runs of scripted models behind a server of this process.

Their ids are `compared-<language>`. The server, its endpoint and its prices are gone when the pictures are taken.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from refine import comparisons, conductor
from refine.models.fake_server import running
from refine.plan import Entry, Plan, Text
from refine.runs import Workbench, open_workbench
from refine.settings import write_endpoint
from refine.types import Endpoint

SAMPLES = Path(__file__).parent.parent / "data" / "samples"
WHERE, PRICES = "studio", "prices.yaml"
CRITIC, JUDGE = "gpt-5-mini", "qwen-max"
"""Names that no character has are played by the steady one."""
TEXTS = {"en": ("newsletter", "blog", "letter", "memo", "howto", "clean"), "zh": ("zh", "zh-clean")}
TITLES = {"en": "Newsletter prompts", "zh": "通讯稿的提示词"}
WRITERS = {
    "en": {"polish": "qwen-plus", "plain-language": "lenient", "shorten": "degrading"},
    "zh": {"zh-polish": "qwen-plus", "classic-zh": "lenient"},
}


def make(home: Path) -> None:
    """One comparison in each language. `REFINE_HOME` must name the folder."""
    (home / PRICES).write_text(f'{WHERE}:\n  "*": {{input: 0.5, output: 1.5}}\n', encoding="utf-8")
    with running() as server:
        write_endpoint(home, Endpoint(WHERE, server.url))
        bench = open_workbench()
        for language in TEXTS:
            comparisons.begin(bench, comparisons.prepare(bench, plan(language)), f"compared-{language}")
        asyncio.run(conduct(bench))
        bench.store.close()
    (home / "endpoints.yaml").unlink()
    (home / PRICES).unlink()


async def conduct(bench: Workbench) -> None:
    for language in TEXTS:
        await conductor.conduct(bench, f"compared-{language}")
    await bench.aclose()


def plan(language: str) -> Plan:
    samples = [(SAMPLES / f"{name}.md").read_text(encoding="utf-8") for name in TEXTS[language]]
    entries = [Entry(folder, changes=played(writer)) for folder, writer in WRITERS[language].items()]
    return Plan(
        tuple(entries),
        tuple(map(Text, samples)),
        title=TITLES[language],
        one_prompt=language == "en",
        judge=f"{WHERE}/{JUDGE}",
        pairs=True,
    )


def played(writer: str) -> dict[str, str]:
    models = {"writer": writer, "critic": CRITIC}
    return {f"role.{role}.{field}": value for role, model in models.items()
            for field, value in (("endpoint", WHERE), ("model", model))}  # fmt: skip
