"""`python -m sera_guided`, as the jobs of the workflow call it."""

from sera_guided.cli import main

if __name__ == "__main__":
    main(prog_name="sera-guided")
