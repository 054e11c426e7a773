"""Tables and complete solutions computed again by another way, and the identities that they obey."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.verification.checking import Wanted as Wanted
    from yatzy.verification.checking import check_table as check_table
    from yatzy.verification.checking import find_table as find_table
    from yatzy.verification.checking import tables_to_check as tables_to_check
    from yatzy.verification.results import TableCheck as TableCheck
    from yatzy.verification.results import Verdict as Verdict
    from yatzy.verification.solutions import SolutionCheck as SolutionCheck
    from yatzy.verification.solutions import check_solution as check_solution
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
