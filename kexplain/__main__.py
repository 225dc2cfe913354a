"""`python -m kexplain`, and the command itself: ready for an interrupt before anything else is imported."""

import gc
import os
import sys

from kexplain.cli import EXIT_INTERRUPTED


def main() -> None:
    """Run the command line; an interrupt ends it quietly, however early or late."""
    # Little of what a run makes becomes garbage, and looking for it takes long.
    gc.disable()
    try:
        if sys.argv[1:2] == ["__complete"]:
            from kexplain.cli.completion import main as complete  # noqa: PLC0415 (as below)

            complete(sys.argv[2:])
        from kexplain.cli.main import main as run  # noqa: PLC0415 (an interrupt may come while it is imported)

        run()
    except KeyboardInterrupt:
        os._exit(EXIT_INTERRUPTED)


if __name__ == "__main__":
    main()
