"""The answers of a domain on one day, as bytes: a function of the model alone.

`addresses`  of its sitemap and the sitemap's parts, and its Sitemap lines
`robots`     its robots.txt
`sitemaps`   its sitemap: good ones, broken ones, and pages that are not sitemaps
`replies`    the answer to one request
"""
