"""The commands of the study, from its checkout: `python -m study --help`."""

from study.commands import main

if __name__ == "__main__":
    main(prog_name="python -m study")
