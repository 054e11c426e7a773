"""All limits of the server. A request that exceeds one is refused with a one-line message.

They allow everything the page offers, and prevent a single request from overloading the machine.
"""

from __future__ import annotations

from yatzy.errors import Message
from yatzy.values.cost import CostLimit

KIBI = 1024

BODY = 256 * KIBI
"""Maximum bytes of an API request."""
PAGE_BODY = 1024 * KIBI
"""Maximum bytes of any other request: the page's own traffic and uploaded files."""
ADDRESS = 16 * KIBI
"""Maximum bytes of the path and query of a request."""
RECORD = 64 * KIBI
"""Maximum characters of a record in an API request."""
DESCRIPTION = 64 * KIBI
"""Maximum characters of a custom game's description."""
POSITION = 4 * KIBI
"""Maximum characters of a position."""
TEXT = 200
"""Maximum characters of any other text: a name, an objective, a strategy."""
NUMBER = 10**6
"""Maximum value of any integer except a seed."""
OBJECTIVES = 8
"""Maximum number of objectives in one request."""
SCORES = 50
"""Maximum number of scores whose frequency in a sample may be requested."""
PLAYERS = 8

QUICK_STATES = 2**20
"""Largest game, in states, whose expected scores are made in this process, within seconds. No larger game of people's
own is solved on request; it needs a table made beforehand."""
PRESET_STATES = 2**25
"""Largest preset, in states, that is solved on request: Maxi Yatzy has 29 million, made in a child process."""
TABLE_BYTES = 4 * KIBI**3
"""Largest table of distributions, in estimated bytes, that is made on request."""
OPEN_GAMES = 8
"""Custom games whose tables stay open. Beyond this, the tables of the least recently used game are closed."""
EXTRA_TABLES = 64
"""Tables made per server run for custom games and for objectives with a custom parameter."""

INLINE_KEEPS = 1000
"""Largest game, in keeps, for which a turn is computed on the event loop. Larger ones use a worker."""
SHORT_TURNS, SHORT_PRODUCTS = 2, 1e8
"""Deepest search, in turns, that is made in this process, by a worker; and the largest game for it, in products of
chances, of which all presets need at most a half. Other searches use a child process."""
WORKERS = 2
"""Long questions processed concurrently."""
WAITING = 16
"""Long questions that may be queued."""
WORKER_BYTES = 5 * KIBI**3 // 2
"""Memory in bytes that a child process may allocate. The tables it reads do not count."""
KEPT_BYTES = 512 * KIBI**2
"""Memory in bytes that a child process may retain between tasks. If it retains more, it is replaced."""
OPENED = 16
"""Tables, solutions and searches that a child process keeps open."""
EVALUATION = CostLimit(
    bytes=3 * KIBI**3 // 2, operations=1e12, instead=Message("simulate it instead (in the Lab, or with /api/simulate)")
)
"""Maximum estimated cost of an exact distribution. Yatzy needs 0.7 GiB, Yahtzee 1.2, Maxi Yatzy 34."""
SECONDS = 60.0
"""Timeout of a question in seconds, not counting the time in the queue."""
GAMES = 200_000
"""Maximum games of a simulation by a strategy that plays in bulk."""
SLOW_GAMES = 200
"""Maximum games of a simulation by any other strategy."""
ANSWERS = 128
"""Size of the cache of searches, explanations and reviews."""
REMEMBERED = 32
"""Size of the caches of exact distributions and of searches."""

PAGES = 300
"""Maximum number of open pages, over all browsers."""
WAITING_PAGES = 32
"""Maximum number of pages that have not opened their websocket yet. Beyond this, older ones are dropped."""
WAITING_SECONDS = 10.0
"""Time in seconds in which a page must open its websocket."""
RECONNECT_SECONDS = 10.0
"""Time in seconds in which a page that lost its websocket may come back. Until then others see it at the table."""
REQUEST_SECONDS = 15.0
"""Time in seconds in which a connection must send a whole request."""
HEADERS = 64 * KIBI
"""Maximum bytes of the request line and headers."""
KEPT_FREE = 32 * KIBI**2
"""Bytes of freed memory that a thread keeps for the next question."""
FILES_KEPT = 48
"""File descriptors reserved for everything except connections."""
CONNECTIONS = 1000
"""Maximum number of connections, if the limit on open files allows it."""
ADDRESS_SHARE = 0.5
"""Maximum share of the connections for one client address."""
