"""Facts kept over runs, and the tools of the sample worlds, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from refine import tools
from refine.settings import remember_secret
from refine.tools import Observation, Surroundings
from refine.tools.memory import LONGEST_FACT, MOST_FACTS
from refine.tools.workspace import folder


class Memory:
    def __init__(self, language: str = "en") -> None:
        self.facts: list[str] = []
        self.around = Surroundings(
            language=language, remember=lambda fact: self.facts.insert(0, fact), recall=lambda: self.facts
        )

    def __call__(self, tool: str, **arguments: str) -> Observation:
        return tools.call(tool, arguments, ["remember", "recall"], self.around)


def test_facts_are_kept_once_and_found_by_plain_search() -> None:
    memory = Memory()
    for fact in ("The fair is on 9 May.", "Ann signs all letters.", " The   fair is on 9 May. ", "安签所有的信。"):
        assert not memory("remember", fact=fact).error
    assert memory.facts == ["安签所有的信。", "Ann signs all letters.", "The fair is on 9 May."]
    assert memory("recall", words="who signs letters").text == "- Ann signs all letters."
    assert memory("recall", words="FAIR").text == "- The fair is on 9 May."
    assert memory("recall", words="所有").text == "- 安签所有的信。"
    assert memory("recall").text.splitlines()[0] == "- 安签所有的信。"
    assert memory("recall", words="zebra").text == "Nothing about that is kept."


def test_facts_are_told_in_chinese() -> None:
    memory = Memory("zh")
    assert memory("recall").text == "没有记住相关的内容。"
    assert memory("remember", fact="安签所有的信。").text == "已记住。"
    assert memory("remember", fact="安签所有的信。").text == "这一条已经记住了。"


@pytest.mark.parametrize("fact", ["", "  ", "x" * (LONGEST_FACT + 1)])
def test_a_fact_has_a_size(fact: str) -> None:
    memory = Memory()
    assert memory("remember", fact=fact).error == "failed" and not memory.facts


def test_memory_is_not_without_end() -> None:
    memory = Memory()
    memory.facts = [f"fact {n}" for n in range(MOST_FACTS)]
    assert memory("remember", fact="one more").error == "failed" and len(memory.facts) == MOST_FACTS
    assert len(memory("recall", words="fact").text.splitlines()) == 10


def test_no_key_is_remembered() -> None:
    remember_secret("mm4-canary-7781-yy")
    memory = Memory()
    memory("remember", fact="The key is mm4-canary-7781-yy and the token: abcdef123456.")
    assert memory.facts == ["The key is *** and the token: ***"]


def test_where_nothing_can_be_kept_the_tool_fails_in_words() -> None:
    seen = tools.call("remember", {"fact": "a fact"}, ["remember"], Surroundings())
    assert seen.error == "failed"


# --- sample worlds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("city", ["Beijing", " beijing ", "北京", "BEIJING"])
def test_the_weather_of_the_sample_world_is_always_the_same(city: str) -> None:
    def use(language: str) -> Observation:
        return tools.call("weather", {"city": city}, ["weather"], Surroundings(language=language))

    assert use("en") == Observation("Beijing now: 18 °C, clear, humidity 40 %, wind 3 m/s (sample data)")
    assert use("zh") == Observation("北京现在：18 °C，晴，湿度 40%，风速 3 米/秒（示例数据）")


def test_an_unknown_city_is_said_with_the_known_ones() -> None:
    seen = tools.call("weather", {"city": "Rome"}, ["weather"], Surroundings())
    assert seen.error == "failed" and "Beijing, Shanghai" in seen.text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_server_restarts_under_its_whole_id_only(language: str, tmp_path: Path) -> None:
    around = Surroundings(language=language, workspace=folder(tmp_path, "run"))

    def use(tool: str, **arguments: str) -> Observation:
        return tools.call(tool, arguments, tools.names(), around)

    down, up = {"en": ("srv-001 (web pages): down", "up"), "zh": ("srv-001（网页）：停机", "正常")}[language]
    assert use("list_servers").text.splitlines()[0] == down
    refused = use("restart_server", id="001")
    assert refused.error == "failed" and "srv-" in refused.text
    assert use("server_status", id="srv-001").text == down
    assert use("restart_server", id="srv-001").text.endswith(up)
    assert use("restart_server", id="srv-001").text.endswith(up)
    assert use("server_status", id=" srv-001 ").text.endswith(up)
    assert use("list_servers").text.splitlines()[0].endswith(up)
    missing = use("server_status", id="srv-009")
    assert missing.error == "failed" and "srv-003" in missing.text


def test_servers_are_listed_without_a_workspace_and_not_restarted() -> None:
    assert not tools.call("list_servers", {}, ["list_servers"], Surroundings()).error
    seen = tools.call("restart_server", {"id": "srv-001"}, ["restart_server"], Surroundings())
    assert seen == Observation("This run has no workspace, so there are no files.", "failed")
