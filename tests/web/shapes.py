"""The windows in which the client is looked at."""

from typing import Any, Final

SHAPES: Final[dict[str, dict[str, Any]]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
