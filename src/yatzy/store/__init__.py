"""Tables of values on disk: self-describing, checksummed, resumable; knows nothing of dice.

A table is built layer by layer into `NAME.part` and renamed to `NAME.table` when whole.
`open_or_build` is the usual door: it opens a sound table and otherwise makes what is missing.
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
