"""Pages from untrusted addresses: guarded HTTP, and bytes to text.

    Request ─► Fetcher.fetch ─► Response ─► decode_html ─► Decoded

`url` and `address` say what may be connected to, `wire` keeps the deadline and counts bytes,
`head`, `body` and `http` tell a whole answer from a cut one, `decode` reads text whatever is
declared.
Whatever a site does ends in FetchFailed or SuspectPage.
"""

from uring.fetch.decode import Decoded, decode_html
from uring.fetch.http import Fetcher, Fetches, Response
from uring.fetch.request import Request, user_agent

__all__ = ["Decoded", "Fetcher", "Fetches", "Request", "Response", "decode_html", "user_agent"]
