"""The command `paddock`."""

import os
import sys


def main() -> int:
    """Run the command line; say what to install where its parts are missing."""
    # grpc's core reads this when it is imported. Without it raw lines appear beside our own.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        from paddock_server.cli import run  # noqa: PLC0415 -- its absence is what is caught

        return run()
    except ModuleNotFoundError as missing:
        sys.stderr.write(
            f"paddock: the command line needs {missing.name}; "
            "install it with: pip install 'paddock[server]'\n"
        )
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("paddock: interrupted; nothing was written\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
