"""Check a built site: links and anchors between its pages exist, and no page loads anything from another host."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {"script": ("src",), "img": ("src",), "link": ("href",), "iframe": ("src",), "source": ("src", "srcset")}
"""Attributes that make a browser load something."""
NOT_LOADED = {"canonical", "prev", "next", "alternate", "author", "license"}
"""Kinds of <link> that nothing is loaded for."""
CSS_LOAD = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])(https?:)?//""")


class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links, self.loads, self.anchors = list[str](), list[str](), set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note the attributes of an element."""
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and NOT_LOADED & set(given.get("rel", "").split()):
            return
        self.loads += [given[name] for name in LOADS.get(tag, ()) if name in given]


def problems(folder: Path) -> list[str]:
    """Everything that is wrong with a site, one line each."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    found = [] if pages else [f"{folder}: there are no pages"]
    for path, page in pages.items():
        name = path.relative_to(folder)
        found += [f"{name}: loads {one}" for one in page.loads if urlsplit(one).netloc]
        for link in [*page.links, *(one for one in page.loads if not urlsplit(one).netloc)]:
            if wrong := _broken(folder, path, link, pages):
                found.append(f"{name}: {link}: {wrong}")
    for style in folder.rglob("*.css"):
        if CSS_LOAD.search(style.read_text(encoding="utf-8")):
            found.append(f"{style.relative_to(folder)}: loads from another host")
    return found


def _broken(folder: Path, path: Path, link: str, pages: dict[Path, Page]) -> str:
    """Why a link inside the site leads nowhere; empty if it does not, or if it leads outside."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    base = folder if parts.path.startswith("/") else path.parent
    target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path.resolve()
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "there is no such file"
    known = next((page for one, page in pages.items() if one.resolve() == target), None)
    anchor = unquote(parts.fragment)
    if anchor and known is not None and anchor not in known.anchors:
        return "there is no such place on the page"
    return ""


def main() -> None:
    """Print the problems of the site in the folder named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: check_site.py FOLDER")
    found = problems(Path(sys.argv[1]))
    for line in found:
        print(line)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
