"""ECharts elements."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from yatzy.web.page.parts.region import set_property


def chart_box(options: dict[str, Any], id: str, label: str) -> ui.echart:
    """A chart of a fixed height, drawn as SVG so that colours follow the style sheet."""
    chart = (
        ui.echart({key: _frozen(value) for key, value in options.items()}, renderer="svg")
        .classes("yz-chart")
        .props(f'role="img" data-testid="{id}"')
    )
    chart._props["aria-label"] = label
    return chart


def show_chart(chart: ui.echart, options: dict[str, Any]) -> None:
    """Replace the options of a chart."""
    set_property(chart, "options", options)


def _frozen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(value)
    if isinstance(value, dict):
        return {key: _frozen(one) for key, one in value.items()}
    return value
