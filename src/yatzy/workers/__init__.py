"""Where long computations run: threads, a cluster or a GPU, as executors of `concurrent.futures`."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.workers.places import Place as Place
    from yatzy.workers.places import parse_place as parse_place
    from yatzy.workers.running import run_tasks as run_tasks
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
