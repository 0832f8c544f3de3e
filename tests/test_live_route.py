"""The live route: what is new, at once, to those who may read it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from refine.events import Called, Event, Failed, Record, Replied, RoundEnded, Started, Stopped, Waiting
from refine.live import LiveTexts, token
from refine.live_route import LiveReader, mark_of, read_cursor, route, written
from refine.types import Ask, Message, ModelCall, Reply, Round, RunSpec, Task, Verdict

SECRET = b"s" * 32
WRITE, READ = ModelCall("writer", (Message("user", ("go",)),)), ModelCall("critic", (Message("user", ("go",)),))


class MemoryLog:
    """What the reader needs of the store, and how often its lines were read."""

    def __init__(self) -> None:
        self.lines: list[Record] = []
        self.rows: list[tuple[str, str, str]] = []
        self.changes = self.reads = 0
        self.add(Started(RunSpec("refine", "polish", Task(draft="old"))))

    def add(self, *events: Event) -> None:
        self.lines += [Record("r", len(self.lines) + n, 0.0, event) for n, event in enumerate(events)]
        self.changes += 1

    def version(self) -> int:
        return self.changes

    def records(self, run_id: str, after: int = -1) -> list[Record]:
        self.reads += 1
        return [record for record in self.lines if record.run_id == run_id and record.seq > after]

    def live_get(self, run_id: str) -> list[tuple[str, str, str]]:
        return self.rows


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def live() -> LiveTexts:
    return LiveTexts()


@pytest.fixture
def news(log: MemoryLog, live: LiveTexts) -> Callable[..., dict[str, object]]:
    reader = LiveReader(log, live)

    def ask(cursor: object = "0") -> dict[str, object]:
        found = reader.news("r", str(cursor))
        assert found is not None
        return found

    return ask


News = Callable[..., dict[str, object]]


def test_only_what_is_new_since_the_cursor_is_sent(log: MemoryLog, live: LiveTexts, news: News) -> None:
    log.add(Called("0", WRITE))
    live.add("r", "0", "writer", "text", "Four ")
    first = news()
    assert first["calls"] == [["0~1", "writer", 0, "Four ", False]]
    live.add("r", "0", "writer", "text", "o'clock")
    assert news(first["at"])["calls"] == [["0~1", "writer", 5, "o'clock", False]]


def test_calls_side_by_side_keep_a_place_each(log: MemoryLog, live: LiveTexts, news: News) -> None:
    log.add(Called("1.0", READ), Called("1.1", READ))
    live.add("r", "1.0", "critic", "text", "ab")
    live.add("r", "1.1", "critic", "text", "xyz")
    at = news()["at"]
    live.add("r", "1.0", "critic", "text", "c")
    assert news(at)["calls"] == [["1.0~1", "critic", 2, "c", False], ["1.1~1", "critic", 3, "", False]]


def test_a_reply_stays_readable_until_its_round_ends(log: MemoryLog, live: LiveTexts, news: News) -> None:
    log.add(Called("0", WRITE))
    live.add("r", "0", "writer", "text", "Four")
    at = news()["at"]
    live.over("r", "0")
    log.add(Replied("0", Reply("Four o'clock")))
    assert news(at)["calls"] == [["0~1", "writer", 4, " o'clock", False]]
    log.add(RoundEnded("1", "0", Round("Four o'clock", Verdict("revise"))))
    assert news(at)["calls"] == []


def test_a_second_attempt_is_another_text(log: MemoryLog, live: LiveTexts, news: News) -> None:
    log.add(Called("0", WRITE))
    live.add("r", "0", "writer", "text", "Half a")
    at = news()["at"]
    live.over("r", "0")
    log.add(Failed("0", "dropped", "gone", wait=0.0), Called("0", WRITE))
    live.add("r", "0", "writer", "text", "All of it")
    assert news(at)["calls"] == [["0~2", "writer", 0, "All of it", False]]


def test_thinking_is_told_and_not_shown(log: MemoryLog, live: LiveTexts, news: News) -> None:
    log.add(Called("0", WRITE))
    live.add("r", "0", "writer", "reasoning", "Hmm, the opening")
    assert news()["calls"] == [["0~1", "writer", 0, "", True]]


def test_another_process_is_read_from_its_rows(log: MemoryLog, news: News) -> None:
    log.add(Called("0", WRITE))
    log.rows = [("0", "writer", "From afar")]
    assert news()["calls"] == [["0~1", "writer", 0, "From afar", False]]


def test_the_log_is_not_read_again_while_nothing_is_committed(log: MemoryLog, live: LiveTexts, news: News) -> None:
    for piece in "abc":
        live.add("r", "0", "writer", "text", piece)
        news()
    assert log.reads == 1


@pytest.mark.parametrize(
    "event",
    [
        Called("0", WRITE),
        RoundEnded("1", "0", Round("text", Verdict("revise"))),
        Failed("0", "rate", "slow down", wait=3.0),
        Waiting("0", "verdict_unclear"),
        Stopped("approved"),
    ],
)
def test_the_mark_moves_when_a_page_must_be_drawn_again(log: MemoryLog, news: News, event: Event) -> None:
    before = news()["mark"]
    log.add(event)
    after = news()["mark"]
    assert before != after == mark_of(log.lines)


def test_the_mark_stays_while_critics_come_and_go(log: MemoryLog, news: News) -> None:
    log.add(Called("0", READ), Called("1", READ))
    before = news()["mark"]
    log.add(Replied("0", Reply("APPROVED")), Called("2", READ))
    assert news()["mark"] == before


def test_the_mark_moves_when_the_writer_hands_over_a_text(log: MemoryLog, news: News) -> None:
    log.add(Called("0", WRITE))
    before = news()["mark"]
    assert written(log.lines) is None
    log.add(Replied("0", Reply("text")), Called("1", READ))
    assert news()["mark"] != before
    said = written(log.lines)
    assert said is not None
    assert (said.call, said.text) == ("0~1", "text")


def test_an_answer_given_moves_the_mark_back_to_open(log: MemoryLog, news: News) -> None:
    log.add(Called("0", Ask("verdict_unclear")), Waiting("0", "verdict_unclear"))
    asked = news()["mark"]
    log.add(Replied("0", Reply("approve")))
    assert news()["mark"] != asked


@pytest.mark.parametrize("cursor", ["", "0", "nonsense", "0~1:-3", "0~1:99999999999999999999", "0~1:9", ":::", "é:٣"])
def test_a_cursor_that_is_not_ours_shows_all(log: MemoryLog, live: LiveTexts, news: News, cursor: str) -> None:
    log.add(Called("0", WRITE))
    live.add("r", "0", "writer", "text", "Four")
    assert news(cursor)["calls"] == [["0~1", "writer", 0, "Four", False]]


def test_a_cursor_is_read_by_call() -> None:
    assert read_cursor("3~1:120,4.1.0~2:0") == {"3~1": 120, "4.1.0~2": 0}


# --- over HTTP -----------------------------------------------------------------------------------------------------


@pytest.fixture
def client(log: MemoryLog, live: LiveTexts) -> TestClient:
    reader = LiveReader(log, live)
    return TestClient(Starlette(routes=[route(lambda: reader, lambda: SECRET)]))


def test_the_token_of_a_run_opens_it(client: TestClient) -> None:
    answer = client.get("/live/r", params={"at": "0", "t": token(SECRET, "r")})
    assert answer.status_code == 200
    assert answer.json() == {"at": "", "calls": [], "mark": "0.0.0.0.open", "over": False}
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("given", ["", "x", token(SECRET, "other"), token(b"t" * 32, "r"), "é"])
def test_any_other_token_is_refused(client: TestClient, given: str) -> None:
    assert client.get("/live/r", params={"t": given}).status_code == 403


def test_a_run_that_is_not_there_is_not_found(client: TestClient) -> None:
    assert client.get("/live/none", params={"t": token(SECRET, "none")}).status_code == 404
    ahead = client.get("/live/none", params={"t": token(SECRET, "none"), "ahead": "1"})
    assert (ahead.status_code, ahead.json()) == (200, {"begun": False})
    assert client.get("/live/none", params={"t": "wrong", "ahead": "1"}).status_code == 403
