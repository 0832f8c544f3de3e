"""Tools of the sample worlds: weather and servers that exist only in `data/samples/worlds`. Nothing real is touched."""

from __future__ import annotations

from functools import cache
from typing import Any

from refine.schema import plain_yaml
from refine.tools.registry import tool
from refine.tools.surroundings import Surroundings
from refine.tools.wording import say, tongue
from refine.tools.workspace import WORLDS, Folder
from refine.tools.wrong import Refused, short

SERVER_START = "srv-"
RESTARTED = "restarted.txt"
"""The workspace's file of servers that were restarted."""


@tool()
def weather(around: Surroundings, city: str) -> str:
    """Tells the weather in a city as it is now, from sample data.

    Args:
        city: the city's name.
    """
    cities, wanted = _table("weather"), city.strip().casefold()
    language = tongue(around.language)
    row = next((row for row in cities if wanted in {name.casefold() for name in row["names"].values()}), None)
    if row is None:
        known = say(language, "comma").join(row["names"][language] for row in cities)
        raise Refused(say(language, "no_weather", city=short(city), known=known))
    return say(
        language,
        "weather",
        city=row["names"][language],
        sky=row["sky"][language],
        degrees=row["degrees"],
        humidity=row["humidity"],
        wind=row["wind"],
    )


@tool()
def list_servers(around: Surroundings) -> str:
    """Lists the servers of the sample data centre with their ids."""
    return "\n".join(_server_line(around, row) for row in _table("servers"))


@tool()
def server_status(around: Surroundings, id: str) -> str:
    """Tells how a server of the sample data centre is.

    Args:
        id: the server's id.
    """
    return _server_line(around, _server(around, id))


@tool()
def restart_server(around: Surroundings, id: str) -> str:
    """Restarts a server of the sample data centre. Sample data: nothing real is restarted.

    Args:
        id: the server's id.
    """
    row = _server(around, id)
    folder, done = Folder(around), _restarted(around)
    folder.write("", RESTARTED, "\n".join(dict.fromkeys([*done, row["id"]])) + "\n")
    return say(around.language, "restarted", line=_server_line(around, row))


def _server(around: Surroundings, given: str) -> Any:
    wanted = given.strip()
    if not wanted.startswith(SERVER_START):
        raise Refused(say(around.language, "bad_server_id", id=short(wanted), start=SERVER_START))
    row = next((row for row in _table("servers") if row["id"] == wanted), None)
    if row is None:
        known = say(around.language, "comma").join(row["id"] for row in _table("servers"))
        raise Refused(say(around.language, "no_server", id=short(wanted), known=known))
    return row


def _server_line(around: Surroundings, row: Any) -> str:
    language = tongue(around.language)
    state = "up" if row["id"] in _restarted(around) else row["state"]
    return say(
        language, "server_line", id=row["id"], does=row["does"][language], state=say(language, f"server_{state}")
    )


def _restarted(around: Surroundings) -> list[str]:
    if around.workspace is None:
        return []
    folder = Folder(around)
    return folder.read("", RESTARTED).split() if folder.has("", RESTARTED) else []


@cache
def _table(name: str) -> Any:
    return plain_yaml().load((WORLDS / f"{name}.yaml").read_text(encoding="utf-8"))
