"""Results as text: words, numbers, sheets and documents, for the terminal, Markdown, HTML and JSON, by language."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.report.answers.regret import read_regret as read_regret
    from yatzy.report.document import Block as Block
    from yatzy.report.document import Figure as Figure
    from yatzy.report.document import Heading as Heading
    from yatzy.report.document import Marked as Marked
    from yatzy.report.document import Paragraph as Paragraph
    from yatzy.report.document import Table as Table
    from yatzy.report.document import marked_table as marked_table
    from yatzy.report.document import to_html as to_html
    from yatzy.report.document import to_markdown as to_markdown
    from yatzy.report.regret import regret_blocks as regret_blocks
    from yatzy.report.splits import event_label as event_label
    from yatzy.report.splits import part_labels as part_labels
    from yatzy.report.strength import strength_files as strength_files
    from yatzy.report.strength import strength_tables as strength_tables
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
