"""Questions made from the OpenAPI description: whatever is asked, nothing fails, and answers are as described."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from yatzy.web import limits

if TYPE_CHECKING:
    from web.conftest import Running

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
PATHS = ("/api/games", "/api/games/{id}", "/api/games/read", "/api/advise", "/api/value", "/api/chance",
         "/api/distribution", "/api/explain", "/api/outlook", "/api/selected-moves", "/api/review",
         "/api/simulate", "/api/match/advise", "/api/tables")  # fmt: skip


def test_every_operation_is_asked(web: Running) -> None:
    assert set(web.client.get("/api/openapi.json").json()["paths"]) == set(PATHS)


@pytest.mark.parametrize("examples", [15, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", PATHS)
def test_no_question_makes_the_server_fail(
    web: Running, monkeypatch: pytest.MonkeyPatch, path: str, examples: int
) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.5)
    description = schemathesis.openapi.from_url(f"{web.address}/api/openapi.json")
    (operations,) = [list(description[path].values())]
    for operation in operations:

        @hypothesis.given(case=operation.as_strategy())
        @hypothesis.settings(
            max_examples=examples, deadline=None, database=None, derandomize=True,
            suppress_health_check=list(hypothesis.HealthCheck),
        )  # fmt: skip
        def ask(case: Any) -> None:
            case.validate_response(case.call(base_url=web.address), checks=CHECKS)

        ask()
