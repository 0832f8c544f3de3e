"""What went wrong at a model's endpoint, read from a status, a body or an exception, and said in one sentence.

Pure: data in, `ModelError` out. Knows nothing of connections, retries (`retry`) or repairs (`quirks`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from refine.errors import ModelError, ModelErrorKind
from refine.models.usage import NOTHING
from refine.settings import GIVEN_KEY
from refine.types import Endpoint, Json

WORDS = ("message", "error_msg", "msg", "status_msg", "detail")
"""Names under which servers write what is wrong, where no error object holds it."""
Redact = Callable[[str], str]
LONGEST_QUOTE = 200


@dataclass(frozen=True, slots=True)
class Said:
    """A server's own words on what it refused."""

    message: str = ""
    code: str = ""
    type: str = ""
    param: str = ""
    status: int | None = None
    """The HTTP status that an error object inside a 200 stands for."""


class Refused(ModelError):
    """A refusal that still knows the server's words, uncut, so that `quirks` can learn from them."""

    said: Said = Said()


# --- reading a server's words ------------------------------------------------------------------------------


def read_said(body: Json) -> Said:
    """The words in an error body of any usual shape: objects, nested or flat, lists, validation details, text."""
    if isinstance(body, str):
        parsed = _parsed(body)
        return read_said(parsed) if isinstance(parsed, dict | list) else Said(message=" ".join(body.split()))
    if isinstance(body, list):
        return read_said(body[0]) if body else Said()
    if not isinstance(body, Mapping):
        return Said()
    if isinstance(body.get("detail"), list):
        return _read_details(body["detail"])
    for name in ("error", "errors", "detail"):
        inner = body.get(name)
        if isinstance(inner, Mapping | list) and inner:
            return read_said(inner)
        if isinstance(inner, str) and inner:
            return Said(message=_text(body.get("message")) or inner, code=_text(body.get("code")) or inner)
    return _read_object(body)


def holds_error(body: Json) -> bool:
    """Is this body, or this piece of a stream, an error object although its status says all is well?"""
    if not isinstance(body, Mapping):
        return isinstance(body, list) and bool(body) and isinstance(body[0], Mapping) and holds_error(body[0])
    if body.get("error") or body.get("object") == "error" or body.get("type") == "error":
        return True
    if body.get("choices"):
        return False
    own = body.get("base_resp")
    refused = isinstance(own, Mapping) and own.get("status_code")
    return bool(refused or any(isinstance(body.get(name), str | list) and body[name] for name in WORDS))


def _read_object(body: Mapping[str, Json]) -> Said:
    if isinstance(own := body.get("base_resp"), Mapping):
        return _read_object(own)
    code = _text(body.get("code") or body.get("error_code") or body.get("status_code"))
    message = next((_text(body[name]) for name in WORDS if body.get(name)), "")
    if body.get("n_ctx"):
        message += f" (n_ctx {_text(body['n_ctx'])}, asked {_text(body.get('n_prompt_tokens'))} tokens)"
    metadata = body.get("metadata")
    raw = _text(metadata.get("raw")) if isinstance(metadata, Mapping) else ""
    return Said(
        message=f"{message}: {raw}" if raw and raw not in message else message,
        code=code,
        type=_text(body.get("type") or body.get("status")),
        param=_text(body.get("param")),
        status=int(code) if code.isdecimal() and 400 <= int(code) <= 599 else None,
    )


def _read_details(details: list[Json]) -> Said:
    """Validation errors as FastAPI servers write them: `loc` is the path of the field that was refused."""
    first = next((item for item in details if isinstance(item, Mapping)), None)
    if first is None:
        return Said(message="; ".join(map(str, details)))
    steps = first.get("loc")
    place = [str(step) for step in steps if step != "body"] if isinstance(steps, list) else []
    return Said(message=_text(first.get("msg")), code=_text(first.get("type")), param=".".join(place))


def _text(value: Json) -> str:
    if value is None or isinstance(value, bool):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _parsed(text: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


# --- which kind it is --------------------------------------------------------------------------------------

QUOTA = ("insufficient_quota", "exceeded your current quota", "exceeded_current_quota", "billing_hard_limit",
         "insufficient balance", "insufficient_balance", "arrearage", "余额不足", "欠费", "credit balance")  # fmt: skip
CONTENT_FILTER = ("content_filter", "content management policy", "responsibleaipolicy", "data_inspection_failed",
                  "content_policy_violation", "flagged by", "safety system", "敏感", "不安全")  # fmt: skip
CONTEXT = ("context_length_exceeded", "context length", "maximum context", "context window", "context size",
           "prompt is too long", "input is too long", "too many tokens", "string_above_max_length",
           "上下文长度", "输入过长")  # fmt: skip
NO_MODEL = ("model_not_found", "model not found", "no such model", "unknown model", "invalid model",
            "model does not exist", "模型不存在")  # fmt: skip
TOOLS = re.compile(
    r"not support\w* (?:tool|function)|\b(?:tools?|function calling)\b.{0,40}(?:n[o']t support|unsupported)"
    r"|tool choice requires|不支持(?:工具|函数)"
)
BAD_KEY = ("invalid_api_key", "api key not valid", "incorrect api key", "invalid api key", "authentication")
RATE = ("rate_limit", "rate limit", "too many requests", "429", "限流", "频率")

BY_STATUS: Mapping[int, ModelErrorKind] = {
    401: "key", 402: "quota", 403: "forbidden", 404: "not_found", 405: "settings", 408: "server", 409: "server",
    413: "context", 425: "server", 429: "rate",
}  # fmt: skip


def kind_of(status: int | None, said: Said) -> ModelErrorKind:
    """The kind of failure, from an HTTP status (None: an error object in a stream or a 200) and the server's words."""
    status = said.status or (None if status is None or status < 300 else status)
    words = f"{said.code} {said.type} {said.message}".casefold()
    refused = status in (None, 400, 422) or (status is not None and status >= 500)
    if status in (None, 400, 403, 422, 429) and _any(QUOTA, words):
        return "quota"
    if status in (None, 400, 403, 422) and _any(CONTENT_FILTER, words):
        return "content_filter"
    if refused and _any(CONTEXT, words):
        return "context"
    if status in (None, 400, 422) and _any(NO_MODEL, words):
        return "not_found"
    if status in (None, 400, 422) and _any(BAD_KEY, words):
        return "key"
    if status is None:
        return "rate" if _any(RATE, words) else "bad_request" if "invalid" in words else "server"
    if status in BY_STATUS:
        return BY_STATUS[status]
    return "server" if status >= 500 else "settings" if status < 400 else "bad_request"


def _any(needles: tuple[str, ...], words: str) -> bool:
    return any(needle in words for needle in needles)


# --- the sentence ------------------------------------------------------------------------------------------

SENTENCES: Mapping[str, tuple[str, str]] = {
    "key": ("The key for {name} was not accepted", "Check {key}."),
    "forbidden": ("{name} does not allow this request", "Check what the account behind {key} may use."),
    "model": ("{name} has no model {model}", "Name one that it has (REFINE_MODEL, or the role's model)."),
    "not_found": ("There is nothing at {url}", "Check the base URL of {name}; most end in /v1."),
    "quota": ("The account at {name} has no quota left", "Top it up, or use another endpoint."),
    "settings": ("{url} does not answer like a model server", "Check the base URL of {name}; most end in /v1."),
    "certificate": ("The certificate of {url} is not trusted", "Name your authority's file as ca_file of {name}."),
    "proxy": ("The proxy on the way to {url} cannot be used", "Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY."),
    "address": ("{url} is not an address that can be called", "Give {name} a base URL such as https://host/v1."),
    "tools": ("{model} takes no tool calls", "Set options.protocol to json, or name another model."),
    "bad_request": ("{name} refused the request to {model}", "Change the setting it names."),
    "context": ("The text is too long for {model}", "Shorten it, or choose a model that takes more."),
    "content_filter": ("{name} blocked the text that {role} sent", "Change the passage, or use another endpoint."),
    "rate": ("{name} asks to slow down", "Lower the concurrency if this goes on."),
    "server": ("{name} failed", "Look at the server if this goes on."),
    "connect": ("{url} cannot be reached", "Check that the server runs and that the address of {name} is right."),
    "dropped": ("The connection to {name} broke off", "Look at the network and the server if this goes on."),
    "cut": ("The reply of {model} broke off before its end", "Look at the server if this goes on."),
    "idle": ("{name} sent nothing for too long", "Raise idle_seconds of {name} if it is slow."),
    "total": ("The reply of {model} took too long", "Raise total_seconds of {name}, or lower max_tokens."),
    "malformed": ("The reply of {name} cannot be read", "Check the base URL if this goes on."),
    "cancelled": ("The call to {name} was closed", "Nothing has to be done."),
}
"""What is wrong and what to do; what was got stands between them. Whether another attempt follows is not said here: the
same sentence also ends a run."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whom a request was sent to, for the sentence."""

    endpoint: Endpoint
    model: str
    role: str
    redact: Redact

    def say(self, sentence: str, got: str, status: int | None = None, more: str = "") -> str:
        """One sentence of three parts. `got` is cut to 200 characters after the keys in it were masked.

        Args:
            more: a sentence of our own that stands before what to do.
        """
        what, remedy = SENTENCES[sentence]
        names = {
            "name": self.endpoint.name or "the endpoint",
            "url": self.redact(self.endpoint.base_url) or "the endpoint without an address",
            "key": f"the key ({_setting(self.endpoint.key)})" if self.endpoint.key else "its key",
            "model": self.model or "the model",
            "role": self.role or "the prompt",
        }
        quoted = " ".join(self.redact(got).split())[:LONGEST_QUOTE]
        told = f'"{quoted}"' if quoted else "no word on why"
        number = f"status {status}, " if status else ""
        return f"{what.format(**names)}: got {number}{told}. {more}{remedy.format(**names)}"


def _setting(key: str) -> str:
    """Where a key is set: that of an address given by option is an option too."""
    return f"--api-key or {key}" if key == GIVEN_KEY else key


def refused(
    place: Place,
    status: int | None,
    body: Json,
    *,
    content_type: str = "",
    retry_after: float | None = None,
    sent: int = 0,
) -> ModelError:
    """The error for an answer that is an error: a status from 300 on, or an error object in a 200.

    Args:
        sent: tokens of the prompt, estimated, for where a server does not say why it was too long.
    """
    said = masked(read_said(body), place.redact)
    kind = kind_of(status, said)
    got = said.message or said.code or said.type
    if isinstance(body, str) and content_type and "json" not in content_type and "text/plain" not in content_type:
        got = f"{content_type.partition(';')[0]}: {got}"
    error = Refused(
        kind,
        place.say(_sentence(kind, status, said), got, said.status or status, figures(said.message, sent, kind)),
        status=said.status or status,
        code=said.code or said.type,
        param=said.param,
        retry_after=retry_after,
        usage=NOTHING if status is not None and status >= 300 else None,
    )
    error.said = said
    return error


_NUMBER = r"\D{0,24}?(\d[\d,]*)"
LIMIT = re.compile(
    r"(?:context (?:length|window|size)|n_ctx|token limit|limit of|tokens allowed|maximum of|> |should be \[\d+, )"
    rf"{_NUMBER}"
)
ASKED = re.compile(
    rf"(?:requested(?: tokens)?|resulted in|too long|contains|asked|token count|input(?: length)?) *[(:]?{_NUMBER}"
)


def figures(words: str, sent: int, kind: str = "context") -> str:
    """How much a model takes and how much it was sent, from a server's words; our own estimate where it tells none."""
    if kind != "context":
        return ""
    words = words.casefold()
    limit, asked = (_largest(pattern, words) for pattern in (LIMIT, ASKED))
    told = f"{asked:,}" if asked > limit else f"about {sent:,}" if sent > limit else ""
    takes = f"It takes {limit:,} tokens" if limit else ""
    if takes and told:
        return f"{takes} and was sent {told}. "
    return f"{takes}. " if takes else f"It was sent {told} tokens. " if told else ""


def _largest(pattern: re.Pattern[str], words: str) -> int:
    return max((int(found.replace(",", "")) for found in pattern.findall(words)), default=0)


def masked(said: Said, redact: Redact) -> Said:
    """The words without keys: some servers repeat the one they refuse."""
    return replace(said, message=redact(said.message), code=redact(said.code), param=redact(said.param))


def _sentence(kind: str, status: int | None, said: Said) -> str:
    """A 404 is about the model only if the server says so."""
    words = f"{said.code} {said.type} {said.message}".casefold()
    if kind == "bad_request" and TOOLS.search(words):
        return "tools"
    return "model" if kind == "not_found" and ("model" in words or status == 400) else kind


# --- exceptions of the packages below -----------------------------------------------------------------------

BY_EXCEPTION: tuple[tuple[str, ModelErrorKind, str], ...] = (
    ("SSLCertVerificationError", "settings", "certificate"),
    ("ClientConnectorCertificateError", "settings", "certificate"),
    ("SSLError", "connect", "connect"),
    ("ClientProxyConnectionError", "settings", "proxy"),
    ("ClientHttpProxyError", "settings", "proxy"),
    ("ProxyError", "settings", "proxy"),
    ("InvalidURL", "settings", "address"),
    ("NonHttpUrlClientError", "settings", "address"),
    ("UnsupportedProtocol", "settings", "address"),
    ("ClientConnectorError", "connect", "connect"),
    ("ConnectionTimeoutError", "connect", "connect"),
    ("ServerDisconnectedError", "dropped", "dropped"),
    ("ServerTimeoutError", "idle", "idle"),
    ("TimeoutError", "idle", "idle"),
    ("ClientPayloadError", "dropped", "dropped"),
    ("ClientResponseError", "malformed", "malformed"),
    ("ConnectError", "connect", "connect"),
    ("DecodingError", "malformed", "malformed"),
    ("ValueError", "malformed", "malformed"),
    ("OSError", "dropped", "dropped"),
    ("NetworkError", "dropped", "dropped"),
    ("APIConnectionError", "dropped", "dropped"),
)
"""Class name -> kind and sentence, the most telling first. By name: the packages below may change hands."""


PACKAGE_PREFIX = re.compile(r"^\d{3}, message:\s*")
"""What the HTTP package puts before its words, with a status that no server sent."""


def broke(place: Place, error: BaseException) -> ModelError:
    """The error for an exception of the network or of the packages below; the telling one may be its cause."""
    chain = list(_chain(error))
    names = {name for one in chain for name in (base.__name__ for base in type(one).__mro__)}
    kind, sentence = next(
        ((kind, sentence) for name, kind, sentence in BY_EXCEPTION if name in names), ("server", "server")
    )
    got = next((str(one) for one in reversed(chain) if str(one)), type(error).__name__)
    got = PACKAGE_PREFIX.sub("", got)
    return ModelError(kind, place.say(sentence, got), usage=NOTHING if kind in ("connect", "settings") else None)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
