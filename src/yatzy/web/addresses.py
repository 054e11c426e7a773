"""The addresses of this server: which host names it accepts, and which addresses others on the network can open."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

EVERYWHERE = {"0.0.0.0": 4, "::": 6}
"""Hosts that mean every network interface, with the version of their addresses."""
OUTSIDE = {4: ("192.0.2.1", 9), 6: ("2001:db8::1", 9)}
"""Addresses reserved for documentation: the route to them shows our own address, and nothing is sent."""


def names_of_this_machine() -> frozenset[str]:
    """The names of this machine on the network, without a DNS lookup."""
    name = socket.gethostname().casefold()
    return frozenset({name, name.partition(".")[0], f"{name.partition('.')[0]}.local"} - {""})


def is_local(host: str) -> bool:
    """Whether only programs on this machine can reach a host."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    return host.casefold() == "localhost"


def url(host: str, port: int) -> str:
    """The address of the page at a host."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def for_others(host: str, port: int, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The addresses at which other devices can open the page, the best first. Empty if only this machine can.

    names: host names of this machine that the user has given.
    """
    if is_local(host):
        return ()
    hosts = _network_addresses(EVERYWHERE[host]) if host in EVERYWHERE else [host]
    return tuple(url(one, port) for one in dict.fromkeys((*names, *hosts)))


def origin_for_others(origin: str, others: Sequence[str]) -> str | None:
    """The start of a link that others can open, for a visitor at `origin`. None if only this machine can."""
    if not is_local(urlsplit(origin).hostname or ""):
        return origin
    return others[0].rstrip("/") if others else None


def _network_addresses(version: int) -> list[str]:
    """The addresses of this machine on its networks, that of the default route first."""
    found = [*_default_address(version), *_all_addresses(version)]
    return [one for one in dict.fromkeys(found) if _is_useful(one)]


def _default_address(version: int) -> Iterator[str]:
    family = socket.AF_INET if version == 4 else socket.AF_INET6
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect(OUTSIDE[version])
        yield probe.getsockname()[0]


def _all_addresses(version: int) -> Iterable[str]:
    import ifaddr  # part of the extra `web`

    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            if one.is_IPv4 == (version == 4):
                yield one.ip if isinstance(one.ip, str) else one.ip[0]


def _is_useful(address: str) -> bool:
    found = ipaddress.ip_address(address)
    return not (found.is_loopback or found.is_link_local or found.is_unspecified)
