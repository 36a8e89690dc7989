"""Pages from untrusted addresses: guarded HTTP, and bytes to text.

    Request ─► Fetcher.fetch ─► Response ─► decode_html ─► Decoded

`url` and `address` guard the connection, `wire` keeps the deadline and counts bytes,
`head`, `body` and `http` refuse an incomplete response, `decode` reads text under any declared
charset. Every misbehaviour of a site ends in FetchFailed or SuspectPage.
"""
