"""Content types of what readers get: those that CloudFront compresses.

JSON lines, Markdown and feeds have types of their own, which it sends as they are, several times as
large: they go by the nearest one that it knows. Source: its list of types that it compresses.
"""

from typing import Final

HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
XML: Final = "application/xml; charset=utf-8"
