"""Commands: parse, call, show. They compute nothing themselves."""


def main() -> None:
    """Run the command line."""
    from yatzy.cli.app import run

    run()
