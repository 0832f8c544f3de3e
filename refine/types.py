"""The values that everything else passes around.

They are frozen and nameless: no ids, no times, no behaviour beyond reading themselves. What is stored about
them (who, when, in which order) stands in `events.Record`. This module knows nothing of files, networks or models.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, TypeVar

Json = Any
"""Anything `json.loads` can give back: kept as it is, never turned into tuples."""

Severity = Literal["must", "should", "may"]
VerdictKind = Literal["approved", "revise", "ambiguous"]
NoteKind = Literal["edit", "add", "waive", "lock", "pick", "decide"]
Status = Literal["queued", "running", "waiting", "done", "failed", "cancelled"]


# --- what a model is told and what it says -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A model's wish to use a tool, as it stood in its reply. `arguments` is the raw text, perhaps not JSON."""

    id: str
    name: str
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message on the wire. `role` is the wire's word (system, user, assistant, tool)."""

    role: str
    parts: tuple[str, ...]
    """The content is the parts joined; each part is stored once, so a draft that is sent ten times costs one row."""
    tool_calls: tuple[ToolUse, ...] = ()
    tool_call_id: str | None = None
    reasoning: str = ""
    """Thoughts that stood beside tool calls: some endpoints want them back, most do not."""

    @property
    def content(self) -> str:
        return "".join(self.parts)


@dataclass(frozen=True, slots=True)
class Role:
    """Who is asked: our name for the part (writer, critic, judge, actor ...) and the model that plays it."""

    name: str
    prompt: str = ""
    """The prompt's text, word for word, holes unfilled. Empty: this role has nothing to say."""
    endpoint: str = ""
    model: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    options: Mapping[str, Json] = field(default_factory=dict)
    """`reply`: text or json. Other keys are sent to the endpoint as they are under `extra`."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model lives. The key is never here: `key` names an environment variable or a key-file entry."""

    name: str
    base_url: str = ""
    key: str = ""
    kind: str = "openai"
    """openai: any OpenAI-compatible server; scripted: the shipped characters, in this process."""
    stream: bool = True
    ca_file: str = ""
    verify: bool = True
    idle_seconds: float = 60.0
    """Longest silence between two pieces of a reply."""
    total_seconds: float = 600.0
    """Longest time for one attempt, from request to last piece."""
    concurrency: int = 0
    """Calls in flight, of all runs of a process together. 0 = 16, and any number at an address of this machine."""
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    """0 = no limit but what the endpoint says of itself."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost when a call was made, in the currency of its usage."""

    input: Decimal = Decimal(0)
    output: Decimal = Decimal(0)
    cached: Decimal = Decimal(0)
    """Of the part of the input that the provider had in its cache."""
    source: str = ""
    """Where the price stood: the author's file, a package with its version and its name for the model, or local."""
    date: str = ""
    """The source's own date, as year, month and day as far as it gives them."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and money of one attempt."""

    input_tokens: int = 0
    """The whole prompt, cached part included."""
    output_tokens: int = 0
    """The whole completion, reasoning included."""
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    estimated: bool = False
    cost: Decimal | None = None
    """None = unknown, which is not 0."""
    currency: str = "USD"
    price: Price | None = None
    """What `cost` was reckoned with; None where the cost is not known, or is a sum."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back from one call, whoever was asked."""

    content: str = ""
    """Visible text as the model sent it; reasoning stands apart."""
    reasoning: str = ""
    refusal: str = ""
    tool_calls: tuple[ToolUse, ...] = ()
    value: Json = None
    """What a check, a choice or a tool gave back."""
    usage: Usage | None = None
    finish_reason: str | None = "stop"
    """stop, length, content_filter, tool_calls; None = the reply broke off."""
    seconds: float = 0.0
    first_token_seconds: float | None = None
    adapted: tuple[str, ...] = ()
    """Words on what was not applied, e.g. "temperature was not applied: this model refuses it"."""


# --- what a flow may ask for -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelCall:
    role: str
    messages: tuple[Message, ...]
    tools: tuple[Json, ...] = ()
    schema: Json = None
    """JSON schema offered to the endpoint; dropped where the endpoint refuses one."""
    closing: bool = False
    """The one answer that may still be asked for after a limit spoke."""
    draw: int = 0
    """Which of several equal calls this is. A seed is moved on by it, or all of them would be answered alike."""


@dataclass(frozen=True, slots=True)
class CheckCall:
    check: str
    text: str
    options: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChoiceCall:
    """Which of `options` reads best between `before` and `after`? Answered by scoring, not by writing."""

    before: str
    options: tuple[str, ...]
    after: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    arguments: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the author. `question` is a code that `words` turns into a sentence; `about` fills it."""

    question: str
    choices: tuple[str, ...] = ()
    about: str = ""


Call = ModelCall | CheckCall | ChoiceCall | ToolCall | Ask


# --- what a loop is made of --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that somebody would change."""

    quote: str = ""
    span: tuple[int, int] | None = None
    """Character offsets into the reviewed text; None where the place is not known."""
    dimension: str = ""
    """What it is about: spelling, grammar, wording, length, terms, kept, typography, clarity, logic, accuracy ..."""
    rule: str = ""
    severity: Severity = "should"
    remark: str = ""
    replacement: str | None = None
    """Sure: applied without a model. Needs a span."""
    options: tuple[str, ...] = ()
    """Candidates to choose from."""
    suggestion: str | None = None
    """Only the author may take it."""
    critic: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    kind: VerdictKind
    score: float | None = None
    """0 to 10; None = none was given, or it was outside."""
    findings: tuple[Finding, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Note:
    """What the author put in between two rounds, or after the end (`pick`, `decide`)."""

    kind: NoteKind
    text: str = ""
    """edit: the whole edited draft; add: unused; lock: the passage; pick: the number of a round."""
    finding: Finding | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One ReAct step."""

    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    observations: tuple[str, ...] = ()
    """What the actor is told: one for each call, in order; or why it was no step, or why its finish was refused."""
    final: str | None = None
    errors: tuple[str, ...] = ()
    """One for each observation, "" where all went well: see `ERRORS`."""
    question: str = ""
    """A question that came after an earlier answer and that this step begins to work on."""
    said: str = ""
    """The actor's reply, where no step could be read from it."""
    ids: tuple[str, ...] = ()
    """The ids of native tool calls, one for each call: each is answered under its own. Empty: the step came as text."""
    reasoning: str = ""
    """Thoughts beside native tool calls."""


ERRORS = ("format", "unknown", "arguments", "failed", "timeout", "fatal", "refused", "repeat", "unverified")
"""What an observation of a step can be besides a result: no readable step, no such tool, arguments that do not fit, a
tool that failed, took too long, or can never work; a call the author did not allow, one answered from an earlier one;
a finish that failed its checks."""


@dataclass(frozen=True, slots=True)
class Round:
    """An attempt and its verdict: never one without the other."""

    attempt: str | Step
    verdict: Verdict
    notes: tuple[Note, ...] = ()

    @property
    def text(self) -> str:
        return self.attempt if isinstance(self.attempt, str) else self.attempt.final or ""


@dataclass(frozen=True, slots=True)
class Outcome:
    best: Round | None
    rounds: tuple[Round, ...]
    reason: str


# --- what a flow may yield besides calls --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Begin:
    """A loop begins here. Answered with `Begun`."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The loop's address, and its rounds that already ended in an earlier drive or stood in the forked run."""

    at: str
    rounds: tuple[Round, ...]
    skip: int = 0
    """How many places those rounds take up behind the loop's own."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A round of the loop at `loop` ended. Answered with the author's notes, usually none."""

    loop: str
    round: Round


@dataclass(frozen=True, slots=True)
class Together:
    """Flows driven side by side, each as a strand of its own. Answered with their results, in order."""

    flows: tuple[Generator[Any, Any, Any], ...]


T = TypeVar("T")
Flow = Generator[tuple[Call, ...] | Begin | Ended | Together, Any, T]
Turn = Callable[[tuple[Round, ...]], Flow[Round]]
Best = Callable[[tuple[Round, ...]], Round]
Stop = Callable[[tuple[Round, ...]], str | None]


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used so far, over all resumes."""

    money: Decimal = Decimal(0)
    unknown: bool = False
    """True: at least one attempt has no known cost, so `money` is a lower bound."""
    currency: str = ""
    """Of `money`; "" = nothing was paid yet."""
    tokens: int = 0
    seconds: float = 0.0
    """Driving time only: time in which the run waited or its process was dead does not count."""
    calls: int = 0
    failures: int = 0
    """Failed attempts in a row."""


@dataclass(frozen=True, slots=True)
class Worst:
    """The most that the next call can use."""

    tokens: int = 0
    money: Decimal | None = None
    """None = the price is not known."""
    currency: str = "USD"


Limit = Callable[[Spent, Worst], str | None]


# --- what a run starts from --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    title: str = ""
    draft: str = ""
    brief: str = ""
    language: str = ""
    """Of the text, as a code: en, zh. Empty = found from the text when the run starts."""
    locked: tuple[str, ...] = ()
    """Passages that must survive word for word."""
    keep: tuple[str, ...] = ()
    """Facts that must survive, beyond those found in the draft."""
    words: tuple[str, ...] = ()
    """The author's own words, never a spelling mistake."""
    style_sheet: str = ""
    result_checks: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class RunSpec:
    """Event 0 of a run. All of it is JSON: a run carries its prompts word for word, and never a key."""

    technique: str
    variant: str
    task: Task
    roles: tuple[Role, ...] = ()
    """In order. Every role whose name begins with "critic" is a critic."""
    checks: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    """Name of a check -> its options."""
    stops: Mapping[str, Json] = field(default_factory=dict)
    """max_rounds, min_rounds, score, plateau (rounds without gain): see `stops`."""
    limits: Mapping[str, Json] = field(default_factory=dict)
    """money (currency units), tokens, time (seconds), calls, failures (in a row): see `limits`."""
    options: Mapping[str, Json] = field(default_factory=dict)
    """token, somebody (can anybody answer?), critics (all|majority), pause, currency ..."""
    tools: tuple[Json, ...] = ()
    """What the actor may call, and nothing else: {name, description, parameters (JSON schema), asks (has effects
    outside the run, so the author is asked first)}."""
    endpoints: tuple[Endpoint, ...] = ()
    """Endpoints made for this run by --base-url; the named ones stand in the settings."""
    seed: int | None = None
    parent: tuple[str, int] | None = None
    """(run id, round) that this run is a fork of."""

    def role(self, name: str) -> Role | None:
        return next((role for role in self.roles if role.name == name), None)

    @property
    def critics(self) -> tuple[Role, ...]:
        return tuple(role for role in self.roles if role.name.startswith("critic"))


Technique = Callable[[RunSpec], Flow[Outcome]]


@dataclass(frozen=True, slots=True)
class Variant:
    """A folder of prompts: everything a run needs but the task. `spec.task` is empty."""

    name: str
    spec: RunSpec
    title: Mapping[str, str] = field(default_factory=dict)
    """Language code -> a few words."""
    purpose: Mapping[str, str] = field(default_factory=dict)
    """Language code -> what it does, one short sentence for a menu."""
    own: bool = False
    """True: the user's own, under REFINE_HOME/prompts."""


# --- what is compared ----------------------------------------------------------------------------------------------


AT_ONCE = 8
"""Runs of a comparison that are driven at the same time, where nobody says how many."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whole loops on the same texts: each variant on each task, so many times. All of it JSON; it never changes what
    it has, it can only be extended, and what failed in it tried again."""

    title: str
    variants: tuple[Variant, ...]
    """Each with a name of its own. Their specs hold prompts and models word for word, and no task; `spec.variant` is
    the folder that it was made from."""
    tasks: tuple[Task, ...]
    """Each with a title of its own, by which tables name it."""
    repeats: int = 1
    baseline: str = ""
    """The variant that differences are against; "" = the first."""
    judge: RunSpec | None = None
    """How every result is measured, the same for all variants: the technique `measure` with its checks, its roles
    (`judge` scores a text, `pair` prefers one of two; none = no judge) and no task. None = nothing is measured."""
    pairs: bool = False
    """Is each result also held against the baseline's of the same task and repeat?"""
    matched: Mapping[str, str] = field(default_factory=dict)
    """Variant of the technique `best_of_n` -> the variant whose cost it is given."""
    limits: Mapping[str, Json] = field(default_factory=dict)
    """money, tokens: of all runs together."""
    concurrency: int = AT_ONCE
    language: str = "en"
    """Of the sentence and the tables' words."""
    again: Mapping[str, int] = field(default_factory=dict)
    """Run that failed -> the number of its latest try, from 2. The earlier tries stay on record and on the bill."""

    @property
    def against(self) -> str:
        return self.baseline or self.variants[0].name

    @property
    def specs(self) -> tuple[RunSpec, ...]:
        """Of all variants, and of the judge where there is one."""
        return (*(variant.spec for variant in self.variants), *([self.judge] if self.judge else []))


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of a comparison."""

    variant: str
    task: str
    """The task's title."""
    repeat: int
    """From 0."""


Choice = Literal["first", "second", "same"]


@dataclass(frozen=True, slots=True)
class Vote:
    """The author's own choice between two results, made without knowing whose they are."""

    first: str
    second: str
    """Run ids of two cells."""
    choice: Choice
    note: str = ""
