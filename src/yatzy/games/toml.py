"""TOML from anybody: the time and the memory to read it are bounded by its length.

`tomllib` keeps every leading part of a dotted key, so that a key of n parts costs n². Texts that are long or deeply
nested are refused before it sees them.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

MOST_CHARACTERS = 128 * 1024
"""Of a text; the presets have 4,000."""
MOST_DEPTH = 8
"""Parts of a dotted key, and brackets inside brackets; games have 3 and studies 4."""

# Comments and strings as TOML has them; one that is not closed runs to the end of its line or of the text.
_ASIDE = re.compile(
    r"""(?P<comment>\#[^\n]*+)
    | \"{3} (?: [^"\\]++ | \\[\s\S] | "{1,2}+(?!") )*+ (?: "{3,5} | \Z )
    | '{3} (?: [^']++ | '{1,2}+(?!') )*+ (?: '{3,5} | \Z )
    | " (?: [^"\\\n]++ | \\[^\n] )*+ "?
    | ' [^'\n]*+ '?""",
    re.VERBOSE,
)
_KEY = re.compile(r"[^\[\]{}=,\n]*+")
_BRACKET = re.compile(r"[\[\]{}]")


def read_toml(text: str, most: int = MOST_CHARACTERS) -> dict[str, Any]:
    """The table that a text describes; `ValueError` says what is wrong with it."""
    if len(text) > most:
        raise ValueError(f"the text has {len(text):,} characters; {most:,} are read")
    bare = _ASIDE.sub(lambda found: "" if found["comment"] else "s", text)
    if any(found.count(".") >= MOST_DEPTH for found in _KEY.findall(bare)):
        raise ValueError(f"a key has more than {MOST_DEPTH} parts")
    depth = 0
    for bracket in _BRACKET.findall(bare):
        depth += 1 if bracket in "[{" else -1
        if depth > MOST_DEPTH:
            raise ValueError(f"brackets stand more than {MOST_DEPTH} deep")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
