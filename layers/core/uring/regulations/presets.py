"""The common rules of the systems behind registries."""

from collections.abc import Mapping
from typing import Any, Final

# A link of the portal's own, or a call with both numbers first.
_LAW: Final = "a[href*='SEQ_HISTORY='], a[href*='fullPopupPost(']"
_LAW_SEQ: Final = r"(?:[?&]SEQ=|fullPopupPost\(\s*'?)([0-9]+)"
_LAW_HISTORY: Final = r"(?:[?&]SEQ_HISTORY=|fullPopupPost\(\s*'?[0-9]+'?\s*,\s*'?)([0-9]+)"

_OPTION: Final = r"^\s*([1-9][0-9]*)\s*$"
_DATE: Final = r"[0-9]{4}\s*[.\-/년]?\s*[0-9]{1,2}\s*[.\-/월]?\s*[0-9]{1,2}"


def _law_portal(suffix: str) -> Mapping[str, Any]:
    """Return the rules of a law portal whose addresses contain ``/lmxsrv/``.

    ``SEQ`` is the regulation and lasts; ``SEQ_HISTORY`` is its revision. The text is a page.

    Args:
        suffix: of its addresses.
    """

    def of_link(pattern: str, **more: str) -> dict[str, str]:
        return {"select": _LAW, "attribute": "href", "pattern": pattern, **more}

    def address(page: str) -> dict[str, str]:
        # The list may be in another folder of the portal: main/main.do, law/lawListManager.do.
        template = f"../law/{page}.{suffix}?SEQ={{id}}&SEQ_HISTORY={{value}}"
        return of_link(_LAW_HISTORY, template=template)

    return {
        "rows": {
            "select": "tr:has(a[href*='SEQ_HISTORY=']), tr:has(a[href*='fullPopupPost('])",
        },
        "fields": {
            "title": {"select": _LAW},
            "file_no": of_link(_LAW_SEQ),
            "revision": of_link(_LAW_HISTORY),
            "preview": address("lawFullView"),
            "download": address("lawFullContent"),
        },
        "formats": ["html"],
        # The portal spells it so. An option 0 chooses nothing.
        "history": {
            "url": f"../law/lawFullView.{suffix}?SEQ={{file_no}}",
            "rows": {"select": "#histroySeq option"},
            "fields": {
                "revision": {"attribute": "value", "pattern": _OPTION},
                "date": {"select": "option", "pattern": _DATE},
                "download": {
                    "attribute": "value",
                    "pattern": _OPTION,
                    "template": f"../law/lawFullContent.{suffix}?SEQ={{id}}&SEQ_HISTORY={{value}}",
                },
            },
        },
    }


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
    "lmxsrv": _law_portal("do"),
    "lmxsrv_srv": _law_portal("srv"),
}
"""By the name of the system; an older law portal's addresses end with ``.srv``."""
