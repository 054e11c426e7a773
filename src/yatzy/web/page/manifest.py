"""The web app manifest, with which browsers install the page like a program."""

from __future__ import annotations

import json

from fastapi import FastAPI, Response

from yatzy.report.texts import LANGUAGES
from yatzy.web.page.reader import Reader

PATH = "/manifest.webmanifest"
COLOURS = {"theme_color": "#17614a", "background_color": "#eee4d4"}


def add_manifest(app: FastAPI, assets: str) -> None:
    """Serve the manifest; `assets` is the path of the icons."""

    def manifest(language: str = "") -> Response:
        if language not in LANGUAGES:
            language = LANGUAGES[0]
        fields = {
            "id": "/",
            "name": "Yatzy",
            "short_name": "Yatzy",
            "description": Reader(language).t("app.description"),
            "lang": language,
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            **COLOURS,
            "icons": [
                _icon(f"{assets}/icon-192.png", 192, "any"),
                _icon(f"{assets}/icon-512.png", 512, "any"),
                _icon(f"{assets}/icon-full-512.png", 512, "maskable"),
            ],
        }
        return Response(json.dumps(fields), media_type="application/manifest+json")

    app.add_api_route(PATH, manifest, include_in_schema=False)


def _icon(path: str, size: int, purpose: str) -> dict[str, str]:
    return {"src": path, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


def manifest_links(language: str, assets: str) -> str:
    """The elements of the head of a page that make it installable."""
    return (
        f'<link rel="manifest" href="{PATH}?language={language}">'
        f'<link rel="apple-touch-icon" href="{assets}/icon-full-180.png">'
        f'<meta name="theme-color" content="{COLOURS["theme_color"]}">'
        '<meta name="apple-mobile-web-app-title" content="Yatzy">'
    )
