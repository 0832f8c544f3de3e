"""The store keeps what it said it kept: through rivals, kills, full disks and damage."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection
from sqlalchemy.dialects import sqlite

from refine import variants
from refine.errors import LogError, Lost, SettingsError, StoreError
from refine.events import Called, Event, Failed, Noted, Record, Replied, Started, Stopped, Waiting, to_json
from refine.prompts import prompt_hash
from refine.store import RunRow, Store, Wanted, run_list
from refine.store.database import PAGE_BYTES as PAGE
from refine.store.packing import pack, pack_event, text_ids, unpack
from refine.types import CheckCall, Message, ModelCall, Reply, Role, RunSpec, Task, ToolUse

SPEC = RunSpec("refine", "polish", Task(title="A letter", draft="Dear reader. " * 20))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(tmp_path)
    yield store
    store.close()


def called(at: int | str, text: str = "x") -> Called:
    return Called(str(at), CheckCall("grammar", text))


def events(store: Store, run_id: str) -> list[Event]:
    return [record.event for record in store.records(run_id)]


def append(store: Store, run_id: str, seq: int, *events: Event, urgent: bool = True) -> None:
    store.append(run_id, seq, events, urgent=urgent).result(20)


# --- the log -----------------------------------------------------------------------------------------------


def test_a_run_is_read_back_as_it_was_written(store: Store) -> None:
    long = "A sentence that is sent again and again. " * 40
    call = Called("0", ModelCall("critic", (Message("user", (long, "short")),), tools=({"name": "t", "note": long},)))
    reply = Replied("0", Reply(content=long + "\n", value={"deep": [1, None, 2.5, {"text": long}]}))
    store.create("r1", SPEC, queue=False)
    append(store, "r1", 1, call, reply)
    assert events(store, "r1") == [Started(SPEC), call, reply]
    assert [record.seq for record in store.records("r1", after=0)] == [1, 2]
    assert (store.spec("r1"), store.spec("r2")) == (SPEC, None)


@pytest.mark.parametrize("name", variants.names())
def test_a_run_that_was_just_made_is_handed_on_as_it_would_be_read_back(name: str, store: Store) -> None:
    spec = replace(variants.load(name).spec, task=Task("A title", "A draft. " * 50, keep=("a fact",)))
    assert store.creating("r1", spec, queue=False).result(10) == store.records("r1")


def test_runs_made_side_by_side_wait_for_one_commit_and_a_taken_id_harms_none(store: Store) -> None:
    store.create("taken", SPEC, queue=False)
    going = threading.Event()
    store.journal.do(lambda db: going.wait(10))
    made = {run_id: store.creating(run_id, SPEC, queue=False) for run_id in ("a", "taken", "b")}
    assert not any(future.done() for future in made.values())
    going.set()
    with pytest.raises(StoreError, match="There is a run taken already"):
        made["taken"].result(10)
    assert all(made[run_id].result(10) == store.records(run_id) for run_id in ("a", "b"))
    assert [store.last_seq(run_id) for run_id in ("a", "b", "taken")] == [0, 0, 0]


def test_a_text_is_stored_once_however_often_it_is_sent(store: Store) -> None:
    draft = "".join(random.Random(1).choices("abcdefgh ", k=20_000))
    store.create("r1", SPEC, queue=False)
    for seq in range(1, 51):
        append(store, "r1", seq, called(seq, draft))
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("select count(*), sum(length(text)) from texts where length(text) > 1000").fetchone() == (
            1,
            20_000,
        )
        assert db.execute("select max(length(event)) from log where seq > 0").fetchone()[0] < 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=()), max_size=100),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["schema", "tools"]) | st.text(max_size=20), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=80, deadline=None)
@given(JSON)
def test_packing_loses_nothing_and_names_every_text(data: Any) -> None:
    line, texts = pack(data)
    assert set(texts) <= set(text_ids(line))
    assert unpack(line, texts) == data


@pytest.mark.parametrize(
    "call",
    [
        ModelCall("actor", ()),
        ModelCall("actor", (Message("system", ("long " * 99, "Step 1")), Message("user", ("short",)))),
        ModelCall("actor", (Message("user", ("\0id", "\0{id", "half \ud83d", '"messages":[]')),) * 2),
        ModelCall("actor", (Message("user", ("x" * 239, "yy")), Message("tool", ("18 °C",), tool_call_id="i" * 300))),
        ModelCall("actor", (Message("assistant", (), (ToolUse("1", "t", "{}"),), reasoning="Hm."),), closing=True),
        ModelCall('"messages":[]', (Message("user", ("q",)),), ({"messages": []},), {"messages": []}),
    ],
    ids=["none", "long and short", "marks", "edges", "calls", "names"],
)
def test_the_line_of_a_call_says_what_it_would_if_no_part_of_it_were_remembered(call: ModelCall) -> None:
    event = Called("3", call)
    for _ in range(2):
        line, texts = pack_event(event)
        assert unpack(line, texts) == to_json(event)
        assert set(texts) == set(pack(to_json(event))[1])


def test_a_schema_and_tools_are_stored_once_however_often_they_are_sent(store: Store) -> None:
    names = [f"tool number {number}" for number in range(20)]
    tools, schema = tuple({"name": name} for name in names), {"enum": names}
    store.create("r1", SPEC, queue=False)
    for seq in range(1, 4):
        call = ModelCall("actor", (Message("user", (f"step {seq}",)),), tools=tools, schema=schema)
        append(store, "r1", seq, Called(str(seq), call))
    calls = [event.call for event in events(store, "r1") if isinstance(event, Called)]
    assert [(call.tools, call.schema) for call in calls if isinstance(call, ModelCall)] == [(tools, schema)] * 3
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("select max(length(event)) from log where seq > 0").fetchone()[0] < 200
        assert db.execute("select count(*) from texts where text like '%tool number%'").fetchone() == (2,)


@pytest.mark.parametrize(
    "text",
    [
        "\0" + "a" * 16,
        'a"\0abcdefghijklmnop',
        "\0",
        "half a pair \ud83d " * 9,
        "\ud83d",
        "\0\ud83d" * 50,
        "\\\0" * 60,
        "长" * 200,
    ],
)
def test_no_text_of_a_user_is_taken_for_an_id_or_lost(store: Store, text: str) -> None:
    store.create("r1", SPEC, queue=False)
    append(store, "r1", 1, called(0, text))
    assert events(store, "r1")[1] == called(0, text)


def test_values_that_are_not_json_are_refused_and_the_next_line_is_written(store: Store) -> None:
    store.create("r1", SPEC, queue=False)
    with pytest.raises(StoreError, match="not JSON"):
        append(store, "r1", 1, Called("0", CheckCall("grammar", "x", {"odd": object()})))
    append(store, "r1", 1, called(0))
    assert events(store, "r1")[1:] == [called(0)]


def test_of_two_drivers_the_second_is_lost_and_other_runs_in_the_commit_stand(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as one, closing(Store.open(tmp_path)) as two:
        one.create("shared", SPEC, queue=False)
        one.create("other", SPEC, queue=False)
        append(one, "shared", 1, called("a"))
        held = threading.Event()
        two.journal.do(lambda _: held.wait(5))  # so that what follows shares one commit
        late = two.append("shared", 1, [called("b"), called("c")], urgent=True)
        later = two.append("shared", 2, [called("d")], urgent=True)
        fine = two.append("other", 1, [called("e")], urgent=True)
        held.set()
        assert isinstance(late.exception(20), Lost)
        fine.result(20)
        later.result(20)  # the line itself was free: without `run_log` the fence is only as good as its caller
        assert events(one, "shared")[1:] == [called("a"), called("d")]
        assert events(one, "other")[1:] == [called("e")]


async def test_a_driver_that_lost_writes_nothing_more_even_if_it_does_not_look(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as one, closing(Store.open(tmp_path)) as two:
        one.create("shared", SPEC, queue=False)
        winner, loser = one.run_log("shared", 1), two.run_log("shared", 1)
        winner.append(called("a"))
        await winner.durable()
        loser.append(called("b"))
        loser.append(called("c"), called("d"))
        with pytest.raises(Lost):
            await loser.durable()
        winner.append(called("e"))
        await winner.durable()
        assert events(one, "shared")[1:] == [called("a"), called("e")]


async def test_two_hundred_drivers_share_commits(store: Store) -> None:
    async def drive(run_id: str) -> None:
        log = store.run_log(run_id, 1)
        for n in range(3):
            log.append(called(n), Replied(str(n), Reply("x")))
            await log.durable()

    ids = [f"r{n}" for n in range(200)]
    for run_id in ids:
        store.create(run_id, SPEC, queue=False)
    await asyncio.gather(*(drive(run_id) for run_id in ids))
    assert all(store.last_seq(run_id) == 6 for run_id in ids)


async def test_a_cancelled_wait_does_not_undo_the_line(store: Store) -> None:
    store.create("r1", SPEC, queue=False)
    held = threading.Event()
    store.journal.do(lambda _: held.wait(5))
    waiting = asyncio.wrap_future(store.append("r1", 1, [called(0)], urgent=True))
    waiting.cancel()
    held.set()
    append(store, "r1", 2, called(1))
    assert events(store, "r1")[1:] == [called(0), called(1)]


def test_no_line_is_written_behind_a_hole(store: Store) -> None:
    store.create("r1", SPEC, queue=False)
    with pytest.raises(StoreError, match="Resume the run"):
        append(store, "r1", 3, called(0))
    assert store.last_seq("r1") == 0


def test_eight_writers_write_two_hundred_lines_each_without_a_lock_showing(tmp_path: Path) -> None:
    stores = [Store.open(tmp_path) for _ in range(8)]
    failures: list[BaseException] = []

    def write(store: Store, run_id: str) -> None:
        try:
            store.create(run_id, SPEC, queue=False)
            futures = [store.append(run_id, seq, [called(seq)], urgent=seq % 5 == 0) for seq in range(1, 201)]
            for future in futures:
                future.result(30)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(store, f"r{n}")) for n, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [stores[0].last_seq(f"r{n}") for n in range(8)] == [200] * 8
    for store in stores:
        store.close()


def test_order_is_by_number_whatever_the_clock_says(tmp_path: Path) -> None:
    times = iter([5_000.0, 4_000.0, 3_000.0, 2_000.0, 1_000.0])
    with closing(Store.open(tmp_path, now=lambda: next(times))) as store:
        store.create("r1", SPEC, queue=False)
        for seq in (1, 2, 3):
            append(store, "r1", seq, called(seq))
        assert [record.event for record in store.records("r1")][1:] == [called(1), called(2), called(3)]


# --- kills, full disks, damage -----------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from refine.events import Called
from refine.store import Store
from refine.types import CheckCall, RunSpec, Task
store = Store.open(Path(sys.argv[1]))
run_id = sys.argv[2]
store.create(run_id, RunSpec("refine", "polish", Task(draft="x" * 500)), queue=True)
print(0, flush=True)
for seq in range(1, 100_000):
    store.append(run_id, seq, [Called(str(seq), CheckCall("grammar", str(seq) * 200))], urgent=True).result()
    print(seq, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_kill_9_loses_no_acknowledged_line(tmp_path: Path) -> None:
    chance = random.Random(4)
    for n in range(3):
        run_id = f"r{n}"
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), run_id], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        for _ in range(chance.randint(1, 60)):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        said = [line for line in process.stdout.read().split("\n")[:-1] if line]
        process.wait()
        with closing(Store.open(tmp_path)) as store:
            assert store.notice == ""
            seqs = [record.seq for record in store.records(run_id)]
            assert seqs == list(range(len(seqs)))
            assert not said or seqs[-1] >= int(said[-1])
            assert run_id in store.unfinished()


def sql(store: Store, text: str) -> Any:
    """Lets the writing thread do a statement; gives its first value, if it has one."""

    def act(db: Connection) -> Any:
        result = db.exec_driver_sql(text)
        return result.scalar() if result.returns_rows else None

    return store.journal.do(act).result()


def leave_pages(store: Store, pages: int) -> None:
    sql(store, f"pragma max_page_count = {sql(store, 'pragma page_count') + pages}")


def test_a_full_disk_stops_the_write_and_keeps_what_was_there(store: Store) -> None:
    store.create("r1", SPEC, queue=False)
    leave_pages(store, 4)
    big = [called(n, f"{n} " * 60_000) for n in range(3)]
    with pytest.raises(StoreError, match="disk is full"):
        append(store, "r1", 1, *big)
    assert store.last_seq("r1") == 0
    leave_pages(store, 100_000)
    append(store, "r1", 1, *big)
    assert events(store, "r1")[1:] == big


def test_after_a_failed_write_a_driver_does_not_go_on_behind_the_hole(store: Store) -> None:
    async def drive() -> None:
        log = store.run_log("r1", 1)
        log.append(called(0, "big " * 50_000))
        with pytest.raises(StoreError, match="disk is full"):
            await log.durable()
        log.append(called(1))
        with pytest.raises(StoreError, match="disk is full"):
            await log.durable()

    store.create("r1", SPEC, queue=False)
    leave_pages(store, 4)
    asyncio.run(drive())
    assert store.last_seq("r1") == 0


def fill(home: Path, runs: int) -> dict[str, list[Record]]:
    chance = random.Random(2)
    with closing(Store.open(home)) as store:
        for n in range(runs):
            store.create(f"r{n:03}", SPEC, queue=n % 2 == 0)
            for seq in range(1, 6):
                append(store, f"r{n:03}", seq, called(seq, "".join(chance.choices("abcdef ", k=700))))
        store.draft_put("page", {"text": "typed"})
        return {f"r{n:03}": store.records(f"r{n:03}") for n in range(runs)}


def test_a_damaged_file_is_set_aside_and_what_can_be_read_is_kept(tmp_path: Path) -> None:
    written = fill(tmp_path, 30)
    file = tmp_path / "refine.db"
    before = bytearray(file.read_bytes())
    for page in (len(before) // PAGE // 3, len(before) // PAGE // 2):
        before[page * PAGE : page * PAGE + 4096] = os.urandom(4096)
    file.write_bytes(before)
    with closing(Store.open(tmp_path)) as store:
        assert "set aside as refine.db.damaged-" in store.notice
        kept = {run_id: store.records(run_id) for run_id in written if store.exists(run_id)}
        assert len(kept) >= 10
        assert sum(kept[run_id] == written[run_id] for run_id in kept) >= 8
        assert all(written[run_id][: len(records)] == records for run_id, records in kept.items())
        assert {row.run_id for row in store.runs()} == set(kept)
        append(store, next(iter(kept)), len(kept[next(iter(kept))]), called(9))
    aside = next(path for path in tmp_path.iterdir() if ".damaged-" in path.name)
    assert aside.read_bytes() == before
    with closing(Store.open(tmp_path)) as store:
        assert store.notice == ""


def test_damage_met_in_a_large_file_is_mended_at_the_next_start(tmp_path: Path) -> None:
    fill(tmp_path, 30)
    with closing(Store.open(tmp_path)) as store:
        with open(store.path, "r+b") as file:
            file.seek(PAGE)
            file.write(os.urandom(store.path.stat().st_size - PAGE))
        with closing(sqlite3.connect(store.path)) as db, pytest.raises(sqlite3.DatabaseError):
            db.execute("select * from log").fetchall()
        with pytest.raises(StoreError, match="Start Refine again"):
            store.records("r001")
    assert (tmp_path / "refine.db.suspect").exists()
    with closing(Store.open(tmp_path)) as store:
        assert store.notice
    assert not (tmp_path / "refine.db.suspect").exists()


def test_a_table_of_rows_that_can_be_dropped_comes_back_at_the_next_start(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    with closing(sqlite3.connect(tmp_path / "refine.db")) as db:
        db.execute("drop table summary")
    with closing(Store.open(tmp_path)) as store:
        assert [row.status for row in store.runs()] == ["running", "running"]


def test_a_file_that_is_no_store_is_set_aside_with_a_word_to_the_user(tmp_path: Path) -> None:
    (tmp_path / "refine.db").write_bytes(b"my shopping list, " * 1000)
    with closing(Store.open(tmp_path)) as store:
        assert "0 runs" in store.notice
        store.create("r1", SPEC, queue=False)
    assert next(tmp_path.glob("refine.db.damaged-*")).read_bytes().startswith(b"my shopping")


def test_a_salvage_that_was_cut_between_its_last_steps_is_finished(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    (tmp_path / "refine.db").rename(tmp_path / "refine.db.salvaged")
    with closing(Store.open(tmp_path)) as store:
        assert store.exists("r001")


def test_a_line_whose_text_is_gone_is_named_as_damage(store: Store) -> None:
    store.create("r1", SPEC, queue=False)
    sql(store, "delete from texts")
    with pytest.raises(LogError, match="missing"):
        store.records("r1")


def test_a_newer_file_is_refused_in_words(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "refine.db")) as db:
        db.execute("pragma user_version = 99")
    with pytest.raises(StoreError, match=r"newer Refine.*Update Refine"):
        Store.open(tmp_path)


def test_two_can_open_a_new_folder_at_once(tmp_path: Path) -> None:
    home = tmp_path / "schöne Texte 稿"
    stores: list[Store] = []
    threads = [threading.Thread(target=lambda: stores.append(Store.open(home))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 6
    stores[0].create("r1", SPEC, queue=False)
    assert all(store.exists("r1") for store in stores)
    for store in stores:
        store.close()


def test_a_folder_that_cannot_hold_a_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(SettingsError, match="Set REFINE_HOME"):
        Store.open(tmp_path / "file")
    (tmp_path / "odd" / "refine.db").mkdir(parents=True)
    with pytest.raises(StoreError, match="could not be opened"):
        Store.open(tmp_path / "odd")


def test_every_connection_is_safe_and_tables_have_row_ids(store: Store) -> None:
    for pragma, value in {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 15_000}.items():
        assert sql(store, f"pragma {pragma}") == value
    with closing(sqlite3.connect(store.path)) as db:
        assert all("WITHOUT ROWID" not in (sql or "") for (sql,) in db.execute("select sql from sqlite_master"))


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.create("r1", SPEC, queue=False)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        append(store, "r1", 1, called(0))


# --- runs --------------------------------------------------------------------------------------------------


def test_a_new_run_stands_in_the_list_with_its_words(store: Store) -> None:
    store.create("r1", SPEC, queue=True)
    store.create("r2", RunSpec("single", "classic", Task(draft="\n## First words\nmore")), queue=False)
    newest, oldest = store.runs()
    assert (newest.title, newest.technique, newest.status) == ("First words", "single", "running")
    assert (oldest.title, oldest.variant, oldest.status) == ("A letter", "polish", "queued")
    assert [row.run_id for row in store.runs(Wanted("LETTER"))] == ["r1"]
    assert [row.run_id for row in store.runs(Wanted("100%"))] == []
    assert [row.run_id for row in store.runs(limit=1, offset=1)] == ["r1"]


def test_an_id_is_taken_once(store: Store) -> None:
    store.create("r1", SPEC, queue=False)
    with pytest.raises(StoreError, match="already"):
        store.create("r1", SPEC, queue=True)
    assert store.queued() == []


def test_a_whole_run_from_elsewhere_keeps_its_id_and_times(store: Store) -> None:
    records = [Record("r1", 0, 5.0, Started(SPEC)), Record("r1", 1, 7.5, Stopped("approved"))]
    store.add(records)
    assert store.records("r1") == records
    assert [(row.run_id, row.title, row.at) for row in store.runs()] == [("r1", "A letter", 5.0)]
    assert store.unfinished() == store.queued() == []
    with pytest.raises(StoreError, match="already"):
        store.add(records)


def test_a_fork_begins_with_what_it_inherits(store: Store) -> None:
    store.create("r1", SPEC, queue=True, inherited=[called(0), Replied("0", Reply("x"))])
    assert len(store.records("r1")) == 3
    append(store, "r1", 3, called(1))


def test_summary_rows_can_be_dropped_and_are_made_again(tmp_path: Path) -> None:
    def summarise(records: list[Record]) -> RunRow:
        return RunRow(
            records[0].run_id, "", "", "", 0.0, "done", "approved", len(records), Decimal("0.10"), "EUR", 5, 6
        )

    with closing(Store.open(tmp_path, summarise=summarise)) as store:
        for run_id in ("r1", "r2"):
            store.create(run_id, SPEC, queue=False)
        row = RunRow("r1", "New title", "refine", "polish", 0.0, "waiting", "", 2, None)
        store.summarise("r1", row).result()
        assert [(r.title, r.status, r.cost) for r in store.runs(Wanted("r1"))] == [("New title", "waiting", None)]
        sql(store, "delete from summary")
        assert [(r.run_id, r.title, r.reason, r.cost) for r in store.runs(Wanted(status="approved"))] == [
            ("r2", "A letter", "approved", Decimal("0.10")),
            ("r1", "New title", "approved", Decimal("0.10")),
        ]


def test_the_first_rows_of_a_hundred_thousand_runs_come_at_once(store: Store) -> None:
    many = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) "
    runs = "insert into runs select printf('x%06d', i), i, 'Title ' || i, 'refine', 'v', 'ended', '', '', '' from n"
    rows = "insert into summary select printf('x%06d', i), 'done', '', 1, '0', 'USD', 1, 1, '', 0 from n"
    for table in (runs, rows):
        sql(store, table.replace("insert", many + "insert", 1))
    plan = f"explain query plan {run_list.listing(Wanted()).limit(100).compile(dialect=sqlite.dialect())}"
    with closing(sqlite3.connect(store.path)) as db:
        steps = str(db.execute(plan, ("", 100, 0)).fetchall())
        assert "SCAN runs USING INDEX runs_listed" in steps and "TEMP B-TREE" not in steps
    assert store.runs(limit=1)[0].title == "Title 100000"
    assert len(store.runs(Wanted("title 9999"), limit=20)) == 11
    assert store.count_runs() == store.count_runs(Wanted(status="unapproved")) == 100_000
    assert store.unfinished() == []


def test_runs_that_go_on_or_wait_stand_first(store: Store) -> None:
    for run_id in ("r1", "r2", "r3", "r4"):
        store.create(run_id, SPEC, queue=False)
    append(store, "r2", 1, called(0), Waiting("0", "unclear"))
    append(store, "r3", 1, Stopped("approved"))
    append(store, "r4", 1, Stopped("approved"))
    assert [row.run_id for row in store.runs()] == ["r2", "r1", "r4", "r3"]


def test_a_list_can_be_narrowed_by_all_that_it_knows(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path, now=iter((10.0, 20.0, 30.0)).__next__)) as store:
        rows = {
            "r1": RunRow("r1", "", "", "", 0, "done", "approved", 2, Decimal("0.5"), scores=(5, 7.5), seconds=2.5),
            "r2": RunRow("r2", "", "", "", 0, "done", "max_rounds", 2, Decimal("0.01")),
            "r3": RunRow("r3", "", "", "", 0, "waiting", "", 2, None),
        }
        roles = (Role("writer", endpoint="openai", model="gpt"), Role("critic", endpoint="openai", model="gpt-mini"))
        for n, (run_id, row) in enumerate(rows.items()):
            spec = replace(SPEC, roles=roles[n:], variant=f"v{n}", technique="single" if n else "refine")
            store.create(run_id, spec, queue=False)
            store.summarise(run_id, row).result()

        def found(**wanted: Any) -> str:
            ids = "".join(sorted(row.run_id for row in store.runs(Wanted(**wanted))))
            assert store.count_runs(Wanted(**wanted)) == len(ids) // 2
            return ids

        assert found() == "r1r2r3"
        assert (found(status="approved"), found(status="unapproved"), found(status="waiting")) == ("r1", "r2", "r3")
        assert (found(status="going"), found(status="failed"), found(status="cancelled")) == ("", "", "")
        assert (found(variant="v1"), found(technique="single")) == ("r2", "r2r3")
        assert (found(model="openai/gpt"), found(model="openai/gpt-mini")) == ("r1", "r1r2")
        assert (found(since=20.0), found(before=20.0)) == ("r2r3", "r1")
        assert (found(cost=0.1), found(cost=0.0)) == ("r1", "r1r2")
        assert found(without=("r1", "r3")) == "r2"
        assert store.used_in_runs("variant") == ["v0", "v1", "v2"]
        row = store.runs(Wanted("r1"))[0]
        assert (row.scores, row.seconds) == ((5, 7.5), 2.5)


def test_runs_of_comparisons_feed_no_filter_and_their_prompts_are_still_found(store: Store) -> None:
    roles = (Role("writer", "Write.", "far", "big"),)
    own = replace(SPEC, variant="mine", roles=roles)
    of_comparison = replace(own, options={"comparison": "cmp"})
    store.create("own", own, queue=False)
    store.create("cmp-1", replace(of_comparison, variant="mine \u00b7 stops max_rounds 4"), queue=False)
    store.create("cmp-2", of_comparison, queue=False)
    judge = replace(of_comparison, technique="measure", variant="judge", roles=(Role("judge", "J", "far", "small"),))
    store.create("cmp-1-m", judge, queue=False)
    assert store.used_in_runs("variant") == ["mine"]
    assert store.used_in_runs("technique") == ["refine"]
    assert store.used_in_runs("models") == ["\nfar/big\n"]
    assert store.models_used() == ["far/big", "far/small"]
    (use,) = store.prompts_used("mine")
    assert (use.version, use.runs) == (prompt_hash("Write."), 2)
    written = store.runs(Wanted(prompt=f"writer/{prompt_hash('Write.')}", comparison=None))
    assert {row.run_id for row in written} == {"own", "cmp-1", "cmp-2"}


def test_a_store_of_the_first_release_is_listed_after_its_log(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path, summarise=lambda records: RunRow("", "", "", "", 0, "done", "score"))) as store:
        store.create("r1", replace(SPEC, roles=(Role("writer", endpoint="a", model="b"),)), queue=False)
        append(store, "r1", 1, Stopped("score"))
        for made_later in ("runs", "summary"):
            sql(store, f"drop table {made_later}")
        sql(store, "create table runs(run_id text primary key, at float, title text, technique, variant, state text)")
        sql(store, "create table summary(run_id text primary key, status text)")
        sql(store, "pragma user_version = 1")
    with closing(Store.open(tmp_path, summarise=lambda records: RunRow("", "", "", "", 0, "done", "score"))) as store:
        (row,) = store.runs(Wanted(model="a/b", status="approved"))
        assert (row.run_id, row.title) == ("r1", "A letter")
        assert store.unfinished() == []
        store.create("r2", SPEC, queue=False)


def prompted(variant: str, **prompts: str) -> RunSpec:
    return replace(SPEC, variant=variant, roles=tuple(Role(name, prompt) for name, prompt in prompts.items()))


def test_every_prompt_that_runs_of_a_variant_had_is_told_with_its_dates_and_number_of_runs(tmp_path: Path) -> None:
    clock = iter([float(second) for second in range(10, 100, 10)])
    with closing(Store.open(tmp_path, now=lambda: next(clock))) as store:
        for run_id, spec in {
            "a": prompted("mine", writer="Write.", critic="Judge."),
            "b": prompted("mine", writer="Write.", critic="Judge well."),
            "c": prompted("mine", writer="Write well.", critic="Judge."),
            "d": prompted("other", writer="Write."),
            "e": SPEC,
        }.items():
            store.create(run_id, spec, queue=False)
        told = {(use.role, use.version): (use.first, use.last, use.runs) for use in store.prompts_used("mine")}
        assert told == {
            ("writer", prompt_hash("Write.")): (10.0, 20.0, 2),
            ("writer", prompt_hash("Write well.")): (30.0, 30.0, 1),
            ("critic", prompt_hash("Judge.")): (10.0, 30.0, 2),
            ("critic", prompt_hash("Judge well.")): (20.0, 20.0, 1),
        }
        (last,) = [use for use in store.prompts_used("mine") if use.version == prompt_hash("Judge well.")]
        assert last.run_id == "b"
        found = store.runs(Wanted(variant="mine", prompt=f"critic/{prompt_hash('Judge.')}"))
        assert [row.run_id for row in found] == ["c", "a"]
        assert store.count_runs(Wanted(prompt=f"writer/{prompt_hash('Judge.')}")) == 0
        assert store.prompts_used("none") == []


def test_prompts_of_runs_from_before_they_were_listed_are_made_again_from_the_log(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as store:
        store.create("r1", prompted("mine", writer="Write it well. " * 40), queue=False)
        sql(store, "drop table runs")
        sql(store, "create table runs(run_id text primary key, at float, title, technique, variant, state, models)")
        sql(store, "pragma user_version = 4")
    with closing(Store.open(tmp_path)) as store:
        (use,) = store.prompts_used("mine")
        assert (use.role, use.version, use.runs) == ("writer", prompt_hash("Write it well. " * 40), 1)


def test_unfinished_are_runs_that_neither_ended_nor_wait_for_the_author(store: Store) -> None:
    for run_id in ("going", "asked", "answered", "ended"):
        store.create(run_id, SPEC, queue=False)
    append(store, "asked", 1, called(0), Waiting("0", "unclear"))
    append(store, "answered", 1, called(0), Waiting("0", "unclear"))
    append(store, "answered", 3, Replied("0", Reply("yes")))
    append(store, "ended", 1, Stopped("approved"))
    append(store, "ended", 2, Noted("0", ()))
    assert store.unfinished() == ["going", "answered"]


def test_a_run_is_found_by_the_beginning_of_its_id(store: Store) -> None:
    for run_id in ("ab1", "ab2", "ab", "c%1"):
        store.create(run_id, SPEC, queue=False)
    assert store.resolve("c") == "c%1"
    assert store.resolve("ab") == "ab"
    with pytest.raises(SettingsError, match="Several"):
        store.resolve("a")
    with pytest.raises(SettingsError, match="no run"):
        store.resolve("_")


# --- messages, live text, queue, small things --------------------------------------------------------------


def test_messages_stay_until_they_are_answered_in_the_log(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as app, closing(Store.open(tmp_path)) as page:
        app.create("r1", SPEC, queue=False)
        first = page.inbox_put("r1", "answer", {"text": "ja"})
        page.inbox_put("r1", "cancel")
        assert [message[1:] for message in app.inbox_take("r1")] == [("answer", {"text": "ja"}), ("cancel", None)]
        app.append("r1", 1, [called(0)], urgent=True, done=[first]).result()
        (left,) = page.inbox_take("r1")
        app.inbox_done(left[0])
        assert page.inbox_take("r1") == []


def test_live_text_goes_when_its_call_ended(store: Store) -> None:
    store.create("r1", SPEC, queue=False)
    append(store, "r1", 1, called(0), called(1))
    for at in ("0", "1"):
        store.live_put("r1", at, "writer", "so f").result()
        store.live_put("r1", at, "writer", "so far").result()
    assert store.live_get("r1") == [("0", "writer", "so far"), ("1", "writer", "so far")]
    append(store, "r1", 3, Replied("0", Reply("so far so good")))
    assert [row[0] for row in store.live_get("r1")] == ["1"]
    append(store, "r1", 4, Failed("1", "dropped", "gone"))
    assert store.live_get("r1") == []


def test_live_text_of_a_dead_process_goes_when_the_run_goes_on(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as store:
        store.create("r1", SPEC, queue=False)
        store.live_put("r1", "0", "writer", "cut").result()
    with closing(Store.open(tmp_path)) as store:
        append(store, "r1", 1, called(0))
        assert store.live_get("r1") == []


def test_the_version_changes_with_every_commit_of_anybody(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as one, closing(Store.open(tmp_path)) as two:
        seen = one.version()
        assert one.version() == seen
        two.create("r1", SPEC, queue=False)
        assert one.version() != seen
        seen = one.version()
        append(one, "r1", 1, called(0))
        assert one.version() != seen


def test_drafts_and_quirks_are_kept(store: Store) -> None:
    assert store.draft_get("page") is None
    assert store.quirks_get("openai", "m") is None
    store.draft_put("page", {"text": "half a sent"})
    store.draft_put("page", {"text": "half a sentence \ud83d"})
    store.quirks_put("openai", "m", {"no": ["temperature"]})
    assert store.draft_get("page") == {"text": "half a sentence \ud83d"}
    assert store.quirks_get("openai", "m") == {"no": ["temperature"]}
    assert store.quirks_get("openai", "other") is None


def test_readers_in_many_threads_see_what_is_written_meanwhile(store: Store) -> None:
    store.create("r1", SPEC, queue=False)
    bad: list[object] = []

    def read() -> None:
        for _ in range(30):
            seqs = [record.seq for record in store.records("r1")]
            if seqs != list(range(len(seqs))):
                bad.append(seqs)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for seq in range(1, 60):
        append(store, "r1", seq, called(seq, "text " * 50))
    for thread in threads:
        thread.join()
    assert bad == []


def test_facts_are_kept_once_and_the_newest_comes_first(tmp_path: Path) -> None:
    moments = iter(range(100))
    with closing(Store.open(tmp_path, now=lambda: next(moments))) as store:
        for fact in ("Ann signs.", "安签字。", "Ann signs."):
            store.fact_put(fact)
        assert store.facts() == ["Ann signs.", "安签字。"]
    with closing(Store.open(tmp_path)) as store:
        assert store.facts() == ["Ann signs.", "安签字。"]


def test_a_store_that_never_heard_of_facts_takes_them(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as store:
        sql(store, "drop table facts")
    with closing(Store.open(tmp_path)) as store:
        store.fact_put("Ann signs.")
        assert store.facts() == ["Ann signs."]
