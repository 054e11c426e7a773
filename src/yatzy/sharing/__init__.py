"""What others can use without this program: packs of tables, values, decisions and labelled positions as data."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.sharing.adding import AddedTable as AddedTable
    from yatzy.sharing.adding import add_tables as add_tables
    from yatzy.sharing.dataset import Positions as Positions
    from yatzy.sharing.dataset import label_positions as label_positions
    from yatzy.sharing.dataset import played_positions as played_positions
    from yatzy.sharing.dataset import uniform_positions as uniform_positions
    from yatzy.sharing.dataset import write_dataset as write_dataset
    from yatzy.sharing.decisions import Decisions as Decisions
    from yatzy.sharing.decisions import strategy_decisions as strategy_decisions
    from yatzy.sharing.decisions import write_decisions as write_decisions
    from yatzy.sharing.manifest import Manifest as Manifest
    from yatzy.sharing.manifest import PackedTable as PackedTable
    from yatzy.sharing.packing import pack_tables as pack_tables
    from yatzy.sharing.values import StateValues as StateValues
    from yatzy.sharing.values import state_values as state_values
    from yatzy.sharing.values import write_values as write_values
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
