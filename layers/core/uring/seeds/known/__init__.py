"""Files of a domain as they were read before: what a request can be conditional on (N22).

    known files ─► If-None-Match, If-Modified-Since ─┬─► 200: read, and known from now on
                                                     └─► 304: the known file, as if it was read

`files`     the known files of one domain, and the rules of a 304
"""
