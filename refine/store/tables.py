"""The store's tables. They know nothing of what the rows mean.

`log`, `texts`, `inbox`, `queue`, `drafts`, `quirks`, `facts`, `comparisons` and `votes` are the truth; `runs` and
`attempts` follow the log in the same transaction and are made again from it where tables change; `summary`, `live`
and `compared` can be dropped while the app runs.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Index, Integer, MetaData, Table, Text, text

SCHEMA = 5
"""Raised by each change of the tables. A file with a higher number is refused."""

metadata = MetaData()

log = Table(
    "log",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("event", Text, nullable=False),
)

texts = Table("texts", metadata, Column("id", Text, primary_key=True), Column("text", Text, nullable=False))

runs = Table(
    "runs",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("at", Float, nullable=False),
    Column("title", Text, nullable=False),
    Column("technique", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("models", Text, nullable=False),
    Column("comparison", Text, nullable=False),
    Column("prompts", Text, nullable=False),
)
# Without forms for another database: naming one loads all that SQLAlchemy has for it.
Index("runs_compared", runs.c.comparison, sqlite_where=runs.c.comparison != "")
Index("runs_listed", text("state = 'ended'"), runs.c.at.desc(), runs.c.run_id.desc())
Index("runs_open", runs.c.state, sqlite_where=runs.c.state == "open")

summary = Table(
    "summary",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("status", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("cost", Text),
    Column("currency", Text, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("scores", Text, nullable=False),
    Column("seconds", Float, nullable=False),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("day", Integer, nullable=False),
    Column("variant", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("cached_tokens", Integer, nullable=False),
    Column("reasoning_tokens", Integer, nullable=False),
    Column("estimated", Integer, nullable=False),
    Column("cost", BigInteger),
    Column("currency", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("first_token_seconds", Float),
    Column("failure", Text, nullable=False),
    Column("writer", Integer, nullable=False),
)
"""The fence of the log, in whose transactions it is written, keeps each row single: an index would cost each call."""

live = Table(
    "live",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("at", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("text", Text, nullable=False),
)

inbox = Table(
    "inbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run_id", Text, nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
    sqlite_autoincrement=True,
)

queue = Table(
    "queue",
    metadata,
    Column("run_id", Text, primary_key=True),
    Column("priority", Integer, nullable=False),
    Column("tickets", Integer, nullable=False),
    Column("cancel", Integer, nullable=False),
    Column("at", Float, nullable=False),
)

drafts = Table("drafts", metadata, Column("key", Text, primary_key=True), Column("data", Text, nullable=False))

quirks = Table(
    "quirks",
    metadata,
    Column("endpoint", Text, primary_key=True),
    Column("model", Text, primary_key=True),
    Column("data", Text, nullable=False),
)

facts = Table("facts", metadata, Column("fact", Text, primary_key=True), Column("at", Float, nullable=False))
"""What tools were told to remember."""

comparisons = Table(
    "comparisons",
    metadata,
    Column("id", Text, primary_key=True),
    Column("at", Float, nullable=False),
    Column("state", Text, nullable=False),
    Column("data", Text, nullable=False),
)

compared = Table(
    "compared",
    metadata,
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("variants", Integer, nullable=False),
    Column("tasks", Integer, nullable=False),
    Column("repeats", Integer, nullable=False),
)
"""What a list tells of a comparison: its plan holds all prompts and texts, and takes long to read."""

votes = Table(
    "votes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("comparison", Text, nullable=False, index=True),
    Column("at", Float, nullable=False),
    Column("data", Text, nullable=False),
)

MADE_AGAIN = (runs, attempts, summary, live, compared)
"""Of a damaged file all other tables are copied."""
