"""Starts one function, or a bare handler with the same clients, and says what CPU that took.

    python -I -S -B start_child.py FUNCTION LAYER RUNTIME [SERVICE…]

By file name, in an interpreter without site-packages: what can be imported is what Lambda has, in
its order. With services a bare handler makes boto3's clients of them.
"""

import json
import sys
import time


def main() -> None:
    """Start it, and print one JSON object."""
    function, layer, runtime, *services = sys.argv[1:]
    sys.path[:0] = [function, layer] if not services else []
    sys.path.append(runtime)
    if services:
        import boto3  # noqa: PLC0415 - what is measured

        session = boto3.Session()
        _ = [session.client(service) for service in services]
    else:
        import app  # type: ignore[import-not-found]  # noqa: PLC0415 - what is measured

        if (built := app.handler._function) is None:  # noqa: SLF001 - built while Lambda starts it
            app.handler({}, None)
        services = sorted(built._clients._clients)  # noqa: SLF001 - the clients that it has made
    print(json.dumps({"seconds": time.process_time(), "services": services}))


if __name__ == "__main__":
    main()
