"""What is known of a domain from before: requests that are conditional on it, and what is new.

    known files ─► If-None-Match, If-Modified-Since ─┬─► 200: read, and known from now on
                                                     └─► 304: the known file, as if it was read

`files`          the known files of one domain, and what a 304 stands for
`urls`           the URLs of its sitemaps, and the file of the new ones
`recollection`   the collection before, and the difference from it
"""
