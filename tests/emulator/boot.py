"""Lambda's runtime for one function, executed by file name under the emulator.

    python -I -S -B boot.py FUNCTION LAYER RUNTIME HANDLER

The interpreter comes without site-packages, working directory and environment, so what can be
imported is what Lambda has, in its order: the function, its layer, the standard library, then the
packages of the runtime itself.
"""

import sys
from importlib import import_module


def main() -> None:
    """Serve invocations until the emulator ends."""
    function, layer, runtime, handler = sys.argv[1:]
    sys.path[:0] = [function, layer]
    sys.path.append(runtime)
    import_module("awslambdaric.__main__").main(["", handler])


if __name__ == "__main__":
    main()
