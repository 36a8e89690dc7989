"""Content types of published objects, but one from CloudFront's list of compressed types.

CloudFront does not compress the types of JSON lines, Markdown and feeds, which makes them several
times as large. They have the nearest type on its list. A calendar has its own type: phones
open it by that.
"""

from typing import Final

CALENDAR: Final = "text/calendar; charset=utf-8"
HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
XML: Final = "application/xml; charset=utf-8"
