"""The command line: parse, call, show. Commands compute nothing themselves."""

import sys


def main() -> None:
    """Run the command line."""
    try:  # Ctrl-C during the imports ends quietly, and broken streams are replaced before anything prints
        from yatzy.cli.interrupts import prepare_interrupts
        from yatzy.cli.streams import prepare

        prepare_interrupts()
        prepare()
        from yatzy.cli.app import run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
