"""All bounds of the server in one place: whatever is beyond is refused with one clear line.

They let a person do all that the page offers, and keep a request from taking the machine.
"""

from __future__ import annotations

from yatzy.values.cost import CostLimit

KIBI = 1024

BODY = 256 * KIBI
"""Bytes of a request to the API."""
PAGE_BODY = 1024 * KIBI
"""Bytes of any other request: the page's own traffic, and files that are handed to it."""
ADDRESS = 16 * KIBI
"""Bytes of the path and query of a request."""
DESCRIPTION = 64 * KIBI
"""Characters of a game of one's own."""
POSITION = 4 * KIBI
"""Characters of a position."""
TEXT = 200
"""Characters of any other text: a name, an objective, a strategy."""
NUMBER = 10**6
"""The size of any whole number but a seed."""
OBJECTIVES = 8
"""Objectives side by side."""
SCORES = 50
"""Scores whose share is asked of a sample."""
PLAYERS = 8

PRESET_STATES = 2**20
"""States of a preset that is solved when it is asked for; a larger one is served once its table is there."""
TABLE_BYTES = 4 * KIBI**3
"""The estimated size of a table of distributions that is made when it is asked for."""
OPEN_GAMES = 8
"""Games of people's own whose tables are kept open; that of a ninth closes those of the one used longest ago."""
EXTRA_TABLES = 64
"""Tables that one run of the server makes for games of one's own and for objectives with a number of one's own."""

INLINE_KEEPS = 1000
"""Ways to keep dice up to which advice is worked out at once; more take a worker."""
WORKERS = 2
"""Long questions that are worked on at the same time."""
WAITING = 16
"""Long questions that wait for a worker."""
WORKER_BYTES = 5 * KIBI**3 // 2
"""Memory that a process may take for the questions it works on, besides the tables that it reads."""
KEPT_BYTES = 512 * KIBI**2
"""Memory that a process may hold between questions; one that holds more is ended, and another takes its place."""
OPENED = 16
"""Tables, solutions and searches that such a process keeps open."""
EVALUATION = CostLimit(
    bytes=3 * KIBI**3 // 2, operations=1e12, instead="a simulation tells nearly the same (in the Lab, or /api/simulate)"
)
"""An exact distribution, as estimated: Yatzy's takes 0.7 GiB, Yahtzee's 1.2, Maxi Yatzy's 34."""
SECONDS = 60.0
"""How long a question may take once it is worked on."""
GAMES = 200_000
"""Games of a simulation by a strategy that plays many at once."""
SLOW_GAMES = 200
"""Games by any other strategy."""
ANSWERS = 128
"""Searches, explanations and reviews that are kept, so that nobody waits twice for the same one."""
REMEMBERED = 32
"""Distributions of strategies, and searches, that are kept."""

PAGES = 300
"""Pages that are open at the same time, in all browsers together."""
WAITING_PAGES = 32
"""Pages that were asked for and have not opened their websocket yet; the oldest make room for new ones."""
WAITING_SECONDS = 10.0
"""How long a page has for that."""
REQUEST_SECONDS = 15.0
"""How long a connection may take to send a whole request."""
HEADERS = 64 * KIBI
"""Bytes of the first line and the headers of a request."""
FILES_KEPT = 48
"""Files that connections leave to everything else, out of those the process may open."""
CONNECTIONS = 1000
"""Connections at the same time, where the limit of files allows as many."""
ADDRESS_SHARE = 0.5
"""The share of the connections that one address may have."""
