"""Pages from untrusted addresses: guarded HTTP, and bytes to text.

    Request ─► Fetcher.fetch ─► Response ─► decode_html ─► Decoded

`url` and `address` say what may be connected to, `wire` keeps the deadline and counts bytes,
`head`, `body` and `http` tell a whole answer from a cut one, `decode` reads text whatever is
declared.
Whatever a site does ends in FetchFailed or SuspectPage.
"""
