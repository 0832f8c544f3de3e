"""What the command line offers is what there is."""

from __future__ import annotations

import pytest

from refine import export
from refine.cli import COMMANDS, main
from refine.cli_options import KINDS, OPTIONS


def test_every_command_says_what_it_takes() -> None:
    assert list(COMMANDS) == list(OPTIONS)


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_has_a_word_of_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    out = capsys.readouterr().out
    assert left.value.code == 0
    assert all(option in out for option in OPTIONS[name][1] if option.startswith("--"))
    assert all(settings.get("help") for settings in OPTIONS[name][1].values())


def test_every_kind_of_file_is_offered() -> None:
    assert list(export.KINDS) == list(KINDS)
