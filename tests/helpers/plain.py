"""Answers as a client reads them."""

from __future__ import annotations

import json
from typing import Any

from yatzy.report.answers.base import json_text


def plain(answer: object) -> Any:
    """An answer as it is read back from its JSON."""
    return json.loads(json_text(answer))
