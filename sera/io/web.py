"""Addresses of servers."""

from __future__ import annotations

from urllib.parse import urlsplit


def fault(address: str) -> str:
    """What is wrong with an address, as in "has a password in it"; empty if it is right.

    An address begins with http:// or https:// and has no credentials. The text does not quote the address,
    which may hold a secret.
    """
    if not address.isprintable() or " " in address:
        return "has a blank or a control character in it"
    try:
        parts = urlsplit(address)
        if "@" in parts.netloc:
            return "has a user or a password in it"
        well = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        well = False
    return "" if well else "does not begin with http:// or https:// and the name of a server"
