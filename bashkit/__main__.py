"""``python -m bashkit``: the command line of the interpreter that is at hand."""

from bashkit.cli import main

if __name__ == "__main__":
    main()
