"""A QR code as SVG."""

from __future__ import annotations

from yatzy.web.page.parts.markup import Markup, tag
from yatzy.web.qr import svg_path


def qr_code(address: str, label: str) -> Markup:
    """The QR code of an address, dark on light also in dark mode."""
    size, path = svg_path(address)
    light = tag("rect", width=size, height=size, class_="yz-qr-light")
    dark = tag("path", d=path, class_="yz-qr-dark")
    return tag("svg", light, dark, viewBox=f"0 0 {size} {size}", class_="yz-qr", role="img", aria_label=label,
               shape_rendering="crispEdges", data_testid="qr", data_address=address)  # fmt: skip
