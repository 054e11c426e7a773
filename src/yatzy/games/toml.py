"""Read untrusted TOML in time and memory bounded by its length.

`tomllib` stores every prefix of a dotted key, so a key of n parts costs n². Texts that are long or deeply nested are
rejected before they are parsed.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

MOST_CHARACTERS = 128 * 1024
"""The most characters of a text; the presets have up to 4,000."""
MOST_DEPTH = 8
"""The most parts of a dotted key, and the deepest nesting of brackets; games need 3 and studies 4."""

# TOML comments and strings; an unclosed string runs to the end of its line or of the text.
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
    """Parse a TOML text. Raises ValueError if it is invalid or too large."""
    if len(text) > most:
        raise ValueError(f"the text has {len(text):,} characters; {most:,} are read")
    bare = _ASIDE.sub(lambda found: "" if found["comment"] else "s", text)
    if any(found.count(".") >= MOST_DEPTH for found in _KEY.findall(bare)):
        raise ValueError(f"a key has more than {MOST_DEPTH} parts")
    depth = 0
    for bracket in _BRACKET.findall(bare):
        depth += 1 if bracket in "[{" else -1
        if depth > MOST_DEPTH:
            raise ValueError(f"brackets are nested more than {MOST_DEPTH} levels deep")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
