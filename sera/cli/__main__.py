"""`python -m sera.cli` is the command `sera`, with the Python that is named."""

from sera.cli import main

if __name__ == "__main__":
    main(prog_name="sera")
