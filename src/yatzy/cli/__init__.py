"""The command line: parse, call, show. Commands compute nothing themselves."""

import sys


def main() -> None:
    """Run the command line."""
    try:  # Ctrl-C outside a command ends quietly, and broken streams are replaced before anything prints
        from yatzy.cli.interrupts import prepare_interrupts
        from yatzy.cli.streams import prepare

        prepare_interrupts()
        prepare()
        from yatzy.cli.app import run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
