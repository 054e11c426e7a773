"""`python -m yatzy` is the command line."""

from yatzy.cli import main

if __name__ == "__main__":
    main()
