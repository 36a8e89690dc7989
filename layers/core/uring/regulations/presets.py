"""The systems behind registries of regulations: what their entries have in common."""

from collections.abc import Mapping
from typing import Any, Final

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    # Universities with previewMenuCntFile.do: a table a chapter, the chapter in its head.
    "egov_files": {
        "rows": {
            "select": "table tbody tr:has(a[href*='previewMenuCntFile.do'])",
            "drop": ["tr:has(th)"],
        },
        "fields": {
            # The anchors' titles are wrong at times, and name another regulation.
            "title": {"select": "td:first-child"},
            "file_no": {
                "select": "a[href*='downloadContentsFile.do']",
                "attribute": "href",
                "parameter": "fileNo",
            },
            "preview": "a[href*='previewMenuCntFile.do']",
            "download": "a[href*='downloadContentsFile.do']",
        },
    },
}
