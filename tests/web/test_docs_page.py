"""The documents of the API in a real browser."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from web.conftest import Running, Visit


def test_documents_show_every_operation_and_ask_nobody_else(web: Running, visit: Visit) -> None:
    visit.page.goto(f"{web.address}/api/docs")
    paths = web.client.get("/api/openapi.json").json()["paths"]
    visit.page.wait_for_selector("details")
    shown = visit.page.locator("summary code").all_inner_texts()
    assert sorted(shown) == sorted(paths)
    assert visit.requests
    assert visit.outside(web.address) == []
    assert visit.problems == []


def test_an_operation_can_be_tried(web: Running, visit: Visit) -> None:
    page = visit.page
    page.goto(f"{web.address}/api/docs")
    operation = page.locator("details", has=page.locator("summary code", has_text="/api/advise"))
    operation.first.locator("summary").click()
    operation.first.get_by_role("button", name="Send").click()
    answer = operation.first.locator("pre", has_text=re.compile("^200"))
    answer.wait_for()
    text = answer.inner_text()
    assert json.loads(text.partition("\n")[2])["best"] == "33"


def test_documents_fit_a_phone(web: Running, visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 360, "height": 740})
    visit.page.goto(f"{web.address}/api/docs")
    visit.page.wait_for_selector("details")
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360
