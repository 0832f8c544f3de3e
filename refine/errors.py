"""Everything that can go wrong by name. A message says what is wrong, what was got, and what to do.

    RefineError
    ├── SettingsError          bad arguments, files, variants, prompts, keys (exit 2)
    │   ├── PromptError        a prompt file cannot be read or filled
    │   └── DocumentError      a draft cannot be read
    ├── StoreError             the store cannot be read or written (exit 3)
    │   └── Lost               another driver has taken this run over
    ├── LogError               a log is not one of ours
    ├── ModelError             an attempt at a model failed; `kind` says how
    └── FormatError            a model's reply has no step in it; goes back to the model

`loop.Halt` is not an error: it is how a limit or the author ends a flow.
"""

from __future__ import annotations

from typing import Literal

from refine.types import Usage

ModelErrorKind = Literal[
    "key", "forbidden", "not_found", "quota", "settings",  # fatal: no repetition mends them
    "bad_request", "context", "content_filter",  # fatal for this call
    "rate", "server", "connect", "dropped", "cut", "idle", "total", "malformed",  # worth another attempt
    "cancelled",  # closed by the author or by the end of the process
]  # fmt: skip


class RefineError(Exception):
    """Base of all our errors; `str(error)` is a sentence for the user."""


class SettingsError(RefineError):
    pass


class PromptError(SettingsError):
    pass


class DocumentError(SettingsError):
    pass


class StoreError(RefineError):
    pass


class Lost(StoreError):
    """Raised to the driver that lost the fence on (run_id, seq): it stops without another word."""


class LogError(RefineError):
    pass


class FormatError(RefineError):
    pass


class ModelError(RefineError):
    """One attempt failed.

    Args:
        kind: see `ModelErrorKind`.
        message: what the server or the network said, keys already masked.
        status: HTTP status, if there was one.
        code, param: the provider's own words for what it refused.
        retry_after: seconds the server asked for.
        usage: what the attempt cost, as far as known.
        partial, reasoning: text that had arrived.
        seconds: length of the attempt.
        first_token_seconds: until the first text; None = none came.
    """

    def __init__(
        self,
        kind: ModelErrorKind,
        message: str,
        *,
        status: int | None = None,
        code: str = "",
        param: str = "",
        retry_after: float | None = None,
        usage: Usage | None = None,
        partial: str = "",
        reasoning: str = "",
        seconds: float = 0.0,
        first_token_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: ModelErrorKind = kind
        self.message = message
        self.status = status
        self.code = code
        self.param = param
        self.retry_after = retry_after
        self.usage = usage
        self.partial = partial
        self.reasoning = reasoning
        self.seconds = seconds
        self.first_token_seconds = first_token_seconds
