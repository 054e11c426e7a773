"""Files that last: tables of values, kept results, atomic writes and locks. Nothing here knows about dice.

A table is built layer by layer in `NAME.part`, which is renamed to `NAME.table` when it is complete. Use
`open_or_build`: it opens the table if it is there, and otherwise builds the layers that are missing. Results of long
computations are kept by `store.kept`. `store.files` writes and locks files.
"""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names
from yatzy.store.building import Build as Build
from yatzy.store.building import open_or_build as open_or_build
from yatzy.store.building import repair as repair
from yatzy.store.folder import TableInfo as TableInfo
from yatzy.store.folder import TableState as TableState
from yatzy.store.folder import list_tables as list_tables
from yatzy.store.folder import remove_tables as remove_tables
from yatzy.store.folder import table_path as table_path
from yatzy.store.folder import tables_folder as tables_folder
from yatzy.store.folder import verify_table as verify_table
from yatzy.store.key import TableKey as TableKey
from yatzy.store.locking import Report as Report
from yatzy.store.table import Table as Table
from yatzy.store.writer import TableWriter as TableWriter

if TYPE_CHECKING:
    from yatzy.store.files import locked as locked
    from yatzy.store.files import write_atomic as write_atomic
    from yatzy.store.kept import KeptResults as KeptResults
    from yatzy.store.kept import encode_json as encode_json
    from yatzy.store.revisions import Computation as Computation
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
