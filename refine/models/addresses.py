"""Where an endpoint lives, read from its address. Knows nothing of requests, keys or models."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from urllib.parse import urlsplit

from refine.types import Endpoint


def host_of(base_url: str) -> str:
    """The host of an address, in lower case; "" where there is none."""
    try:
        return urlsplit(base_url.strip()).hostname or ""
    except ValueError:
        return ""


@lru_cache
def is_loopback(base_url: str) -> bool:
    """Does this address lead to this very machine? 127.0.0.0/8, ::1, 0.0.0.0, localhost and names below it."""
    host = host_of(base_url)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def is_free(endpoint: Endpoint) -> bool:
    """Does nobody send a bill for this endpoint? True of the shipped ones and of whatever runs on this machine."""
    return endpoint.kind in ("scripted", "embedded") or is_loopback(endpoint.base_url)


def trimmed(base_url: str) -> str:
    """The address without white space and closing slashes around it; never rewritten beyond that."""
    return base_url.strip().rstrip("/")
