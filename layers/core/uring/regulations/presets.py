"""Presets: the common rules of the systems behind registries of regulations."""

from collections.abc import Mapping
from typing import Any, Final

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    # Universities with previewMenuCntFile.do: a table for each chapter, which its head names.
    "egov_files": {
        "rows": {
            "select": "table tbody tr:has(a[href*='previewMenuCntFile.do'])",
            "drop": ["tr:has(th)"],
        },
        "fields": {
            # The anchors' titles sometimes name another regulation.
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
