"""Read untrusted TOML in time and memory bounded by its length.

`tomllib` stores every prefix of a dotted key, so a key of n parts costs n². Texts that are long or deeply nested are
rejected before they are parsed.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from yatzy.errors import Message

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
_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)")
_BRACKET = re.compile(r"[\[\]{}]")


def read_toml(text: str, most: int = MOST_CHARACTERS) -> dict[str, Any]:
    """Parse a TOML text. Raises ValueError if it is invalid or too large."""
    if len(text) > most:
        raise ValueError(Message("the text has {count:,} characters; {most:,} are read", count=len(text), most=most))
    bare = _ASIDE.sub(lambda found: "" if found["comment"] else "s", text)
    if any(found.count(".") >= MOST_DEPTH for found in _KEY.findall(bare)):
        raise ValueError(Message("a key has more than {most} parts", most=MOST_DEPTH))
    depth = 0
    for bracket in _BRACKET.findall(bare):
        depth += 1 if bracket in "[{" else -1
        if depth > MOST_DEPTH:
            raise ValueError(Message("brackets are nested more than {most} levels deep", most=MOST_DEPTH))
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(Message("it is nested too deeply")) from None


def toml_problem(error: ValueError) -> Message:
    """What is wrong with a text that `read_toml` refuses, and where."""
    if error.args and isinstance(error.args[0], Message):
        return error.args[0]
    found = _PLACE.fullmatch(str(error))
    if found is None:
        return Message(str(error))
    what, line, column = found.groups()
    if line is None:
        return Message("{what} (at end of document)", what=Message(what))
    return Message("{what} (at line {line}, column {column})", what=Message(what), line=line, column=column)
