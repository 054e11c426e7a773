"""The HTTP API, one module per topic. Each route parses the request, calls the service and returns JSON."""

from itertools import chain

from starlette.routing import BaseRoute

from yatzy.web.api import advice, coach, distribution, games, match, simulation, tables

TOPICS = (advice, games, distribution, coach, simulation, match, tables)
routes: tuple[BaseRoute, ...] = tuple(chain.from_iterable(topic.router.routes for topic in TOPICS))
"""All routes. An application adds them one by one: among those of included routers FastAPI looks three times."""

__all__ = ["TOPICS", "routes"]
