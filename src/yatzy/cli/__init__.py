"""The command line: parse, call, show. Commands compute nothing themselves."""


def main() -> None:
    """Run the command line."""
    import sys

    from yatzy.cli.streams import prepare

    try:
        prepare()
        from yatzy.cli.app import run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
