"""Files that last: tables of values, kept results, atomic writes and locks. Nothing here knows about dice.

A table is built layer by layer in `NAME.part`, which is renamed to `NAME.table` when it is complete. Use
`open_or_build`: it opens the table if it is there, and otherwise builds the layers that are missing. Results of long
computations are kept by `store.kept`. `store.files` writes and locks files.
"""

from yatzy.store.building import Build, open_or_build, repair
from yatzy.store.folder import (
    TableInfo,
    TableState,
    list_tables,
    remove_tables,
    table_path,
    tables_folder,
    verify_table,
)
from yatzy.store.key import TableKey
from yatzy.store.locking import Report
from yatzy.store.table import Table
from yatzy.store.writer import TableWriter

__all__ = [
    "Build",
    "Report",
    "Table",
    "TableInfo",
    "TableKey",
    "TableState",
    "TableWriter",
    "list_tables",
    "open_or_build",
    "remove_tables",
    "repair",
    "table_path",
    "tables_folder",
    "verify_table",
]
