"""Settings come from where the user put them, errors name the place, and keys show up nowhere."""

from __future__ import annotations

import logging
import stat
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine.errors import SettingsError
from refine.keys import MASK, Keys, redact, remember_secret
from refine.own_files import write_secret
from refine.settings import (
    DEFAULT_HOME,
    Settings,
    check_home,
    drop_endpoint,
    load,
    read_url,
    read_words,
    write_endpoint,
    write_words,
)
from refine.types import Endpoint

KEY = "sk-canary-0123456789abcdefXYZ"


def loaded(home: Path, base_url: str | None = None, api_key: str | None = None, **env: str) -> Settings:
    return load({"REFINE_HOME": str(home), **env}, base_url=base_url, api_key=api_key)


def endpoints_file(home: Path, text: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "endpoints.yaml").write_text(text, encoding="utf-8")


# --- which endpoint ----------------------------------------------------------------------------------------


def test_nothing_set_means_offline(tmp_path: Path) -> None:
    settings = loaded(tmp_path / "new" / "home")
    assert settings.default_endpoint == ""
    assert settings.home == tmp_path / "new" / "home"
    assert settings.endpoints["scripted"].kind == "scripted"
    assert settings.endpoints["openai"] == Endpoint("openai", "https://api.openai.com/v1", "OPENAI_API_KEY")


def test_home_is_in_the_project_where_none_is_named() -> None:
    assert Path(__file__).resolve().parent.parent / "data" / "runs" == DEFAULT_HOME


@pytest.mark.parametrize("env", [{"OPENAI_API_KEY": KEY}, {"OPENAI_BASE_URL": " http://localhost:1234/v1/ "}])
def test_a_key_or_url_in_the_environment_makes_openai_the_default(tmp_path: Path, env: dict[str, str]) -> None:
    settings = loaded(tmp_path, **env, REFINE_MODEL=" tiny ")
    assert settings.default_endpoint == "openai"
    assert settings.model == "tiny"
    if "OPENAI_BASE_URL" in env:
        assert settings.endpoints["openai"].base_url == "http://localhost:1234/v1"


def test_what_is_given_wins(tmp_path: Path) -> None:
    settings = load(
        {"REFINE_HOME": str(tmp_path), "OPENAI_API_KEY": KEY, "REFINE_MODEL": "other"},
        base_url="http://127.0.0.1:9/v1/chat/completions",
        model="mine",
    )
    assert settings.default_endpoint == "given"
    assert settings.endpoints["given"] == Endpoint("given", "http://127.0.0.1:9/v1")
    assert settings.model == "mine"


def test_an_endpoint_given_with_a_key_needs_one_whenever_the_run_goes_on(tmp_path: Path) -> None:
    endpoint = loaded(tmp_path, base_url="https://example.org/v1", api_key=KEY).endpoints["given"]
    assert endpoint == Endpoint("given", "https://example.org/v1", "REFINE_KEY")


def test_a_key_given_alone_is_for_openai(tmp_path: Path) -> None:
    assert loaded(tmp_path, api_key=KEY).default_endpoint == "openai"


def test_a_key_in_the_key_file_makes_openai_the_default(tmp_path: Path) -> None:
    (tmp_path / "keys.yaml").write_text(f"OPENAI_API_KEY: {KEY}\n")
    assert loaded(tmp_path).default_endpoint == "openai"


def test_own_endpoints_are_read_and_the_first_is_the_default(tmp_path: Path) -> None:
    endpoints_file(
        tmp_path,
        "studio:\n  base_url: http://localhost:1234/v1/\n  stream: false\n  idle_seconds: 5\n  key: STUDIO_KEY\n"
        "other:\n  base_url: https://example.org/v1\n",
    )
    settings = loaded(tmp_path)
    assert settings.default_endpoint == "studio"
    studio = settings.endpoints["studio"]
    assert studio == Endpoint("studio", "http://localhost:1234/v1", "STUDIO_KEY", stream=False, idle_seconds=5.0)
    assert type(studio.base_url) is str
    assert type(studio.idle_seconds) is float


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a:\n  base_url: http://x\n  stram: no\n", "line 3: an endpoint has no 'stram'"),
        ("a:\n  base_url: http://x\n  stream: maybe\n", "line 3: stream should be true or false"),
        ("a:\n  base_url: http://x\n  concurrency: true\n", "line 3: concurrency should be a whole number"),
        ("a:\n  base_url: ftp://x\n", "line 1: base_url of a should look like"),
        ("b: 1\na: http://x\n", "line 1: b should hold"),
        ("a:\n  base_url: http://x\n  kind: magic\n", "line 3: kind should be"),
        ("a:\n  base_url: http://x\n bad: [\n", "line 3: not YAML"),
        ("a: {\n", "line 2: not YAML"),
        ("- a\n", "line 1: should be a table"),
        (f"a:\n  base_url: http://x\n  key: {KEY}\n", "line 3: key should be a name"),
    ],
)
def test_a_bad_endpoints_file_is_refused_with_its_line_and_no_key(tmp_path: Path, text: str, said: str) -> None:
    endpoints_file(tmp_path, text)
    with pytest.raises(SettingsError) as error:
        loaded(tmp_path)
    assert said in str(error.value)
    assert KEY[:8] not in str(error.value)


@pytest.mark.parametrize(
    "typed",
    [
        "http://h:1/v1",
        " http://h:1/v1/ ",
        "http://h:1/v1/chat/completions",
        "http://h:1/v1/chat/completions/\n",
        "http://h:1/v1//",
    ],
)
def test_a_url_is_trimmed_of_what_people_paste_along(typed: str) -> None:
    assert read_url(typed) == "http://h:1/v1"


@pytest.mark.parametrize(
    "typed", ["", "h:1", "localhost:1234/v1", "file:///etc", "http://", "http://[", "javascript:alert(1)"]
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(SettingsError, match="should look like"):
        read_url(typed)


@pytest.mark.parametrize("typed", [f"http://me:{KEY}@h/v1", f"http://h/v1?key={KEY}", f"http://h/v1#{KEY}"])
def test_a_secret_in_an_address_is_refused_and_not_repeated(typed: str) -> None:
    with pytest.raises(SettingsError) as error:
        read_url(typed)
    assert KEY[:8] not in str(error.value)


# --- the home folder ---------------------------------------------------------------------------------------


def test_a_home_that_cannot_be_used_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for home in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(SettingsError, match="Set REFINE_HOME to"):
            loaded(home)


def test_a_network_disk_is_refused_in_words(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n")
    with pytest.raises(SettingsError, match=r"network disk \(nfs4\)"):
        check_home(tmp_path / "home", mounts)
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path}/elsewhere nfs4 rw 0 0\n")
    check_home(tmp_path / "home", mounts)


def test_a_secret_file_is_made_once_whoever_asks(tmp_path: Path) -> None:
    got: list[bytes] = []
    threads = [threading.Thread(target=lambda: got.append(write_secret(tmp_path, "page.secret"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(got)) == 1
    assert len(got[0]) == 32
    assert write_secret(tmp_path, "page.secret") == got[0]
    assert [path.name for path in tmp_path.iterdir()] == ["page.secret"]
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "page.secret").stat().st_mode) == 0o600


def test_a_damaged_secret_file_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "page.secret").write_bytes(b"short")
    with pytest.raises(SettingsError, match="Delete it"):
        write_secret(tmp_path, "page.secret")


# --- keys --------------------------------------------------------------------------------------------------


def test_keys_are_found_typed_then_in_the_environment_then_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "keys.yaml").write_text("OPENAI_API_KEY: from-the-file\nOTHER: other-from-the-file\n")
    env: dict[str, str] = {}
    keys = Keys(tmp_path, env)
    openai = Endpoint("openai", "https://api.openai.com/v1", "OPENAI_API_KEY")
    assert keys.find(openai) == "from-the-file"
    env["OPENAI_API_KEY"] = " from-the-environment\n"
    assert keys.find(openai) == "from-the-environment"
    keys.put("openai", " typed ")
    assert keys.find(openai) == "typed"
    keys.put("openai", "")
    assert keys.find(openai) == "from-the-environment"
    assert keys.find(Endpoint("mine", "http://x", "OTHER")) == "other-from-the-file"


def test_a_foreign_host_never_gets_the_environments_key(tmp_path: Path) -> None:
    keys = Keys(tmp_path, {"OPENAI_API_KEY": KEY})
    given = Endpoint("given", "http://elsewhere/v1")
    assert keys.find(given) is None
    keys.put("given", "its-own-key")
    assert keys.find(given) == "its-own-key"


@pytest.mark.skipif(sys.platform == "win32", reason="no file modes")
def test_a_key_file_that_others_can_read_is_closed_to_them_and_it_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "keys.yaml"
    file.write_text(f"OPENAI_API_KEY: {KEY}\n")
    file.chmod(0o644)
    with caplog.at_level(logging.WARNING):
        Keys(tmp_path, {})
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "could be read by others" in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize("text", [f"A: {KEY}\nA: {KEY}2\n", f"A: [{KEY}\n", f"{KEY}\n", "A: 12345678\n"])
def test_an_error_in_the_key_file_shows_no_key(tmp_path: Path, text: str) -> None:
    (tmp_path / "keys.yaml").write_text(text)
    with pytest.raises(SettingsError) as error:
        Keys(tmp_path, {})
    assert "line" in str(error.value)
    assert KEY[:8] not in str(error.value)
    assert "12345678" not in str(error.value)


@pytest.mark.skipif(sys.platform == "win32", reason="no file modes")
def test_a_key_put_into_the_file_is_found_at_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    settings, keys = loaded(tmp_path), Keys(tmp_path, {})
    assert settings.default_endpoint == ""
    keys.file("OPENAI_API_KEY", f" {KEY}: #'\" ")
    assert keys.find(settings.endpoints["openai"]) == f"{KEY}: #'\""
    assert keys.source(settings.endpoints["openai"]) == "file"
    assert settings.default_endpoint == "openai"
    assert stat.S_IMODE((tmp_path / "keys.yaml").stat().st_mode) == 0o600
    keys.file("OPENAI_API_KEY", "")
    assert keys.find(settings.endpoints["openai"]) is None
    assert KEY not in (tmp_path / "keys.yaml").read_text()


def test_another_program_finds_a_key_that_was_put_into_the_file_since(tmp_path: Path) -> None:
    other, openai = Keys(tmp_path, {}), Endpoint("openai", "https://api.openai.com/v1", "OPENAI_API_KEY")
    assert other.find(openai) is None
    Keys(tmp_path, {}).file("OPENAI_API_KEY", KEY)
    assert other.find(openai) == KEY


def test_a_key_file_broken_later_leaves_the_keys_as_they_were(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    keys, openai = Keys(tmp_path, {}), Endpoint("openai", "https://api.openai.com/v1", "OPENAI_API_KEY")
    keys.file("OPENAI_API_KEY", KEY)
    assert keys.find(openai) == KEY
    with caplog.at_level(logging.WARNING):
        (tmp_path / "keys.yaml").write_text(f"OPENAI_API_KEY: [{KEY}x\n")
        assert keys.find(openai) == KEY
    assert "line" in caplog.text
    assert KEY not in caplog.text


# --- sessions ----------------------------------------------------------------------------------------------

THERE = Endpoint("there", "https://example.org/v1", "THERE_KEY")


def test_a_key_typed_in_a_session_is_found_there_and_nowhere_else(tmp_path: Path) -> None:
    keys = Keys(tmp_path, {})
    mine, theirs = keys.session(), keys.session()
    mine.put("there", KEY)
    assert mine.find(THERE) == KEY
    assert (theirs.find(THERE), keys.find(THERE)) == (None, None)
    assert mine.source(THERE) == "typed"
    keys.put("there", "of-the-command-line")
    assert (mine.find(THERE), theirs.find(THERE)) == (KEY, "of-the-command-line")


def test_a_key_of_a_session_serves_the_runs_that_it_started_until_they_end(tmp_path: Path) -> None:
    keys = Keys(tmp_path, {})
    mine, theirs = keys.session(), keys.session()
    mine.lend("run-1")
    theirs.lend("run-2")
    mine.put("there", KEY)
    for run, found in (("run-1", KEY), ("run-2", None), ("run-3", None)):
        with keys.serving(run):
            assert keys.find(THERE) == found
    theirs.lend("run-1")
    with keys.serving("run-1"):
        assert keys.find(THERE) == KEY
    keys.give_back("run-1")
    with keys.serving("run-1"):
        assert keys.find(THERE) is None


def test_a_key_typed_for_one_address_goes_to_no_other(tmp_path: Path) -> None:
    keys = Keys(tmp_path, {}).session()
    keys.put("there", KEY, "https://example.org/v1")
    assert keys.find(THERE) == KEY
    assert keys.find(Endpoint("there", "https://elsewhere.example/v1", "THERE_KEY")) is None


# --- what a page writes ------------------------------------------------------------------------------------


def test_an_endpoint_that_is_added_is_there_at_once_and_comments_stay(tmp_path: Path) -> None:
    endpoints_file(tmp_path, "# my servers\nstudio:  # upstairs\n  base_url: http://localhost:1/v1\n  stream: false\n")
    settings, other = loaded(tmp_path), loaded(tmp_path)
    added = Endpoint("lab", "https://lab.example/v1", "LAB_KEY", concurrency=3)
    write_endpoint(tmp_path, added)
    write_endpoint(tmp_path, Endpoint("studio", "http://localhost:2/v1"))
    for found in (settings, other):
        assert found.endpoints["lab"] == added
        assert found.endpoints["studio"] == Endpoint("studio", "http://localhost:2/v1")
        assert [*found.endpoints][-2:] == ["studio", "lab"]
    written = (tmp_path / "endpoints.yaml").read_text()
    assert "# my servers" in written
    assert "# upstairs" in written
    assert "concurrency: 3" in written
    assert "idle_seconds" not in written


def test_an_endpoint_that_is_dropped_is_gone_and_a_shipped_one_is_as_it_was(tmp_path: Path) -> None:
    settings = loaded(tmp_path)
    write_endpoint(tmp_path, Endpoint("openai", "https://proxy.example/v1", "OPENAI_API_KEY"))
    write_endpoint(tmp_path, Endpoint("lab", "https://lab.example/v1"))
    assert settings.endpoints["openai"].base_url == "https://proxy.example/v1"
    drop_endpoint(tmp_path, "openai")
    drop_endpoint(tmp_path, "lab")
    assert settings.endpoints["openai"].base_url == "https://api.openai.com/v1"
    assert "lab" not in settings.endpoints
    assert settings.default_endpoint == ""


def test_an_endpoints_file_broken_later_leaves_the_endpoints_as_they_were(tmp_path: Path) -> None:
    endpoints_file(tmp_path, "lab:\n  base_url: https://lab.example/v1\n")
    settings = loaded(tmp_path)
    endpoints_file(tmp_path, "lab: {\n")
    assert settings.endpoints["lab"].base_url == "https://lab.example/v1"
    with pytest.raises(SettingsError, match="not YAML"):
        write_endpoint(tmp_path, Endpoint("x", "https://x.example/v1"))


def test_own_words_are_kept_one_a_line_each_once(tmp_path: Path) -> None:
    assert read_words(tmp_path) == ()
    write_words(tmp_path, ["Refactorium", "旧书角"])
    assert read_words(tmp_path) == ("Refactorium", "旧书角")
    (tmp_path / "words.txt").write_text("\ufeffa b\n\n a b \r\nc", encoding="utf-8")
    assert read_words(tmp_path) == ("a b", "c")
    (tmp_path / "words.txt").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(SettingsError, match="UTF-8"):
        read_words(tmp_path)


# --- redaction ---------------------------------------------------------------------------------------------


@given(st.integers(0, len(KEY) - 8), st.integers(8, len(KEY)), st.text(max_size=30), st.text(max_size=30))
def test_any_piece_of_eight_characters_of_a_key_is_masked(start: int, length: int, before: str, after: str) -> None:
    piece = KEY[start : start + length]
    shown = redact(before + piece + after, [KEY])
    assert MASK in shown
    assert not any(KEY[n : n + 8] in shown for n in range(len(KEY) - 7))


def test_what_is_no_key_stays_as_it_is() -> None:
    text = "Incorrect API key provided: sk-cana*******fXYZ. You can find your API key at https://platform"
    assert redact(text, [KEY]) == text
    assert redact(text, []) == text


def test_keys_that_touch_or_repeat_are_masked_whole() -> None:
    assert redact(f"a {KEY}{KEY} b", [KEY]) == f"a {MASK} b"
    assert redact("aaaaaaaaaaaa b", ["aaaaaaaa"]) == f"{MASK} b"


def test_a_short_key_is_masked_where_it_stands_alone() -> None:
    assert redact("key abc, abcd, xabc; abc", ["abc"]) == f"key {MASK}, abcd, xabc; {MASK}"


def test_found_and_typed_keys_are_masked_from_then_on(tmp_path: Path) -> None:
    keys = Keys(tmp_path, {"K": "from-env-4711-canary"})
    keys.find(Endpoint("e", "http://x", "K"))
    keys.put("f", "typed-4711-canary")
    remember_secret("remembered-4711")
    loaded(tmp_path, api_key="given-4711-canary")
    for key in ("from-env-4711-canary", "typed-4711-canary", "remembered-4711", "given-4711-canary"):
        assert redact(f"<{key}>") == f"<{MASK}>"
