"""The command line: parse, call, show. Commands compute nothing themselves."""

import sys


def main() -> None:
    """Run the command line."""
    from yatzy.cli.streams import prepare

    try:
        prepare()
        from yatzy.cli.app import run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
