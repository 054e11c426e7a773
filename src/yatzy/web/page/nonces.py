"""Nonces for the scripts of NiceGUI's page, which the content security policy asks for (`web.guard`).

NiceGUI has no setting for this. Hashes of the scripts are no alternative, because the last script contains the elements
of the page and differs every time. So the nonce is added to NiceGUI's template before Jinja compiles it. Only scripts
that the template itself contains get the nonce, whatever is later inserted into a page.
"""

from __future__ import annotations

from jinja2.ext import Extension
from nicegui.client import templates

from yatzy.web.guard import NONCE


class ScriptNonces(Extension):
    """Writes the nonce of the request into every `<script>` of a template."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Change the source of a template."""
        return source.replace("<script", f"<script nonce=\"{{{{ request.scope['{NONCE}'] }}}}\"")


def add_nonces() -> None:
    """Add nonces to all pages that NiceGUI renders from now on."""
    templates.env.add_extension(ScriptNonces)
