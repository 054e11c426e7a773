"""The HTTP API, one module per topic. Each route parses the request, calls the service and returns JSON."""

from fastapi import APIRouter

from yatzy.web.api import advice, coach, distribution, games, match, simulation, tables

router = APIRouter(prefix="/api")
TOPICS = (advice, games, distribution, coach, simulation, match, tables)
for topic in TOPICS:
    router.include_router(topic.router)

__all__ = ["TOPICS", "router"]
